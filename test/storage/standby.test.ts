import { afterAll, beforeAll, expect, it } from 'vitest';
import {
  type DedicatedPostgresServer,
  type PostgresServer,
  startDedicatedPostgresServer,
} from '../support/database/postgres-server.ts';
import { startTcpProxy, type TcpProxy } from '../support/database/tcp-proxy.ts';
import { createOAuthNodes, type OAuthNodes, postForm } from '../support/oauth/oauth-nodes.ts';
import { describeInLongRuns } from '../support/run/in-long-runs.ts';
import { runDateline } from '../support/service/spawn-dateline.ts';

describeInLongRuns('a standby of PostgreSQL', () => {
  let server: DedicatedPostgresServer;
  let standby: PostgresServer | undefined;
  let proxy: TcpProxy;
  let nodes: OAuthNodes;
  beforeAll(async () => {
    server = await startDedicatedPostgresServer();
    proxy = await startTcpProxy(`${server.url}/postgres`);
    nodes = await createOAuthNodes(`${server.url}/postgres`, { through: proxy.url });
  }, 120_000);
  afterAll(async () => {
    await nodes?.close();
    await proxy?.close();
    await standby?.stop();
    await server?.stop();
  });

  const ask = (path: string, token: string) =>
    postForm(nodes.first.url, path, { ...nodes.credentials, token });
  async function readiness(): Promise<[number, unknown]> {
    const response = await fetch(`${nodes.first.url}/readyz`);
    return [response.status, await response.json()];
  }
  function leadTo(target: PostgresServer): void {
    proxy.retarget(`${target.url}/postgres`);
    proxy.cut();
  }

  it('[outside 18] that a node reaches gets no say: 503 for every token and revocation, not ready with one sentence, until the primary is back', async () => {
    const revoked = await nodes.newFamily();
    const live = await nodes.newFamily();
    standby = await server.startStandby();
    // The node noticed the restart of the primary, and works on it.
    await expect.poll(async () => (await ask('revoke', revoked.access))?.status).toBe(200);
    expect((await ask('introspect', live.access))?.body.active).toBe(true);

    leadTo(standby);
    const unavailable = { status: 503, retryAfter: '1', body: { error: 'temporarily_unavailable' } };
    for (let round = 0; round < 10; round += 1) {
      expect(await ask('introspect', revoked.access)).toMatchObject(unavailable);
      expect(await ask('introspect', live.access)).toMatchObject(unavailable);
      expect(await ask('revoke', live.refresh)).toMatchObject(unavailable);
    }
    await expect.poll(readiness).toEqual([
      503,
      {
        status: 'unfit',
        problem: 'The database is a standby; set DATABASE_URL to the primary.',
      },
    ]);

    leadTo(server);
    await expect.poll(readiness).toEqual([200, { status: 'ready' }]);
    expect((await ask('introspect', revoked.access))?.body).toEqual({ active: false });
    expect((await ask('introspect', live.access))?.body.active).toBe(true);
    expect((await ask('revoke', live.refresh))?.status).toBe(200);
  }, 120_000);

  it('[outside 18] is refused at the start with one sentence', async () => {
    standby ??= await server.startStandby();
    const { code, stderr } = await runDateline(['serve'], {
      env: { DATABASE_URL: `${standby.url}/postgres`, DATELINE_DATA_DIR: '.data' },
    });
    expect(code).toBe(1);
    expect(stderr).toMatch(
      /^dateline: DATABASE_URL: the database at 127\.0\.0\.1:\d+\/postgres is a standby, which may lag behind and is read-only; name the primary\.$/m,
    );
  });
});
