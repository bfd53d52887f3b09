import type { Introspection, oauthOperations } from '../../../contracts/head/oauth.ts';
import type { Wire } from '../../../contracts/head/operation-parts.ts';
import { unixSeconds } from '../../../kernel/clock.ts';
import type { ClientRequest, OpenClientRequest } from '../../../oauth/clients/authentication/admit-client.ts';
import type { TokenIntrospector } from '../../../oauth/tokens/introspect-token.ts';
import type { TokenRevoker } from '../../../oauth/tokens/revoke-token.ts';
import type { ActiveToken, InactiveToken, OAuthClientId } from '../../../oauth/types.ts';
import { readClientCredentials, readSecretCredentials } from '../client-credentials.ts';
import type { Caller, HandlersOf } from '../handler.ts';

export interface OAuthParts {
  issuer: string;
  introspectToken: TokenIntrospector;
  revokeToken: TokenRevoker;
}

type OAuthHandlers = Omit<HandlersOf<typeof oauthOperations>, 'oauth2:create_token'>;

export function oauthHandlers({ issuer, introspectToken, revokeToken }: OAuthParts): OAuthHandlers {
  return {
    async 'oauth2:revoke_token'({ request: { body, command }, caller }) {
      const client = readClientCredentials(body, credentialsOf(caller, command));
      // The hint is validated but not used: both kinds are found in one look-up (RFC 7009 §2.1).
      await revokeToken(client, body.token);
      caller.admitted(authenticated(client));
      return { status: 200, body: {} };
    },

    async 'oauth2:introspect_token'({ request: { body, command }, caller }) {
      const client = readSecretCredentials(body, credentialsOf(caller, command));
      const introspected = await introspectToken(client, body.token);
      caller.admitted(authenticated(client));
      return { status: 200, body: introspectionBody(introspected, issuer) };
    },
  };
}

interface ClientFields {
  client_id: string;
  client_secret: string;
}

/** The client that a body names, with its secret. */
export function clientIn(
  { client_id, client_secret }: ClientFields,
  { address, named }: Caller,
): ClientRequest {
  named(client_id);
  return { clientId: client_id, clientSecret: client_secret, address };
}

interface OAuthCommand {
  readonly ignoresAuthorization?: boolean;
}

function credentialsOf({ address, authorization, named }: Caller, { ignoresAuthorization }: OAuthCommand) {
  return { address, named, authorization: ignoresAuthorization ? undefined : authorization };
}

/** It was let in, so the id is one of ours. */
export function authenticated({ clientId }: OpenClientRequest): OAuthClientId {
  return clientId as OAuthClientId;
}

/** RFC 7662 §2.2, with the members of the contract. */
export function introspectionBody(
  token: ActiveToken | InactiveToken,
  issuer: string,
): Wire<typeof Introspection> {
  if (!token.active) return { active: false };
  return {
    active: true,
    client_id: token.clientId,
    token_type: token.kind,
    scope: token.scopes.join(' '),
    sub_type: token.subject.type,
    sub: token.subject.id,
    organizations: token.organizationIds,
    aud: token.audience,
    iss: issuer,
    exp: unixSeconds(token.expiresAt),
    iat: unixSeconds(token.issuedAt),
  };
}
