import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import type { Database } from '../../src/storage/database.ts';
import { databaseOpener } from '../../src/storage/open-database.ts';
import { createPostgresListener } from '../../src/storage/postgres/listener.ts';
import { openPostgres } from '../../src/storage/postgres.ts';
import { statement } from '../../src/storage/statement.ts';
import { isNotThereYet, StorageUnavailableError, UndoneError } from '../../src/storage/storage-error.ts';
import { createPostgresDatabase, type PostgresDatabase } from '../support/database/postgres-database.ts';
import { freePort } from '../support/database/postgres-server.ts';
import { runSql } from '../support/database/shifted-database.ts';

const PING = statement('ping', 'select 1 as one');
/** Longer than a listener waits before it connects again. */
const RECONNECTED_MS = 1_500;
const BACKEND = statement('backend', 'select pg_backend_pid() as pid');

describe('PostgreSQL', () => {
  let server: PostgresDatabase;
  let database: Database;
  const errors: string[] = [];

  beforeAll(async () => {
    server = await createPostgresDatabase({ migrated: true });
    const onError = (error: Error): void => void errors.push(error.message);
    database = openPostgres({ schema: 'dateline_sandbox', url: server.url, poolMax: 2, onError });
  });
  afterAll(async () => {
    await database.close();
    await server.drop();
  });

  async function killBackends(): Promise<void> {
    const client = new pg.Client({ connectionString: server.url });
    await client.connect();
    await client.query(
      'select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()',
    );
    await client.end();
  }

  it('prepares a hot statement once per connection', async () => {
    const prepared = statement('prepared', 'select name from pg_prepared_statements');
    await database.transaction(async (session) => {
      await session.run(PING, []);
      await session.run(PING, []);
      const names = (await session.run<{ name: string }>(prepared, [])).map(({ name }) => name);
      expect(names.filter((name) => name === 'ping')).toHaveLength(1);
    });
  });

  it.each(['0099-12-31T23:59:59.999Z', '-000001-01-01T00:00:00.000Z', '+010000-01-01T00:00:00.000Z'])(
    'reads the far instant %s as it was written',
    async (instant) => {
      const echo = statement('echo_instant', 'select $1::timestamptz as at');
      expect(await database.run(echo, [new Date(instant)])).toEqual([{ at: new Date(instant) }]);
    },
  );

  it('throws "unavailable" when a connection is cut in a transaction, and works again at the next call', async () => {
    const cut = database.transaction(async (session) => {
      await session.run(BACKEND, []);
      await killBackends();
      await session.run(PING, []);
    });
    await expect(cut).rejects.toBeInstanceOf(StorageUnavailableError);
    expect(await database.run(PING, [])).toEqual([{ one: 1 }]);
  });

  it('keeps the connection of a transaction that found out what a failover has undone', async () => {
    const backends: unknown[] = [];
    const undone = database.transaction(async (session) => {
      backends.push(...(await session.run(BACKEND, [])));
      throw new UndoneError();
    });
    await expect(undone).rejects.toBeInstanceOf(UndoneError);
    expect(await database.run(BACKEND, [])).toEqual(backends);
  });

  it('listens again by itself after the listening connection was cut', async () => {
    const heard: string[] = [];
    await database.listen('again', (payload) => heard.push(payload));
    await killBackends();
    await expect
      .poll(
        async () => {
          await database.notify('again', 'hello');
          return heard.length;
        },
        { timeout: 20_000 },
      )
      .toBeGreaterThan(0);
    expect(errors.length).toBeGreaterThan(0);
  });

  it('delivers a notification once, also to a listener added while the connection was down', async () => {
    const heard: string[] = [];
    await database.listen('first', () => {});
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    await killBackends();
    // Until the end of the old connection is noticed, a new listener is refused.
    const listens = () =>
      database
        .listen('once', (payload) => heard.push(payload))
        .then(
          () => true,
          () => false,
        );
    await expect.poll(listens).toBe(true);
    const connections = statement(
      'connections',
      `select count(*) as count from pg_stat_activity where datname = current_database() and query like 'listen%'`,
    );
    // It is due to come back by itself: were there two listeners, both would be there by then.
    vi.advanceTimersByTime(RECONNECTED_MS);
    vi.useRealTimers();
    await expect.poll(() => database.run(connections, [])).toEqual([{ count: 1 }]);
    await database.notify('once', 'a');
    await database.notify('once', 'b');
    await expect.poll(() => heard.at(-1)).toBe('b');
    expect(heard).toEqual(['a', 'b']);
  });

  it('keeps one connection for listening when a dead one reports its end a second time', async () => {
    const clients: pg.Client[] = [];
    const heard: string[] = [];
    const listener = createPostgresListener({
      schema: 'dateline_sandbox',
      connect() {
        const client = new pg.Client({ connectionString: server.url });
        clients.push(client);
        return client;
      },
      onError() {},
    });
    await listener.listen('late', () => {});
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    clients[0]?.emit('error', new Error('terminated by the administrator'));
    await listener.listen('late', (payload) => heard.push(payload));
    clients[0]?.emit('error', new Error('terminated unexpectedly'));
    vi.advanceTimersByTime(RECONNECTED_MS);
    vi.useRealTimers();
    await database.notify('late', 'a');
    await database.notify('late', 'b');
    await expect.poll(() => heard.at(-1)).toBe('b');
    expect([clients.length, heard]).toEqual([2, ['a', 'b']]);
    await listener.close();
  });

  it('gives migrations unlimited time, and other statements 15 seconds', async () => {
    const limit = statement('limit', 'show statement_timeout');
    expect(await database.run(limit, [])).toEqual([{ statement_timeout: '15s' }]);
    expect(await database.migration((session) => session.run(limit, []))).toEqual([
      { statement_timeout: '0' },
    ]);
  });

  it.each([
    ['off', 'on'],
    ['local', 'on'],
    ['remote_write', 'on'],
    ['on', 'on'],
    ['remote_apply', 'remote_apply'],
  ])(
    '[outside2 11] turns the default synchronous_commit %s into %s: at least on, and never less',
    async (set, shown) => {
      await runSql(
        server.adminUrl,
        `alter database ${new URL(server.adminUrl).pathname.slice(1)} set synchronous_commit = ${set}`,
      );
      const opened = openPostgres({
        schema: 'dateline_sandbox',
        url: server.adminUrl,
        poolMax: 1,
        onError() {},
      });
      const SHOWN = statement('shown', 'show synchronous_commit');
      expect(await opened.run(SHOWN, [])).toEqual([{ synchronous_commit: shown }]);
      await opened.close();
    },
  );

  it('takes a statement that locks rows for a write, which commits and may wait for a standby: reads keep their connections', async () => {
    const locking = statement('locking', 'select 1 as one from {schema}.organizations for no key update');
    const { locked, use } = await database.transaction(async () => {
      const locked = database.run(locking, []);
      await database.run(PING, []);
      return { locked, use: database.poolUse() };
    });
    expect([use.waiting, await locked]).toEqual([1, []]);
  });

  it('counts connections in use, idle and waited for', async () => {
    const use = await database.transaction(async () => {
      await database.run(PING, []);
      return database.poolUse();
    });
    expect(use).toEqual({ total: 2, idle: 1, waiting: 0 });
  });

  it('rejects an address where nothing answers with a sentence that names the setting and no password', async () => {
    const databaseUrl = `postgres://me:hunter2@127.0.0.1:${await freePort()}/tokens`;
    const open = databaseOpener({ databaseUrl, dataDir: '.', poolMax: 1, onError() {} });
    const opening = open('sandbox');
    await expect(opening).rejects.toThrow(
      /^DATABASE_URL: no database answers at 127\.0\.0\.1:\d+\/tokens \(.*ECONNREFUSED/,
    );
    await expect(opening).rejects.not.toThrow(/hunter2/);
  });

  it('[outside2 16] rejects a wrong password or database with a sentence of its own', async () => {
    const url = new URL(server.url);
    url.pathname = '/no_such_database';
    // The server looks at the password first.
    for (const password of [url.password, 'hunter2']) {
      url.password = password;
      const open = databaseOpener({ databaseUrl: url.toString(), dataDir: '.', poolMax: 1, onError() {} });
      const opening = open('sandbox');
      await expect(opening).rejects.toThrow(
        /^DATABASE_URL: the database at 127\.0\.0\.1:\d+\/no_such_database refuses \(.*\); correct the address/,
      );
      await expect(opening).rejects.not.toThrow(/hunter2/);
      expect(isNotThereYet(await opening.catch((error) => error))).toBe(false);
    }
  });
});
