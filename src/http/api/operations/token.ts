import type { AnswerOf, RequestTo } from '../../../contracts/head/operation-types.ts';
import { ApiError } from '../../../errors/api-error.ts';
import type { CodeExchanger } from '../../../oauth/authorize/codes/exchange-code.ts';
import type { ClientAuthenticator } from '../../../oauth/clients/authentication/authenticate-client.ts';
import type { LiveClient } from '../../../oauth/clients/authentication/store.ts';
import type { ClientCredentialsIssuer } from '../../../oauth/grants/client-credentials.ts';
import type { TokenRefresher } from '../../../oauth/grants/refresh/refresh-token.ts';
import type { TokenAnswer } from '../../../oauth/grants/token-answer.ts';
import { type GrantType, grantTypes, type OAuthClient } from '../../../oauth/types.ts';
import { readClientCredentials } from '../client-credentials.ts';
import type { Caller, OperationHandlers } from '../handler.ts';

type TokenRequest = RequestTo<'oauth2:create_token'>;
type TokenForm = TokenRequest['body'];

interface TokenParts {
  authenticate: ClientAuthenticator;
  issueClientCredentialsToken: ClientCredentialsIssuer;
  refreshToken: TokenRefresher;
  exchangeCode: CodeExchanger;
}

export function tokenHandlers({
  authenticate,
  ...parts
}: TokenParts): Pick<OperationHandlers, 'oauth2:create_token'> {
  const grantors = grantorsWith(parts);
  return {
    async 'oauth2:create_token'({ request, caller }) {
      const { body: form } = request;
      const client = await authenticate(readClientCredentials(form, caller));
      caller.admitted(client.id);
      const grantType = requireGrantType(form.grant_type, client);
      const answer = await grantors[grantType](client, request, caller);
      return { status: 200, body: tokenBody(answer) };
    },
  };
}

function requireGrantType(grantType: string, client: OAuthClient): GrantType {
  const known = grantTypes.find((candidate) => candidate === grantType);
  if (!known)
    throw new ApiError('unsupported_grant_type', {
      detail: `grant_type must be one of ${grantTypes.join(', ')}.`,
    });
  if (!client.allowedGrants.includes(known)) throw new ApiError('unauthorized_client');
  return known;
}

type Grantor = (client: LiveClient, request: TokenRequest, caller: Caller) => Promise<TokenAnswer>;

const grantorsWith = ({
  issueClientCredentialsToken,
  refreshToken,
  exchangeCode,
}: Omit<TokenParts, 'authenticate'>): Readonly<Record<GrantType, Grantor>> => ({
  client_credentials: (client, { body: { scope, resource } }) =>
    issueClientCredentialsToken(client, { scope, resource }),
  refresh_token: (client, { body: form }, { address }) =>
    refreshToken({
      client,
      refreshTokenValue: required(form, 'refresh_token'),
      scope: form.scope,
      resource: form.resource,
      address: address(),
    }),
  authorization_code: (client, { body: form, command }, { hasLeft }) =>
    exchangeCode({
      client,
      codeValue: required(form, 'code'),
      redirectUri: form.redirect_uri,
      codeVerifier: form.code_verifier,
      resource: form.resource,
      bareIdToken: command.bareIdToken === true,
      hasLeft,
    }),
});

function required(form: TokenForm, field: 'refresh_token' | 'code'): string {
  const value = form[field];
  if (value === undefined) throw new ApiError('invalid_request', { detail: `${field} is missing.` });
  return value;
}

/** RFC 6749 §5.1; the scope is always named. */
function tokenBody(answer: TokenAnswer): AnswerOf<'oauth2:create_token'>['body'] {
  return {
    access_token: answer.accessTokenValue,
    token_type: 'Bearer',
    expires_in: answer.expiresInSeconds,
    scope: answer.scopes.join(' '),
    ...(answer.refreshTokenValue === undefined ? {} : { refresh_token: answer.refreshTokenValue }),
    ...(answer.idTokenValue === undefined ? {} : { id_token: answer.idTokenValue }),
  };
}
