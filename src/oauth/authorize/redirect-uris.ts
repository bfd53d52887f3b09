import { urlOf } from '../../kernel/url.ts';

/**
 * True if a URI is registered, compared character by character. Only the port of a loopback address is free, since
 * native apps listen on any port they can get (RFC 8252 §7.3, RFC 9700 §2.1).
 */
export function isRegistered(redirectUri: string, registered: readonly string[]): boolean {
  const loopback = withoutLoopbackPort(redirectUri);
  return registered.some(
    (known) =>
      known === redirectUri ||
      (loopback !== null && urlOf(redirectUri) !== null && loopback === withoutLoopbackPort(known)),
  );
}

const LOOPBACK = /^http:\/\/(127\.0\.0\.1|\[::1\])(?::\d{1,5})?((?:[/?].*)?)$/s;

/** Null unless it is a loopback address. Split as text: a URL parser would make some different addresses equal. */
function withoutLoopbackPort(uri: string): string | null {
  const [, host, rest] = LOOPBACK.exec(uri) ?? [];
  return host === undefined ? null : `${host} ${rest}`;
}
