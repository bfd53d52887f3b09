import type { Environment } from '../../environments/environment.ts';
import { ApiError } from '../../errors/api-error.ts';
import { batchQueries } from '../../storage/batch-queries.ts';
import type { LiveClient } from '../clients/authentication/store.ts';
import { chooseAudience } from '../clients/clients/audiences.ts';
import { allowedTo, parseScope } from '../scopes/parse-scope.ts';
import { newToken } from '../tokens/issue-token.ts';
import { type ClientCredentialsToken, insertClientCredentialsTokens } from '../tokens/store.ts';
import { newOrganizationGrant } from './grants.ts';
import { secondsUntil, type TokenAnswer } from './token-answer.ts';

/** A client gets a token for its own organization (RFC 6749 §4.4). It needs no refresh token: it can ask again. */
export type ClientCredentialsIssuer = (
  client: LiveClient,
  asked: { scope: string | undefined; resource: string | undefined },
) => Promise<TokenAnswer>;

// Tokens that are asked for together are committed together: one write to disk for all of them.
const BATCH_SIZE_MAX = 64;

export function createClientCredentialsIssuer(
  environment: Environment,
  onBatch: (size: number) => void,
): ClientCredentialsIssuer {
  const store = batchQueries<ClientCredentialsToken, undefined>(environment.database, {
    kind: 'writes',
    async run(tokens) {
      await insertClientCredentialsTokens(environment.session, tokens);
      return tokens.map(() => undefined);
    },
    sizeMax: BATCH_SIZE_MAX,
    onBatch,
  });

  return async (client, asked) => {
    refuseUnlessForItself(client);
    const known = environment.scopes;
    const allowed = allowedTo(client, known).filter((scope) => !known.ofPeople.includes(scope));
    const scopes = parseScope(asked.scope, { known, allowed });
    const audience = await chooseAudience(environment, client, asked.resource);
    const grant = newOrganizationGrant(environment, { client, scopes, audience });
    const { token, tokenValue, digest } = newToken(environment, grant, 'access_token');
    await store({ grant, token, digest });
    return {
      accessTokenValue: tokenValue,
      expiresInSeconds: secondsUntil(token.expiresAt, environment.clock.now()),
      scopes,
    };
  };
}

function refuseUnlessForItself({ kind, organizationSuspendedAt }: LiveClient): void {
  if (kind === 'public')
    throw new ApiError('unauthorized_client', { detail: 'A client without a secret cannot act for itself.' });
  if (organizationSuspendedAt)
    throw new ApiError('unauthorized_client', {
      detail: 'The organization of this client is suspended; ask the operator of this service.',
    });
}
