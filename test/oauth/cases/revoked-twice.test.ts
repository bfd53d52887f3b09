import { expect, it } from 'vitest';
import { endAll } from '../../../src/oauth/tokens/end-tokens.ts';
import { findTokenById } from '../../../src/oauth/tokens/store.ts';
import type { TokenRecord } from '../../../src/oauth/tokens/token-record.ts';
import { onPostgresFirst } from '../../support/database/databases.ts';
import { oauthCalls } from '../../support/oauth/oauth-calls.ts';
import { writtenDown } from '../../support/run/written-down.ts';
import { createCaller, serviceEnvironment } from '../../support/service/service-environment.ts';
import { useTestService } from '../../support/service/test-service.ts';

onPostgresFirst('revocation (RFC 7009)', (engine) => {
  const service = useTestService(engine);
  const calls = oauthCalls(service);

  async function written(action: string, clientId: string): Promise<[number, number]> {
    const down = writtenDown(await service.database('sandbox'));
    const entries = (await down.audit(action)).filter(({ client_id }) => client_id === clientId);
    const occurrences = (await down.occurrences(action)).filter(({ data }) => data.client_id === clientId);
    return [entries.length, occurrences.length];
  }

  it('[oauth 9] answers 200 again for a token that is revoked already, and records it once', async () => {
    const { credentials, client, access, refresh } = await createCaller(service);
    for (const [{ tokenValue: token }, action] of [
      [access, 'token.revoked'],
      [refresh, 'grant.revoked'],
    ] as const) {
      for (let time = 0; time < 2; time += 1)
        expect(await calls.revoke({ ...credentials, token })).toMatchObject({ status: 200, text: '{}' });
      expect(await written(action, client.id)).toEqual([1, 1]);
    }
  });

  it('[oauth 9] records it once also for many concurrent requests', async () => {
    const { credentials, client, access, refresh } = await createCaller(service);
    for (const [{ tokenValue: token }, action] of [
      [access, 'token.revoked'],
      [refresh, 'grant.revoked'],
    ] as const) {
      const answers = await Promise.all(
        Array.from({ length: 20 }, () => calls.revoke({ ...credentials, token })),
      );
      expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
      expect(await written(action, client.id)).toEqual([1, 1]);
    }
  });

  it('[oauth 9] records it once also if two nodes have both just seen it live', async () => {
    const { client, access, refresh } = await createCaller(service);
    const environment = await serviceEnvironment(service);
    for (const [{ token }, action] of [
      [access, 'token.revoked'],
      [refresh, 'grant.revoked'],
    ] as const) {
      const seen = (await findTokenById(environment.session, token.id)) as TokenRecord;
      const ending = { token: seen, actor: { type: 'client', id: client.id }, reason: 'twice' } as const;
      await Promise.all([endAll(environment, [ending]), endAll(environment, [ending])]);
      expect(await written(action, client.id)).toEqual([1, 1]);
    }
  });
});
