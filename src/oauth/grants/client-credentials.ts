import type { Scene } from '../../environments/environment.ts';
import { ApiError } from '../../errors/api-error.ts';
import { organizationsOf } from '../../identity/organizations.ts';
import { chooseAudience } from '../clients/choose-audience.ts';
import { allowedTo, parseScope } from '../scopes/parse-scope.ts';
import { issueAccessToken } from '../tokens/issue-token.ts';
import type { OAuthClient } from '../types.ts';
import { grantToOrganization } from './grants.ts';
import { secondsUntil, type TokenAnswer } from './token-answer.ts';

/** A client gets a token for its own organization (RFC 6749 §4.4). It needs no refresh token: it can ask again. */
export async function issueForClient(
  scene: Scene,
  client: OAuthClient,
  asked: { scope: string | undefined; resource: string | undefined },
): Promise<TokenAnswer> {
  if (client.kind === 'public')
    throw new ApiError('unauthorized_client', { detail: 'A client without a secret cannot act for itself.' });
  const [organization] = await organizationsOf(scene, [client.organizationId]);
  if (organization?.suspendedAt)
    throw new ApiError('unauthorized_client', {
      detail: 'The organization of this client is suspended; ask the operator of this service.',
    });
  const known = scene.scopes;
  const allowed = allowedTo(client, known).filter((scope) => !known.ofPeople.includes(scope));
  const scopes = parseScope(asked.scope, { known, allowed });
  const audience = await chooseAudience(scene, client, asked.resource);
  return scene.transaction(async (inside) => {
    const grant = await grantToOrganization(inside, { client, scopes, audience });
    const { token, tokenValue } = await issueAccessToken(inside, grant);
    return {
      accessTokenValue: tokenValue,
      expiresInSeconds: secondsUntil(token.expiresAt, inside.clock.now()),
      scopes,
    };
  });
}
