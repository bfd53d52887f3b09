import { afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import type { Context, Environment } from '../../src/environments/environment.ts';
import { ApiError } from '../../src/errors/api-error.ts';
import { createOrganization, organizationsOf } from '../../src/identity/organizations.ts';
import type { Database, Parameters } from '../../src/storage/database.ts';
import type { Statement } from '../../src/storage/statement.ts';
import { StorageUnavailableError } from '../../src/storage/storage-error.ts';
import { environmentOn } from '../support/service/environment-on.ts';
import { useTestEnvironments } from '../support/service/test-environment.ts';
import { writtenReader } from '../support/service/written-reader.ts';

const freely = { endsNoAccess: true };
const nothing = async () => 'done';

describe('readers of a standby and transactions', () => {
  const environments = useTestEnvironments('PostgreSQL');
  let database: WatchedDatabase;
  let environment: Environment;
  let reader: ReturnType<typeof readerAt>;
  beforeAll(() => {
    const { name, issuer, clock } = environments.sandbox;
    database = watched(environments.sandbox.database);
    environment = environmentOn({ name, issuer, clock, database });
    reader = readerAt('postgres://standby');
  });
  // A wait ends by the reader, however slow the machine is, and not by the time.
  beforeEach(() => void vi.useFakeTimers({ toFake: ['performance'] }));
  afterEach(() => {
    vi.useRealTimers();
    return reader.leave();
  });

  const readerAt = (standby: string) =>
    writtenReader(async () => environments.sandbox.database, {
      standby,
      waits: () => environment.untilReadersSee.counts.waits,
    });

  /** What a transaction throws. */
  async function thrownBy(thrown: Error, options = {}): Promise<unknown> {
    const work = environment.transaction(async () => {
      throw thrown;
    }, options);
    return work.then(
      () => {
        throw new Error('the transaction has not thrown');
      },
      (error: unknown) => error,
    );
  }

  it('are waited for after the commit, which others see meanwhile', async () => {
    await reader.renew();
    const ids: Awaited<ReturnType<typeof createOrganization>>['id'][] = [];
    const work = async (context: Context) =>
      void ids.push((await createOrganization(context, { name: 'Committed' })).id);
    const [working] = await reader.begun(() => environment.transaction(work));
    expect(await organizationsOf(environments.sandbox, ids)).toMatchObject([{ name: 'Committed' }]);
    await reader.show();
    await working;
  });

  it('are not waited for by a transaction that says it ends no access', async () => {
    expect(await reader.notHeldBack(() => environment.transaction(nothing, freely))).toBe('done');
  });

  it('are waited for by a transaction where one of the two, it or one inside it, does not say so', async () => {
    const around = (inner: object, outer: object) => () =>
      environment.transaction((context) => context.transaction(nothing, inner), outer);
    expect(await reader.heldBack(around({}, freely))).toBe('done');
    expect(await reader.heldBack(around(freely, {}))).toBe('done');
    expect(await reader.notHeldBack(around(freely, freely))).toBe('done');
  });

  it('are waited for by a transaction that changes nothing, since it may have found an access ended', async () => {
    await reader.heldBack(() => environment.transaction(nothing));
  });

  it('are waited for by a refusal, since it may rest on an end of access', async () => {
    const refusal = new ApiError('not_found');
    expect(await reader.heldBack(() => thrownBy(refusal))).toBe(refusal);
    expect(await reader.notHeldBack(() => thrownBy(refusal, freely))).toBe(refusal);
  });

  it('are not waited for where the database could not be asked', async () => {
    const trouble = new StorageUnavailableError('no memory');
    expect(await reader.notHeldBack(() => thrownBy(trouble))).toBe(trouble);
  });

  it('are waited for until they have shown a later renewal than was read, and not that one', async () => {
    await reader.renew();
    let isOver = false;
    const [working] = await reader.begun(() =>
      environment.transaction(nothing).then(() => {
        isOver = true;
      }),
    );
    await reader.show(0);
    const looks = database.asked('read_standby_leases');
    while (!isOver && database.asked('read_standby_leases') < looks + 2) await reader.hasRow();
    expect(isOver).toBe(false);
    await reader.show(1);
    await working;
  });

  it('are read anew for whoever comes while they are read, and once for all who come then', async () => {
    const { untilReadersSee } = environment;
    const reads = () => database.asked('read_standby_leases');
    const before = reads();
    const first = database.holdBack('read_standby_leases');
    const early = untilReadersSee();
    await first.answered;
    // Those rows do not show this reader.
    await reader.renew();
    const second = database.holdBack('read_standby_leases');
    let isOver = false;
    const late = Promise.all([untilReadersSee(), untilReadersSee()]).finally(() => {
      isOver = true;
    });
    first.letGo();
    await early;
    await second.answered;
    expect([isOver, reads()]).toEqual([false, before + 2]);
    second.letGo();
    while (!isOver && reads() < before + 4) await reader.hasRow();
    expect(isOver).toBe(false);
    await reader.show();
    await late;
  });

  it('are waited for no longer than two seconds; the row of one that was not renewed meanwhile is deleted', async () => {
    const renewed = readerAt('postgres://renewed');
    await reader.renew();
    await renewed.renew();
    const { counts } = environment.untilReadersSee;
    const before = counts.timedOut;
    let isOver = false;
    const [working] = await reader.begun(() =>
      environment.transaction(nothing).then(() => {
        isOver = true;
      }),
    );
    await renewed.renew();
    vi.advanceTimersByTime(1_999);
    const looks = database.asked('read_standby_leases');
    while (!isOver && database.asked('read_standby_leases') < looks + 2) await reader.hasRow();
    expect([isOver, await reader.hasRow()]).toEqual([false, true]);
    vi.advanceTimersByTime(1);
    await working;
    expect(counts.timedOut).toBe(before + 1);
    expect(await database.ended('delete_unrenewed_lease')).toBe(2);
    expect([await reader.hasRow(), await renewed.hasRow()]).toEqual([false, true]);
    await renewed.leave();
    // Nobody waits for what is gone.
    const waits = counts.waits;
    await environment.transaction(nothing);
    expect(counts.waits).toBe(waits);
  });
});

interface WatchedDatabase extends Database {
  /** How often a statement was asked, so far. */
  asked(name: string): number;
  /** When all statements of this name have been answered: how many. */
  ended(name: string): Promise<number>;
  /** Keeps the next answer to a statement of this name, which the server has given then. */
  holdBack(name: string): { answered: Promise<void>; letGo(): void };
}

/** A database that tells of the statements outside of transactions. */
function watched(database: Database): WatchedDatabase {
  const running = new Map<string, Promise<unknown>[]>();
  const held = new Map<string, { answered(): void; untilLetGo: Promise<void> }>();

  async function run<Row>(hot: Statement, parameters: Parameters): Promise<Row[]> {
    const hold = held.get(hot.name);
    held.delete(hot.name);
    const answering = database.run<Row>(hot, parameters);
    running.set(hot.name, [...(running.get(hot.name) ?? []), answering]);
    const rows = await answering;
    hold?.answered();
    await hold?.untilLetGo;
    return rows;
  }

  return {
    ...database,
    run,
    asked: (name) => running.get(name)?.length ?? 0,
    ended: async (name) => (await Promise.all(running.get(name) ?? [])).length,
    holdBack(name) {
      const [answer, gate] = [createGate(), createGate()];
      held.set(name, { answered: answer.open, untilLetGo: gate.isOpen });
      return { answered: answer.isOpen, letGo: gate.open };
    },
  };
}

function createGate() {
  let open = (): void => {};
  const isOpen = new Promise<void>((resolve) => {
    open = resolve;
  });
  return { isOpen, open };
}
