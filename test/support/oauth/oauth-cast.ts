import type { Environment } from '../../../src/environments/environment.ts';
import {
  newClientSecretValue,
  storeClientSecret,
} from '../../../src/oauth/clients/authentication/client-secrets.ts';
import { createClient } from '../../../src/oauth/clients/clients/clients.ts';
import { grantToUser } from '../../../src/oauth/grants/grants.ts';
import { issueAccessToken, issueRefreshToken } from '../../../src/oauth/tokens/issue-token.ts';
import type { OAuthClient } from '../../../src/oauth/types.ts';
import { environmentOn } from '../service/environment-on.ts';
import type { TestService } from '../service/test-service.ts';
import type { Form } from './oauth-calls.ts';
import { createGrantedUser } from './oauth-fixtures.ts';

export const RESOURCE = 'https://reports.example.com';

/** A client of the cases, with its credentials. */
export interface Player {
  client: OAuthClient;
  credentials: Form;
}

/** The domain functions on the database of a running service. */
export async function sandboxOf(service: TestService): Promise<Environment> {
  return environmentOn({
    name: 'sandbox',
    issuer: service.urls.sandbox,
    database: await service.database('sandbox'),
    clock: service.clock,
  });
}

/** A and B are confidential clients, P is public, R is a resource server; U is a user who has allowed A. */
export async function createCast(service: TestService) {
  const sandbox = await sandboxOf(service);
  const { client, user, organization } = await createGrantedUser(sandbox);
  const base = { ...client, audiences: [] };
  const player = async (name: string, change: Partial<OAuthClient> = {}): Promise<Player> => {
    const made = await createClient(sandbox, { ...base, name, ...change });
    if (made.kind === 'public') return { client: made, credentials: { client_id: made.id } };
    const secretValue = newClientSecretValue(sandbox);
    await storeClientSecret(sandbox, { clientId: made.id, secretValue });
    return { client: made, credentials: { client_id: made.id, client_secret: secretValue } };
  };
  const [A, B, P] = [await player('A'), await player('B'), await player('P', { kind: 'public' })];
  const R = await player('R', { kind: 'resource_server', audiences: [RESOURCE] });
  return {
    A,
    B,
    P,
    R,
    user,
    organization,
    sandbox,
    /** A fresh grant of the user to a client, with one token of each kind. */
    async tokensOf({ client: to }: Player, audience = to.id as string) {
      const grant = await grantToUser(sandbox, {
        client: to,
        userId: user.id,
        organizationIds: [organization.id],
        scopes: to.scopes,
        audience,
      });
      const access = await issueAccessToken(sandbox, grant);
      const refresh = await issueRefreshToken(sandbox, grant);
      return {
        grant,
        access: access.tokenValue,
        refresh: refresh.tokenValue,
        accessToken: access.token,
        refreshToken: refresh.token,
      };
    },
  };
}

export type Cast = Awaited<ReturnType<typeof createCast>>;
