import pg from 'pg';
import { afterEach, beforeEach, describe, expect, inject, it } from 'vitest';
import { startTcpProxy, type TcpProxy } from '../support/database/tcp-proxy.ts';

describe('the TCP proxy of the tests', () => {
  let proxy: TcpProxy;
  const clients: pg.Client[] = [];
  beforeEach(async () => {
    proxy = await startTcpProxy(`${inject('postgresUrl')}/postgres`);
  });
  afterEach(async () => {
    await proxy.close();
    for (const client of clients.splice(0)) void client.end();
  });

  const connectedDirectly = (): Promise<pg.Client> => connected(`${inject('postgresUrl')}/postgres`);
  async function connected(connectionString = proxy.url): Promise<pg.Client> {
    const client = new pg.Client({ connectionString, connectionTimeoutMillis: 1_000 });
    client.on('error', () => {});
    clients.push(client);
    await client.connect();
    return client;
  }
  const one = async (client: pg.Client): Promise<unknown> => (await client.query('select 1 as one')).rows[0];
  /** Whether it has an answer after this statement has gone there and back on another connection. */
  async function isAnswered(asked: Promise<unknown>, meanwhile: pg.Client): Promise<boolean> {
    let answered = false;
    asked.then(
      () => {
        answered = true;
      },
      () => {},
    );
    await meanwhile.query('select pg_sleep(0.05)');
    return answered;
  }

  it('passes bytes on, late where it is asked to, and in their order', async () => {
    const direct = await connectedDirectly();
    const client = await connected();
    proxy.delay({ toServer: 500, toClient: 500 });
    const asked = one(client);
    expect(await isAnswered(asked, direct)).toBe(false);
    expect(await asked).toEqual({ one: 1 });
    proxy.delay({ toServer: 5, toClient: 5 });
    const long = 'x'.repeat(300_000);
    expect((await client.query('select $1::text as long', [long])).rows).toEqual([{ long }]);
    expect(proxy.connections()).toBe(1);
  });

  it('holds answers back until it is resumed', async () => {
    const direct = await connectedDirectly();
    const client = await connected();
    proxy.hold('toClient');
    const asked = one(client);
    expect(await isAnswered(asked, direct)).toBe(false);
    await proxy.resume();
    expect(await asked).toEqual({ one: 1 });

    const other = await connected();
    proxy.holdCommitAfter('pg_advisory');
    await client.query('begin');
    await client.query('select pg_advisory_xact_lock(1)');
    const committed = client.query('commit');
    expect(await isAnswered(committed, direct)).toBe(false);
    await other.query('begin');
    await other.query('commit');
    await proxy.resume();
    await committed;
  });

  it('loses what half-open connections carry, and lets new ones work', async () => {
    const client = await connected();
    proxy.halfOpen();
    const asked = one(client);
    asked.catch(() => {});
    const next = await connected();
    expect(await isAnswered(asked, next)).toBe(false);
    expect(await one(next)).toEqual({ one: 1 });
  });

  it('lets new connections hang in a black hole, refuses them where it is asked to, and comes back', async () => {
    proxy.blackhole();
    await expect(connected()).rejects.toThrow(/timeout/);
    await proxy.refuse();
    await expect(connected()).rejects.toThrow(/ECONNREFUSED/);
    await proxy.resume();
    expect(await one(await connected())).toEqual({ one: 1 });
  });

  it('cuts connections', async () => {
    const client = await connected();
    const asked = client.query('select pg_sleep(10)');
    proxy.cut();
    await expect(asked).rejects.toThrow();
    expect(proxy.connections()).toBe(0);
  });
});
