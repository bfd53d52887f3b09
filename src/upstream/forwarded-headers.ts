import type { IncomingHttpHeaders } from 'node:http';
import { isDeclarable } from './declarable-headers.ts';

export interface Forwarding {
  /** Who asks; see `createIdentityTokens`. Null where anyone may. */
  identityToken: string | null;
  /** The version that the upstream speaks: Next. */
  version: string;
  /** The version that the caller speaks. */
  callerVersion: string;
  requestId: string;
  callerHeaders: IncomingHttpHeaders;
  /** Names of the header parameters that the contract of the operation has. */
  declared: readonly string[];
}

/** Headers that say something about the request itself, and are the caller's to choose. */
const PASSED_ON = ['idempotency-key', 'content-type', 'accept'];

/** All headers that go upstream: a list of names, so that nothing else of the caller does, its credentials least of all. */
export function forwardedHeaders(forwarding: Forwarding): Record<string, string> {
  const { identityToken, version, callerVersion, requestId, callerHeaders, declared } = forwarding;
  return {
    ...pick(callerHeaders, declared.map((name) => name.toLowerCase()).filter(isDeclarable)),
    ...pick(callerHeaders, PASSED_ON),
    ...(isTraceparent(callerHeaders.traceparent) ? { traceparent: callerHeaders.traceparent } : {}),
    ...(identityToken === null ? {} : { authorization: `Bearer ${identityToken}` }),
    'service-version': version,
    'dateline-caller-version': callerVersion,
    'x-request-id': requestId,
  };
}

function pick(headers: IncomingHttpHeaders, names: readonly string[]): Record<string, string> {
  const sent = names.filter((name) => Object.hasOwn(headers, name));
  return Object.fromEntries(sent.map((name) => [name, [headers[name] ?? []].flat().join(', ')]));
}

const TRACEPARENT = /^(?!ff)([0-9a-f]{2})-(?!0{32})[0-9a-f]{32}-(?!0{16})[0-9a-f]{16}-[0-9a-f]{2}(-[!-~]*)?$/;

/** W3C Trace Context §3.2.2: ids of zeros say nothing, and only later versions may go on after a dash. */
function isTraceparent(value: string | string[] | undefined): value is string {
  if (typeof value !== 'string') return false;
  const [, version, rest] = TRACEPARENT.exec(value) ?? [];
  return version !== undefined && (rest === undefined || version !== '00');
}
