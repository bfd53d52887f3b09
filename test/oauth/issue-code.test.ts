import { expect, it } from 'vitest';
import { newId } from '../../src/kernel/ids.ts';
import { issueCode } from '../../src/oauth/authorize/codes/issue-code.ts';
import { onEmbeddedFirst } from '../support/database/databases.ts';
import { createGrantedUser } from '../support/oauth/oauth-fixtures.ts';
import { useTestEnvironments } from '../support/service/test-environment.ts';

onEmbeddedFirst('a code', (engine) => {
  const environments = useTestEnvironments(engine);

  it('is given to nobody where it could not be stored', async () => {
    const { sandbox } = environments;
    const { client } = await createGrantedUser(sandbox);
    const now = sandbox.clock.now();
    const issuing = issueCode(sandbox, {
      ...{ clientId: client.id, userId: newId<'user'>('usr', now), organizationIds: [], scopes: [] },
      ...{ audience: client.id, redirectUri: 'https://app.test/', codeChallenge: null, nonce: null },
      authenticatedAt: now,
    });
    await expect(issuing).rejects.toThrow('foreign key');
  });
});
