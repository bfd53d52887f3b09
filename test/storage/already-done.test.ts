import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { grantToUser } from '../../src/oauth/grants/grants.ts';
import { openPostgres } from '../../src/storage/postgres.ts';
import { statement } from '../../src/storage/statement.ts';
import { StorageUnavailableError } from '../../src/storage/storage-error.ts';
import { newProduct } from '../support/contracts/products.ts';
import { databasesAt } from '../support/database/databases.ts';
import {
  type DedicatedPostgresServer,
  type Follower,
  startDedicatedPostgresServer,
} from '../support/database/postgres-server.ts';
import { startTcpProxy, type TcpProxy } from '../support/database/tcp-proxy.ts';
import { authorization } from '../support/oauth/authorization.ts';
import { current, next } from '../support/service/build-versions.ts';
import { createCaller, serviceEnvironment } from '../support/service/service-environment.ts';
import { type RunningTestService, startTestServiceOn } from '../support/service/test-service.ts';

type Caller = Awaited<ReturnType<typeof createCaller>>;
type Act = () => Promise<{ status: number }>;

/** What somebody asks for, and how it is answered once it was done before. */
interface Repeated {
  title: string;
  prepare(caller: Caller): Promise<Act>;
  answer: number;
}

const MESSAGE = "select pg_logical_emit_message(true, 'dateline', '')";

