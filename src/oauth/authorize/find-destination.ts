import type { Context } from '../../environments/environment.ts';
import { ApiError } from '../../errors/api-error.ts';
import { urlOf } from '../../kernel/url.ts';
import { findClient } from '../clients/clients/clients.ts';
import { hasRegistration } from '../clients/registration/registrations.ts';
import type { OAuthClient } from '../types.ts';
import { parameter, type SentParameters } from './sent-parameters.ts';

/** Where the answer to an authorization request goes. */
export interface Destination {
  client: OAuthClient;
  /** Nobody but the client itself has said who it is. */
  isSelfRegistered: boolean;
  redirectUri: string;
  /** The client has only one and did not name it. */
  redirectUriOmitted: boolean;
  state: string | undefined;
}

/**
 * Finds the client and its redirect URI. Until both are known the browser is not redirected: an attacker who wrote the
 * request would choose the target (RFC 6749 §4.1.2.1). So errors thrown here are shown to the user.
 */
export async function findDestination(context: Context, sent: SentParameters): Promise<Destination> {
  const clientId = parameter(sent, 'client_id');
  if (clientId === undefined) throw refused('client_id is missing.');
  const client = await findClient(context, clientId);
  if (!client || client.disabledAt) throw refused('There is no application with this client_id.');
  const asked = parameter(sent, 'redirect_uri');
  return {
    client,
    isSelfRegistered: await hasRegistration(context, client.id),
    redirectUri: asked === undefined ? onlyRedirectUri(client) : knownRedirectUri(client, asked),
    redirectUriOmitted: asked === undefined,
    state: stateOf(sent),
  };
}

function onlyRedirectUri({ redirectUris }: OAuthClient): string {
  const [only, ...more] = redirectUris;
  if (only === undefined || more.length > 0) throw refused('redirect_uri is missing.');
  return only;
}

function knownRedirectUri({ redirectUris }: OAuthClient, asked: string): string {
  if (isRegistered(asked, redirectUris)) return asked;
  throw refused('redirect_uri is not one that the application has registered.');
}

/** Returned to the client unchanged. With several it is unclear which one is meant. */
function stateOf(sent: SentParameters): string | undefined {
  const [state, ...more] = sent.get('state') ?? [];
  return more.length > 0 ? undefined : state;
}

function refused(detail: string): ApiError {
  return new ApiError('invalid_request', { detail });
}

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
