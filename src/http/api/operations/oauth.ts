import type { TokenIntrospector } from '../../../oauth/tokens/introspect-token.ts';
import type { TokenRevoker } from '../../../oauth/tokens/revoke-token.ts';
import type { ActiveToken, InactiveToken, OAuthClientId } from '../../../oauth/types.ts';
import type { OpenCall, OperationHandlers } from '../version-app.ts';

export interface OAuthParts {
  issuer: string;
  introspectToken: TokenIntrospector;
  revokeToken: TokenRevoker;
}

interface TokenForm {
  token: string;
  client_id: string;
  client_secret: string;
}

export function oauthHandlers({ issuer, introspectToken, revokeToken }: OAuthParts): OperationHandlers {
  return {
    async 'oauth2:revoke_token'(call: OpenCall) {
      const { token } = formOf(call);
      // The hint is checked and not needed: both kinds are found in one look-up (RFC 7009 §2.1).
      await revokeToken(clientOf(call), token);
      call.caller.admitted(clientIdOf(call));
      return { status: 200, body: {} };
    },

    async 'oauth2:introspect_token'(call: OpenCall) {
      const { token } = formOf(call);
      const introspected = await introspectToken(clientOf(call), token);
      call.caller.admitted(clientIdOf(call));
      return { status: 200, body: introspectionBody(introspected, issuer) };
    },
  };
}

function formOf({ request }: OpenCall): TokenForm {
  return request.body as unknown as TokenForm;
}

/** Who a client says it is, in the body. */
export function clientOf(call: OpenCall) {
  const { client_id, client_secret } = formOf(call);
  return { clientId: client_id, clientSecret: client_secret, address: call.caller.address };
}

/** Once it has been let in. */
function clientIdOf(call: OpenCall): OAuthClientId {
  return formOf(call).client_id as OAuthClientId;
}

/** RFC 7662 §2.2, with the members of the contract. */
export function introspectionBody(token: ActiveToken | InactiveToken, issuer: string) {
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
    exp: secondsOf(token.expiresAt),
    iat: secondsOf(token.issuedAt),
  };
}

function secondsOf(at: Date): number {
  return Math.floor(at.getTime() / 1000);
}
