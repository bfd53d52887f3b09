import { setFlagsFromString } from 'node:v8';
import { PGlite, type PGliteInterface, type Transaction, types } from '@electric-sql/pglite';
import type { Database, Session } from './database.ts';
import { channelName, createSession, inOneSession, type OnFailure, withClassifiedErrors } from './session.ts';
import { createStatementTexts, statement, withSchema } from './statement.ts';
import { fromDriver, StorageUnavailableError } from './storage-error.ts';

export interface PGliteOptions {
  /** A folder; null keeps everything in memory. */
  folder: string | null;
  /** A dumped database to start from. */
  dump?: Blob | undefined;
}

/** One embedded database: PostgreSQL inside this process, with a single session for all of its schemas. */
export interface EmbeddedDatabase {
  /** A handle on one schema. The instance is closed with the last of its handles. */
  database(schema: string): Database;
  /** The whole database as one file, to start others from. */
  dump(): Promise<Blob>;
}

// By default V8 optimizes a function of the database after a few thousand instructions, most of them only for the start: a
// quarter of the processor time of a start. Functions that stay busy are still optimized, a little later.
setFlagsFromString('--wasm-tiering-budget=50000000');

/** All of it is held from the start on; by default that is 128 MB. The system keeps what was read from files besides. */
const SHARED_BUFFERS = '32MB';

/** Opens the embedded database. The caller must hold the lock of the folder: see data-folder-lock.ts. */
export async function openPGlite({ folder, dump }: PGliteOptions): Promise<EmbeddedDatabase> {
  const pglite = await PGlite.create({
    ...(folder === null ? {} : { dataDir: folder }),
    ...(dump === undefined ? {} : { loadDataDir: dump }),
    startParams: [...PGlite.defaultStartParams, '-c', `shared_buffers=${SHARED_BUFFERS}`],
    // Like the PostgreSQL driver: bigint as number. Ours are counts and times, far below 2^53.
    parsers: { [types.INT8]: (text) => Number(text) },
  });
  await pglite.exec("set search_path = ''; set synchronous_commit = on;");
  const instance: Instance = { pglite, folder, answers: 0, asking: 0, handles: 0 };
  return {
    database: (schema) => createHandle(instance, schema),
    dump: () => pglite.dumpDataDir('none'),
  };
}

const PING = statement('ping', 'select 1');

interface Instance {
  readonly pglite: PGlite;
  /** Null in memory. */
  readonly folder: string | null;
  /** Queries that were answered. */
  answers: number;
  /** Queries that run or wait. There is one session: one runs, the others wait. */
  asking: number;
  handles: number;
}

function createHandle(instance: Instance, schema: string): Database {
  const { pglite, folder } = instance;
  const textOf = createStatementTexts(schema);
  instance.handles += 1;
  let closed = false;
  const refuseIfClosed = (): void => {
    if (closed) throw new StorageUnavailableError('this handle of the embedded database is closed');
  };
  const sessionOn = (runner: PGliteInterface | Transaction, onFailure?: OnFailure): Session =>
    createSession({
      schema,
      textOf,
      onFailure,
      async query({ text, parameters }) {
        refuseIfClosed();
        instance.asking += 1;
        try {
          const { rows, affectedRows = 0 } = await runner.query(text, [...parameters]);
          instance.answers += 1;
          return { rows, affectedRows };
        } finally {
          instance.asking -= 1;
        }
      },
    });

  async function transaction<Result>(work: (transaction: Transaction) => Promise<Result>): Promise<Result> {
    refuseIfClosed();
    // What `work` throws is passed on as it is; what PGlite itself throws, at begin or commit, is a driver's error.
    let thrown: { error: unknown } | undefined;
    try {
      return await pglite.transaction((open) =>
        work(open).catch((error: unknown) => {
          thrown = { error };
          throw error;
        }),
      );
    } catch (error) {
      throw thrown ? thrown.error : fromDriver(error);
    }
  }

  /** All that was committed is in the data files then: who opens a copy of them has nothing to recover. */
  async function holdStill<Result>(path: string, work: (path: string) => Promise<Result>): Promise<Result> {
    return transaction(async (open) => {
      await open.exec('checkpoint');
      return work(path);
    });
  }

  const session = sessionOn(pglite);
  return {
    ...session,
    engine: 'pglite',
    schema,
    connections: { reads: 1, writes: 1 },
    isBehindPooler: () => false,
    folder: folder === null ? null : { holdStill: (work) => holdStill(folder, work) },
    async ping() {
      await session.run(PING, []);
    },
    answerCount: () => instance.answers,
    transaction: (work) =>
      transaction((open) => inOneSession((onFailure) => sessionOn(open, onFailure), work)),
    migration: (work) =>
      transaction((open) => {
        const script = async (sql: string): Promise<void> =>
          void (await withClassifiedErrors(open.exec(withSchema(sql, schema))));
        return inOneSession((onFailure) => ({ ...sessionOn(open, onFailure), script }), work);
      }),
    async listen(channel, onNotification) {
      return pglite.listen(`"${channelName(schema, channel)}"`, onNotification);
    },
    poolUse: () => ({
      total: 1,
      idle: instance.asking > 0 ? 0 : 1,
      waiting: Math.max(0, instance.asking - 1),
    }),
    async close() {
      if (closed) return;
      closed = true;
      instance.handles -= 1;
      if (instance.handles === 0) await pglite.close();
    },
  };
}
