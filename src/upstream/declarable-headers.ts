/**
 * Headers that a contract cannot declare, neither for requests nor for answers: those of one connection (RFC 9110 §7.6.1),
 * those that frame the message, credentials, where a request comes from, and those that are ours to set.
 */
const NEVER = new Set([
  'accept-encoding',
  'alt-svc',
  'authorization',
  'connection',
  'content-encoding',
  'content-length',
  'cookie',
  'date',
  'deprecation',
  'expect',
  'forwarded',
  'host',
  'keep-alive',
  'server',
  'service-version',
  'set-cookie',
  'strict-transport-security',
  'sunset',
  'te',
  'traceparent',
  'trailer',
  'transfer-encoding',
  'upgrade',
  'vary',
  'via',
  'x-real-ip',
  'x-request-id',
]);

const NEVER_BEGINNING = /^(?:access-control-|dateline-|proxy-|x-forwarded-)/;

/** Whether a header, by its name in lower case, may be a parameter of an operation or a part of its answer. */
export function isDeclarable(name: string): boolean {
  return !NEVER.has(name) && !NEVER_BEGINNING.test(name);
}
