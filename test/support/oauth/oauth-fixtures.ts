import { randomUUID } from 'node:crypto';
import type { Environment } from '../../../src/environments/environment.ts';
import { addMember } from '../../../src/identity/members.ts';
import { createOrganization } from '../../../src/identity/organizations.ts';
import { createUser } from '../../../src/identity/users.ts';
import { createClient, type NewClient } from '../../../src/oauth/clients/clients/clients.ts';
import { grantToUser } from '../../../src/oauth/grants/grants.ts';
import { issueAccessToken, issueRefreshToken } from '../../../src/oauth/tokens/issue-token.ts';

/** An organization with a member who has granted a client all scopes, and the issued tokens. */
export async function createGrantedUser(environment: Environment, change: Partial<NewClient> = {}) {
  const organization = await createOrganization(environment, { name: 'Granting' });
  const user = await createUser(environment, {
    email: `${randomUUID()}@example.com`,
    name: 'Granter',
    password: 'correct horse battery',
  });
  await addMember(environment, { organizationId: organization.id, userId: user.id });
  const client = await createClient(environment, {
    organizationId: organization.id,
    name: 'Client',
    kind: 'confidential',
    allowedGrants: ['authorization_code', 'refresh_token', 'client_credentials'],
    scopes: environment.scopes.usual,
    redirectUris: [],
    audiences: [],
    ...change,
  });
  const grant = await grantToUser(environment, {
    client,
    userId: user.id,
    organizationIds: [organization.id],
    scopes: client.scopes,
  });
  const access = await issueAccessToken(environment, grant);
  const refresh = await issueRefreshToken(environment, grant);
  return { organization, user, client, grant, access, refresh };
}
