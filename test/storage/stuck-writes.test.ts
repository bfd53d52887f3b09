import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openPostgres } from '../../src/storage/postgres.ts';
import { statement } from '../../src/storage/statement.ts';
import { StorageUnavailableError } from '../../src/storage/storage-error.ts';
import { createPostgresDatabase } from '../support/database/postgres-database.ts';
import {
  type DedicatedPostgresServer,
  startDedicatedPostgresServer,
} from '../support/database/postgres-server.ts';
import { runSql } from '../support/database/shifted-database.ts';
import { startTcpProxy } from '../support/database/tcp-proxy.ts';
import {
  createOAuthNodes,
  type FormAnswer,
  type OAuthNodes,
  postForm,
} from '../support/oauth/oauth-nodes.ts';
import { describeInLongRuns, itInLongRuns } from '../support/run/in-long-runs.ts';
import { printFigures } from '../support/run/print-figures.ts';

const PING = statement('ping', 'select 1 as one');

describeInLongRuns('commits that wait for a standby', () => {
  let server: DedicatedPostgresServer;
  let nodes: OAuthNodes;
  beforeAll(async () => {
    server = await startDedicatedPostgresServer();
    nodes = await createOAuthNodes(`${server.url}/postgres`);
  }, 120_000);
  afterAll(async () => {
    await setStandbys('');
    await nodes?.close();
    await server?.stop();
  });

  /** Commits wait for the answer of the standbys that are named. */
  async function setStandbys(names: string): Promise<void> {
    await runSql(`${server.url}/postgres`, `alter system set synchronous_standby_names = '${names}'`);
    await runSql(`${server.url}/postgres`, 'select pg_reload_conf()');
  }

  it('[outside 17] do not keep tokens from being read: introspections are answered while every write is stuck', async () => {
    const living = await nodes.newFamily();
    const introspect = (token: string) =>
      postForm(nodes.first.url, 'introspect', { ...nodes.credentials, token });
    const getToken = () =>
      postForm(nodes.first.url, 'token', { ...nodes.credentials, grant_type: 'client_credentials' });
    expect((await getToken())?.status).toBe(200);

    await setStandbys('nobody');
    const written: (FormAnswer | null)[] = [];
    const writes = Array.from({ length: 24 }, async () => written.push(await getToken()));
    const reads: (FormAnswer | null)[] = [];
    // More rounds than connections: were reads behind the writes, one of these would wait for them.
    for (let round = 0; round < 10; round += 1)
      reads.push(...(await Promise.all(Array.from({ length: 20 }, () => introspect(living.access)))));
    const good = reads.filter((answer) => answer?.status === 200 && answer.body.active).length;
    printFigures(
      `24 writes stuck, ${written.length} of them answered; ${good} of ${reads.length} reads answered`,
    );
    expect(good).toBe(reads.length);
    expect(written.filter((answer) => answer?.status === 200)).toEqual([]);

    await setStandbys('');
    await Promise.all(writes);
    // One that had no turn in time was refused; all others have happened.
    expect(written.filter((answer) => answer?.status !== 200 && answer?.status !== 503)).toEqual([]);
    expect((await getToken())?.status).toBe(200);
  }, 120_000);
});

describe('a connection without an answer', () => {
  itInLongRuns(
    '[outside 17] is closed, not asked to roll back: what waits for a connection does not wait for that',
    async () => {
      const { url, drop } = await createPostgresDatabase({ migrated: true });
      const proxy = await startTcpProxy(url);
      const database = openPostgres({
        schema: 'dateline_sandbox',
        url: proxy.url,
        poolMax: 1,
        // So that a second one as long, a rollback, would outlast what others wait for a connection.
        statementMs: 4_500,
        onError() {},
      });
      let next: Promise<unknown> | undefined;
      const stuck = database.transaction(async (session) => {
        await session.run(PING, []);
        proxy.halfOpen();
        try {
          await session.run(PING, []);
        } finally {
          next = database.run(PING, []);
        }
      });
      await expect(stuck).rejects.toBeInstanceOf(StorageUnavailableError);
      expect(await next).toEqual([{ one: 1 }]);

      // Where the server has answered, the connection is kept.
      const refused = database.transaction((session) => session.run(statement('wrong', 'select 1/0'), []));
      await expect(refused).rejects.toThrow('division by zero');
      expect([proxy.seen('begin'), proxy.seen('rollback'), proxy.connections()]).toEqual([2, 1, 1]);
      await database.close();
      await proxy.close();
      await drop();
    },
  );
});
