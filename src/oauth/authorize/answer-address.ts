import type { ApiError } from '../../errors/api-error.ts';
import type { Destination } from './find-destination.ts';

/** The redirect with the code. `iss` names this server, which defends against mix-up attacks (RFC 9207). */
export function codeAddress(issuer: string, destination: Destination, code: string): string {
  return answerAddress(issuer, destination, { code });
}

/** The redirect with an error (RFC 6749 §4.1.2.1). */
export function errorAddress(issuer: string, destination: Destination, { code, detail }: ApiError): string {
  return answerAddress(issuer, destination, { error: code, error_description: detail });
}

/** Added to the address as it was registered, byte by byte. */
function answerAddress(
  issuer: string,
  { redirectUri, state }: Destination,
  answer: Readonly<Record<string, string>>,
): string {
  const parameters = new URLSearchParams({ ...answer, ...(state ? { state } : {}), iss: issuer });
  return `${redirectUri}${redirectUri.includes('?') ? '&' : '?'}${parameters}`;
}
