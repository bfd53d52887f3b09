import { expect, it } from 'vitest';
import { onPostgresFirst } from '../support/database/databases.ts';
import { oauthCalls } from '../support/oauth/oauth-calls.ts';
import { useTestService } from '../support/service/test-service.ts';

onPostgresFirst('revoking a token', (engine) => {
  const service = useTestService(engine);

  it('[outside2 26] takes effect also while its user is blocked: unblocking does not bring it back', async () => {
    const { revoke, isActive } = oauthCalls(service);
    const { access_token: token } = service.quickstart.sandbox;
    const operate = (path: string) => service.operate('sandbox', path, { method: 'POST' });
    const { items } = (await (await service.operate('sandbox', '/operator/users')).json()) as {
      items: { id: string }[];
    };
    await operate(`/operator/users/${items[0]?.id}/block`);
    expect(await isActive(token)).toBe(false);
    expect((await revoke({ token })).status).toBe(200);
    await operate(`/operator/users/${items[0]?.id}/unblock`);
    expect(await isActive(token)).toBe(false);
  });
});
