import { PGlite, type PGliteInterface, type Transaction, types } from '@electric-sql/pglite';
import type { Database, Session } from './database.ts';
import { channelName, createSession, inOneSession } from './session.ts';
import { createStatementTexts } from './statement.ts';
import { fromDriver } from './storage-error.ts';

export interface PGliteOptions {
  schema: string;
  /** A folder; null keeps everything in memory. */
  folder: string | null;
  /** A dumped database to start from. */
  dump?: Blob;
}

/** Opens the embedded database. Whoever opens a folder must hold its lock: see data-folder-lock.ts. */
export async function openPGlite({ schema, folder, dump }: PGliteOptions): Promise<EmbeddedDatabase> {
  const pglite = await PGlite.create({
    ...(folder === null ? {} : { dataDir: folder }),
    ...(dump === undefined ? {} : { loadDataDir: dump }),
    // Like the PostgreSQL driver: bigint as number. Ours are counts and times, far below 2^53.
    parsers: { [types.INT8]: (text) => Number(text) },
  });
  await pglite.exec("set search_path = ''; set synchronous_commit = on;");
  return toDatabase(pglite, schema);
}

export interface EmbeddedDatabase extends Database {
  /** The whole database as one file, to start others from. */
  dump(): Promise<Blob>;
}

function toDatabase(pglite: PGlite, schema: string): EmbeddedDatabase {
  const textOf = createStatementTexts(schema);
  const sessionOn = (runner: PGliteInterface | Transaction): Session =>
    createSession({
      schema,
      textOf,
      async query({ text, parameters }) {
        const { rows, affectedRows = 0 } = await runner.query(text, [...parameters]);
        return { rows, affectedRows };
      },
    });
  const transactions = new WeakMap<Session, Transaction>();
  let waiting = 0;

  return {
    ...sessionOn(pglite),
    engine: 'pglite',
    schema,
    async transaction(work) {
      waiting += 1;
      try {
        return await pglite.transaction((transaction) =>
          inOneSession(sessionOn(transaction), (session) => {
            transactions.set(session, transaction);
            return work(session);
          }),
        );
      } finally {
        waiting -= 1;
      }
    },
    async listen(channel, onNotification) {
      return pglite.listen(`"${channelName(schema, channel)}"`, onNotification);
    },
    async runScript(session, sql) {
      try {
        await transactions.get(session)?.exec(sql);
      } catch (error) {
        throw fromDriver(error);
      }
    },
    poolUse: () => ({ total: 1, idle: waiting > 0 ? 0 : 1, waiting: Math.max(0, waiting - 1) }),
    close: () => pglite.close(),
    dump: () => pglite.dumpDataDir('none'),
  };
}
