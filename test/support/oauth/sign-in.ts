import { createHash, randomBytes } from 'node:crypto';
import { findUserByEmail } from '../../../src/identity/users.ts';
import { issueCode, type NewCode } from '../../../src/oauth/authorize/codes/issue-code.ts';
import { findClient } from '../../../src/oauth/clients/clients/clients.ts';
import type { TestService } from '../service/test-service.ts';
import { sandboxOf } from './oauth-cast.ts';

export const REDIRECT_URI = 'http://127.0.0.1/callback';

/** A code as the demo user's browser returns it from a sign-in, with what its client needs to exchange it. */
export async function signInDemoUser(service: TestService, change: Partial<NewCode> = {}) {
  const sandbox = await sandboxOf(service);
  const client = await findClient(sandbox, service.quickstart.sandbox.client_id);
  const user = await findUserByEmail(sandbox, service.quickstart.sandbox.user_email);
  if (!client || !user) throw new Error('the sandbox has no demo data');
  const codeVerifier = randomBytes(32).toString('base64url');
  const code = await issueCode(sandbox, {
    clientId: client.id,
    userId: user.id,
    organizationIds: [client.organizationId],
    scopes: sandbox.scopes.usual,
    audience: client.id,
    redirectUri: REDIRECT_URI,
    codeChallenge: createHash('sha256').update(codeVerifier).digest('base64url'),
    nonce: null,
    authenticatedAt: sandbox.clock.now(),
    ...change,
  });
  return { code, codeVerifier, client, user, sandbox };
}
