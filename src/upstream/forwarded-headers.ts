import type { IncomingHttpHeaders } from 'node:http';
import { currentSpan } from '../tracing/span.ts';
import { parseTraceparent } from '../tracing/traceparent.ts';
import { isDeclarable } from './declarable-headers.ts';

export interface Forwarding {
  /** Names the caller; see `createIdentityTokens`. Null where anyone may call. */
  identityToken: string | null;
  /** The version that the upstream speaks: Next. */
  version: string;
  /** The version that the caller speaks. */
  callerVersion: string;
  requestId: string;
  /** By the rules of trusted proxies. */
  callerAddress: string;
  callerHeaders: IncomingHttpHeaders;
  /** Headers that the contract declares, by their names in lower case. */
  declared: Readonly<Record<string, string>>;
  /** The type of the body; null where there is none. */
  mediaType: string | null;
}

/** A header about the caller, which goes upstream where that asks for it. */
export type CallerFact = 'user-agent' | 'x-forwarded-for';

export type HeaderForwarder = (forwarding: Forwarding) => Record<string, string>;

/** Headers that say something about the request itself, and are the caller's to choose. */
const PASSED_ON = ['idempotency-key', 'accept'];

/**
 * Makes the headers that go upstream: a list of names, so that nothing else of the caller does, its credentials least of all. The
 * contract of the operation may declare more of them, and the folder may ask for some.
 */
export function forwardedHeadersOf(
  declared: readonly string[],
  wanted: readonly CallerFact[] = [],
  implied: readonly string[] = [],
): HeaderForwarder {
  const names = declared.map((name) => name.toLowerCase()).filter(isDeclarable);
  const passedOn = [...PASSED_ON, ...implied, ...wanted.filter((name) => name === 'user-agent')];
  const namesCaller = wanted.includes('x-forwarded-for');
  return (forwarding) => {
    const { identityToken, version, callerVersion, requestId, callerHeaders, mediaType } = forwarding;
    const headers: Record<string, string> = {};
    for (const name of passedOn)
      if (Object.hasOwn(callerHeaders, name)) headers[name] = [callerHeaders[name] ?? []].flat().join(', ');
    for (const name of names)
      if (Object.hasOwn(forwarding.declared, name)) headers[name] = forwarding.declared[name] ?? '';
    if (mediaType !== null) headers['content-type'] = mediaType;
    const traceparent = tracedBy(callerHeaders.traceparent);
    if (traceparent !== undefined) headers.traceparent = traceparent;
    if (identityToken !== null) headers.authorization = `Bearer ${identityToken}`;
    headers['service-version'] = version;
    headers['dateline-caller-version'] = callerVersion;
    headers['x-request-id'] = requestId;
    // Never what the caller has sent by this name: one address, which a trusted proxy or the connection tells.
    if (namesCaller) headers['x-forwarded-for'] = forwarding.callerAddress.replace(/^::ffff:(?=\d+\.)/i, '');
    return headers;
  };
}

/** The span that asks the upstream; where nothing is traced here, the caller's own. */
function tracedBy(traceparent: IncomingHttpHeaders[string]): string | undefined {
  const span = currentSpan();
  if (span) return span.traceparent;
  return typeof traceparent === 'string' && parseTraceparent(traceparent) ? traceparent : undefined;
}
