/**
 * Headers that a contract cannot declare, neither for requests nor for answers: those of one connection (RFC 9110 §7.6.1),
 * those that frame the message, credentials, where a request comes from, those that are ours to set, and those that tell
 * a browser what to do with our origin, which is not theirs alone.
 */
const NEVER = new Set([
  'accept-ch',
  'accept-encoding',
  'alt-svc',
  'authorization',
  'clear-site-data',
  'connection',
  'content-encoding',
  'content-length',
  'content-security-policy',
  'content-security-policy-report-only',
  'cookie',
  'critical-ch',
  'date',
  'deprecation',
  'expect',
  'expect-ct',
  'feature-policy',
  'forwarded',
  'host',
  'keep-alive',
  'nel',
  'origin-agent-cluster',
  'permissions-policy',
  'public-key-pins',
  'refresh',
  'report-to',
  'reporting-endpoints',
  'server',
  'service-version',
  'service-worker-allowed',
  'set-cookie',
  'set-cookie2',
  'set-login',
  'sourcemap',
  'speculation-rules',
  'strict-transport-security',
  'sunset',
  'supports-loading-mode',
  'te',
  'traceparent',
  'trailer',
  'transfer-encoding',
  'upgrade',
  'vary',
  'via',
  'x-content-type-options',
  'x-frame-options',
  'x-real-ip',
  'x-request-id',
  'x-sourcemap',
  'x-xss-protection',
]);

const NEVER_BEGINNING = /^(?:access-control-|cross-origin-|dateline-|proxy-|sec-|x-forwarded-|x-webkit-csp)/;

/** Returns true if a header, by its name in lower case, may be a parameter of an operation or a part of its answer. */
export function isDeclarable(name: string): boolean {
  return !NEVER.has(name) && !NEVER_BEGINNING.test(name);
}