describe('what was done before, on a primary that waits for its standby', () => {
  let primary: DedicatedPostgresServer;
  let standby: Follower;
  /** From the standby to the primary. */
  let link: TcpProxy;
  /** From the service to its database. */
  let way: TcpProxy;
  let service: RunningTestService;
  let promoted: DedicatedPostgresServer | undefined;
  let watcher: pg.Client;
  beforeAll(async () => {
    primary = await startDedicatedPostgresServer();
    link = await startTcpProxy(primary.url);
    way = await startTcpProxy(`${primary.url}/postgres`);
    service = await startTestServiceOn(databasesAt(way.url));
    // The first use of a key is written down, which would be what waits.
    expect((await service.operate('sandbox', '/operator/users')).status).toBe(200);
    standby = await primary.startFollower(link.url);
    watcher = new pg.Client({ connectionString: `${primary.url}/postgres` });
    await watcher.connect();
  });
  afterAll(async () => {
    await link?.resume();
    await watcher?.end();
    await service?.stop();
    await way?.close();
    await link?.close();
    await (promoted ?? standby)?.stop();
    await primary?.stop();
  });

  const call = (path: string, init: RequestInit) => service.call('sandbox', path, init);
  const post = (
    path: string,
    body: Readonly<Record<string, unknown>>,
    headers: Record<string, string> = {},
  ) =>
    call(path, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'service-version': next, ...headers },
      body: JSON.stringify(body),
    });
  const form = (path: string, fields: Readonly<Record<string, string>>) =>
    call(path, { method: 'POST', body: new URLSearchParams(fields) });
  const revoke = ({ credentials }: Caller, token: string) =>
    form('/v1/oauth2/revoke', { ...credentials, token });
  const bearer = (token: { tokenValue: string }) => ({ authorization: `Bearer ${token.tokenValue}` });
  const grantOf = async ({ client, user, organization }: Caller) =>
    grantToUser(await serviceEnvironment(service), {
      client,
      userId: user.id,
      organizationIds: [organization.id],
      scopes: client.scopes,
    });

  /** Ends every wait for the standby until the answer is there: the commit is done here, and nowhere else. */
  async function whileCancelling(answer: ReturnType<Act>): Promise<number> {
    let status: number | undefined;
    void answer.then((answered) => {
      status = answered.status;
    });
    while (status === undefined)
      await watcher.query("select pg_cancel_backend(pid) from pg_stat_activity where wait_event = 'SyncRep'");
    return status;
  }

  const acts: readonly Repeated[] = [
    {
      title: 'a revoked access token',
      prepare: async (caller) => () => revoke(caller, caller.access.tokenValue),
      answer: 200,
    },
    {
      title: 'a revoked refresh token',
      prepare: async (caller) => () => revoke(caller, caller.refresh.tokenValue),
      answer: 200,
    },
    {
      title: 'a token of a grant that was revoked',
      async prepare(caller) {
        const tokens = [caller.refresh, caller.access];
        return () => revoke(caller, (tokens.shift() ?? caller.access).tokenValue);
      },
      answer: 200,
    },
    {
      title: 'the rest of a revocation in bulk',
      async prepare(caller) {
        const { grant, user, credentials } = caller;
        await grantOf(caller);
        return () => post('/v1/oauth2/revocations', { ...credentials, subject: user.id, cursor: grant.id });
      },
      answer: 200,
    },
    {
      title: 'a create with a key',
      prepare:
        async ({ access, user }) =>
        () =>
          post('/v1/products/', newProduct, { ...bearer(access), 'idempotency-key': user.id }),
      answer: 201,
    },
    {
      title: 'an exchanged refresh token',
      prepare:
        async ({ credentials, refresh }) =>
        () =>
          form('/v1/oauth2/token', {
            ...credentials,
            grant_type: 'refresh_token',
            refresh_token: refresh.tokenValue,
          }),
      answer: 200,
    },
    {
      title: 'a reported leak',
      prepare:
        async ({ access }) =>
        () =>
          post('/v1/oauth2/report-leak', { token: access.tokenValue }),
      answer: 200,
    },
    {
      title: 'a grant that its user ended',
      async prepare(caller) {
        const { id } = await grantOf(caller);
        const headers = { ...bearer(caller.access), 'service-version': current };
        return () => call(`/v1/oauth2/grants/${id}`, { method: 'DELETE', headers });
      },
      answer: 404,
    },
    {
      title: 'a sign-out',
      async prepare({ user }) {
        const browser = await authorization(service).signedIn(user.email);
        const page = await browser.visit('/account/grants');
        return () => browser.submit(page, '/account/sign-out');
      },
      answer: 200,
    },
    {
      title: 'a token that an operator ended',
      prepare:
        async ({ access }) =>
        () =>
          service.operate('sandbox', `/operator/tokens/${access.token.id}/revoke`, {
            method: 'POST',
            body: {},
          }),
      answer: 404,
    },
    {
      title: 'a grant that an operator ended',
      prepare:
        async ({ grant }) =>
        () =>
          service.operate('sandbox', `/operator/grants/${grant.id}/revoke`, { method: 'POST', body: {} }),
      answer: 404,
    },
  ];

  it.each(acts)(
    '[outside2 11] $title is acknowledged only after a commit of its own that the standby has',
    async ({ prepare, answer }) => {
      const act = await prepare(await createCaller(service));
      onTestFinished(() => link.resume());
      link.hold('toClient');
      expect(await whileCancelling(act())).toBe(503);
      expect(await whileCancelling(act())).toBe(503);
      await link.resume();
      expect((await act()).status).toBe(answer);
    },
  );

  it('[outside2 11] a transaction that only looks like a change is over only when the standby has all that it saw', async () => {
    const given = { schema: 'dateline_sandbox', url: `${primary.url}/postgres`, poolMax: 2 };
    const database = openPostgres({ ...given, onError() {} });
    onTestFinished(() => database.close());
    onTestFinished(() => link.resume());
    // What a delete does whose row is gone when it has waited for its lock: it has an id of its own then, and writes nothing.
    const looked = statement('looked', 'select pg_current_xact_id()::text as id');
    link.hold('toClient');
    const looking = database
      .transaction((session) => session.run(looked, []))
      .then(
        () => 200,
        (error) => (error instanceof StorageUnavailableError ? 503 : 500),
      );
    expect(await whileCancelling(looking.then((status) => ({ status })))).toBe(503);
  });

  it('commits that are given up leave no more processes behind than a pool has places for writes, and leave reads theirs', async () => {
    const name = 'given_up';
    const WAITING = `select pid from pg_stat_activity where wait_event = 'SyncRep' and datname = '${name}'`;
    await watcher.query(`create database ${name}`);
    const poolMax = 4;
    const given = { schema: 'dateline_sandbox', url: `${primary.url}/${name}`, poolMax };
    // So that all of them would have a turn while they wait for a place.
    const database = openPostgres({ ...given, statementMs: 200, onError() {} });
    onTestFinished(() => database.close());
    onTestFinished(() => link.resume());
    const inTransaction = () =>
      database.transaction((session) => session.run(statement('message', MESSAGE), []));
    const alone = () => database.run(statement('message', MESSAGE), []);

    link.hold('toClient');
    const writes = Array.from({ length: 12 }, (_, number) => (number % 2 ? inTransaction : alone)());
    const refused = await Promise.allSettled(writes);
    expect(refused.map((one) => one.status === 'rejected' && one.reason)).toEqual(
      writes.map(() => expect.any(StorageUnavailableError)),
    );
    expect((await watcher.query(WAITING)).rowCount).toBe(poolMax - 1);
    expect(await database.run(statement('ping', 'select 1 as one'), [])).toEqual([{ one: 1 }]);

    await link.resume();
    await expect.poll(async () => (await watcher.query(WAITING)).rowCount).toBe(0);
    await Promise.all([inTransaction(), alone(), inTransaction(), alone()]);
  });

  it('[outside2 11] a revocation that was answered is one of the standby too, and after a failover', async () => {
    const [known, unheard] = [await createCaller(service), await createCaller(service)];
    const isActive = async ({ credentials, access }: Caller) =>
      (await (await form('/v1/oauth2/introspect', { ...credentials, token: access.tokenValue })).json())
        .active;
    expect((await revoke(known, known.access.tokenValue)).status).toBe(200);
    link.hold('toClient');
    expect(await whileCancelling(revoke(unheard, unheard.access.tokenValue))).toBe(503);
    expect([await isActive(known), await isActive(unheard)]).toEqual([false, false]);

    promoted = await standby.promote();
    way.retarget(`${promoted.url}/postgres`);
    way.cut();
    await expect.poll(() => isActive(unheard)).toBe(true);
    expect(await isActive(known)).toBe(false);
  });
});
