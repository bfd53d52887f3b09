import { randomBytes } from 'node:crypto';
import { expect, it } from 'vitest';
import type { Session } from '../../src/storage/database.ts';
import { statement } from '../../src/storage/statement.ts';
import { isUniqueViolation } from '../../src/storage/storage-error.ts';
import { onBothDatabases } from '../support/database/databases.ts';
import { useTestEnvironments } from '../support/service/test-environment.ts';

interface Tables {
  organizations: { id: string; name: string; created_at: Date };
}

const insert = (session: Session, id: string, name = 'x') =>
  session
    .tables<Tables>()
    .insertInto('organizations')
    .values({ id, name, created_at: new Date(0) })
    .execute();
const count = async (session: Session, id: string): Promise<number> =>
  (await session.tables<Tables>().selectFrom('organizations').select('id').where('id', '=', id).execute())
    .length;

onBothDatabases('the database', (engine) => {
  const environments = useTestEnvironments(engine);

  it('returns parameters as they were, never as SQL', async () => {
    const { database } = environments.sandbox;
    const hostile = `x'; drop table organizations; -- \\ " \u2028 é 💶`;
    await insert(database, 'hostile', hostile);
    const rows = await database
      .tables<Tables>()
      .selectFrom('organizations')
      .select('name')
      .where('id', '=', 'hostile')
      .execute();
    expect(rows).toEqual([{ name: hostile }]);
  });

  it('reads every type we store the same way on both engines', async () => {
    const { database } = environments.sandbox;
    const digest = randomBytes(32);
    const types = statement(
      'types',
      `select $1::bigint as big, $2::timestamptz as at, $3::bytea as digest, $4::text[] as list, $5::jsonb as json,
              $6::boolean as flag, null::text as nothing, $3::bytea = any($7::bytea[]) as found, count(*) as counted
       from {schema}.organizations`,
    );
    const at = new Date('2026-11-15T12:00:00.123Z');
    const list = ['a', 'b,"c', '{}', ''];
    const parameters = [
      '9007199254740991',
      at,
      digest,
      list,
      JSON.stringify([{ a: 1 }]),
      true,
      [randomBytes(32), digest],
    ];
    const [row] = await database.run<Record<string, unknown>>(types, parameters);
    expect(row).toMatchObject({
      big: 9007199254740991,
      at,
      list,
      json: [{ a: 1 }],
      flag: true,
      nothing: null,
      found: true,
    });
    expect(typeof row?.counted).toBe('number');
    expect(Buffer.from(row?.digest as Uint8Array).equals(digest)).toBe(true);
  });

  it.each([
    [[]],
    [['one']],
    [['products:read', 'https://api.example.com/?a=b&c=(d)', 'ünï']],
    [['', 'a b', 'a,b']],
    [['a', null, 'NULLABLE']],
    [['NULL', 'null', null]],
    [['{', '}', '{a}', '\\', '"', "'"]],
    [
      [
        ['a', 'b'],
        ['c', 'd'],
      ],
    ],
  ])('reads the list %j as it was written', async (list) => {
    const echo = statement('echo', 'select $1::text[] as list');
    expect(await environments.sandbox.database.run(echo, [list])).toEqual([{ list }]);
  });

  it.each([
    '2026-11-15T12:34:56.789Z',
    '2026-11-15T12:34:56.7Z',
    '2026-11-15T12:34:56Z',
    '2024-02-29T23:59:59.999Z',
    '1969-12-31T23:59:59.001Z',
    '9999-12-31T23:59:59.999Z',
  ])('reads the instant %s as it was written, whatever the time zone', async (instant) => {
    const zone = statement('zone', "select set_config('timezone', $1, true)");
    const echo = statement('echo_instant', 'select $1::timestamptz as at');
    const at = new Date(instant);
    await environments.sandbox.database.transaction(async (session) => {
      for (const name of ['UTC', 'Asia/Kolkata', 'America/New_York']) {
        await session.run(zone, [name]);
        expect(await session.run(echo, [at])).toEqual([{ at }]);
      }
    });
  });

  it('truncates times to a millisecond', async () => {
    const fine = statement('fine', "select '2026-11-15 12:34:56.789999+00'::timestamptz as at");
    const [row] = await environments.sandbox.database.run<{ at: Date }>(fine, []);
    expect(row?.at).toEqual(new Date('2026-11-15T12:34:56.789Z'));
  });

  it('runs a hot statement many times, also concurrently', async () => {
    const { database } = environments.sandbox;
    const double = statement('double', 'select $1::integer * 2 as doubled');
    const rows = await Promise.all(Array.from({ length: 50 }, (_, index) => database.run(double, [index])));
    expect(rows.flat()).toEqual(Array.from({ length: 50 }, (_, index) => ({ doubled: index * 2 })));
  });

  it('commits a transaction as a whole', async () => {
    const { database } = environments.sandbox;
    await database.transaction(async (session) => {
      await insert(session, 'whole-1');
      await insert(session, 'whole-2');
    });
    expect([await count(database, 'whole-1'), await count(database, 'whole-2')]).toEqual([1, 1]);
  });

  it('rolls back a transaction whose work throws, and rethrows the error', async () => {
    const { database } = environments.sandbox;
    const error = new Error('changed my mind');
    const failing = database.transaction(async (session) => {
      await insert(session, 'thrown');
      throw error;
    });
    await expect(failing).rejects.toBe(error);
    expect(await count(database, 'thrown')).toBe(0);
  });

  it('does not report a commit that PostgreSQL turned into a rollback', async () => {
    const { database } = environments.sandbox;
    await insert(database, 'taken');
    const swallowing = database.transaction(async (session) => {
      await insert(session, 'lost');
      await insert(session, 'taken').catch(() => {});
    });
    await expect(swallowing).rejects.toThrow('nothing of it is stored');
    expect(await count(database, 'lost')).toBe(0);
  });

  it('keeps working after a failed transaction', async () => {
    const { database } = environments.sandbox;
    await insert(database, 'twice');
    const failure = await insert(database, 'twice').catch((error: unknown) => error);
    expect(isUniqueViolation(failure)).toBe(true);
    expect(await count(database, 'twice')).toBe(1);
  });

  it('delivers notifications to listeners of the same environment only, after commit only', async () => {
    const { production, sandbox } = environments;
    const heard: string[] = [];
    let wake: () => void = () => {};
    const awake = new Promise<void>((resolve) => {
      wake = resolve;
    });
    const stopSandbox = await sandbox.database.listen('news', (payload) => {
      heard.push(`sandbox ${payload}`);
      if (payload === 'last') wake();
    });
    const stopProduction = await production.database.listen('news', (payload) =>
      heard.push(`production ${payload}`),
    );
    await sandbox.database
      .transaction(async (session) => {
        await session.notify('news', 'rolled back');
        throw new Error('no');
      })
      .catch(() => {});
    await sandbox.database.transaction((session) => session.notify('news', 'committed'));
    await sandbox.database.notify('news', 'last');
    await awake;
    expect(heard).toEqual(['sandbox committed', 'sandbox last']);
    await stopSandbox();
    await stopProduction();
  });

  it('wakes listeners after the commit of a transaction that signals, and not after a rollback', async () => {
    const { sandbox } = environments;
    const heard: string[] = [];
    const listen = (channel: string) => sandbox.database.listen(channel, () => heard.push(channel));
    const stops = [await listen('rolled_back'), await listen('committed')];
    const undone = sandbox.transaction(async ({ signal }) => {
      signal('rolled_back');
      throw new Error('no');
    });
    await expect(undone).rejects.toThrow('no');
    await sandbox.transaction(async ({ signal }) => signal('committed'));
    await expect.poll(() => heard).toEqual(['committed']);
    for (const stop of stops) await stop();
  });

  it('keeps environments apart: rows of one are not visible in the other', async () => {
    const { production, sandbox } = environments;
    await insert(sandbox.database, 'sandbox-only');
    expect(await count(sandbox.database, 'sandbox-only')).toBe(1);
    expect(await count(production.database, 'sandbox-only')).toBe(0);
  });

  it('finds no table by its bare name: nothing can rely on the search path', async () => {
    const bare = statement('bare', 'select 1 from organizations');
    await expect(environments.sandbox.database.run(bare, [])).rejects.toMatchObject({ code: '42P01' });
    await expect(
      environments.sandbox.database.transaction((session) => session.run(bare, [])),
    ).rejects.toMatchObject({
      code: '42P01',
    });
  });

  it('acknowledges a write only when it is on disk (synchronous_commit)', async () => {
    const shown = statement('shown', 'show synchronous_commit');
    expect(await environments.sandbox.database.run(shown, [])).toEqual([{ synchronous_commit: 'on' }]);
  });

  it('admits one holder of a lock at a time', async () => {
    const { database } = environments.sandbox;
    const order: string[] = [];
    const hold = (name: string) =>
      database.transaction(async (session) => {
        await session.lock('one at a time');
        order.push(`${name} in`);
        // Time enough for the other one to enter, if it could.
        for (let turn = 0; turn < 20; turn += 1) await session.run(statement('turn', 'select 1'), []);
        order.push(`${name} out`);
      });
    await Promise.all([hold('a'), hold('b')]);
    expect(order[0]?.replace('in', 'out')).toBe(order[1]);
    expect(order[2]?.replace('in', 'out')).toBe(order[3]);
  });

  it('refuses Kysely’s own transactions, which would bypass ours', async () => {
    const attempt = environments.sandbox.database
      .tables<Tables>()
      .transaction()
      .execute(async () => {});
    await expect(attempt).rejects.toThrow('use Database.transaction');
  });
});
