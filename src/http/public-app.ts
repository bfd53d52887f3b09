import type { Environment } from '../environments/environment.ts';
import { organizationsOf } from '../identity/organizations.ts';
import type { TokenVerifier } from '../oauth/verify-token.ts';
import { authenticateToken } from './authenticate-token.ts';
import { type App, createApp } from './create-app.ts';
import { organizationBody } from './operator/organizations.ts';

export interface PublicAppOptions {
  environment: Environment;
  verifyToken: TokenVerifier;
  trustedProxies: readonly string[];
}

/** `/v1/*`: the API that integrators call. */
export function createPublicApp({ environment, verifyToken, trustedProxies }: PublicAppOptions): App {
  const app = createApp({ trustedProxies });

  app.get('/v1/organizations/', async (request) => {
    const { organizationIds } = await authenticateToken(request, verifyToken, 'organizations:read');
    const organizations = await organizationsOf(environment, organizationIds);
    return { items: organizations.map(organizationBody), pagination: { next_cursor: null } };
  });

  return app;
}
