/**
 * Whether an address is one of the registered ones: the same, character by character. Only the port of a loopback address
 * is free, since native apps take whichever they get (RFC 8252 §7.3, RFC 9700 §2.1).
 */
export function isRegistered(redirectUri: string, registered: readonly string[]): boolean {
  const loopback = withoutLoopbackPort(redirectUri);
  return registered.some(
    (known) =>
      known === redirectUri ||
      (loopback !== null && URL.canParse(redirectUri) && loopback === withoutLoopbackPort(known)),
  );
}

const LOOPBACK = /^http:\/\/(127\.0\.0\.1|\[::1\])(?::\d{1,5})?((?:[/?].*)?)$/s;

/** Null for what is no loopback address. Taken apart as text: two addresses must not become one on the way. */
function withoutLoopbackPort(uri: string): string | null {
  const [, host, rest] = LOOPBACK.exec(uri) ?? [];
  return host === undefined ? null : `${host} ${rest}`;
}
