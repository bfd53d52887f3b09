import pg from 'pg';
import type { Parameters, ReadSession } from '../database.ts';
import { withClassifiedErrors } from '../session.ts';
import { createStatementTexts, type Statement } from '../statement.ts';
import { BY_INDEX, setUpStandby } from './settings.ts';
import { driverAddress } from './tls.ts';
import { getTypeParser } from './types.ts';

/** One connection to a standby itself. Statements on it are answered in their order. */
export interface StandbyConnection extends ReadSession {
  /** Calls back once, when it is broken or closed. */
  onEnd(callback: () => void): void;
  close(): void;
}

export interface StandbyOptions {
  url: string;
  schema: string;
  /** After this long without an answer a statement has failed. */
  statementMs: number;
}

/** Opens a connection; throws if it does not lead to a standby, or leads to a pooler. */
export async function connectStandby(options: StandbyOptions): Promise<StandbyConnection> {
  const { url, schema, statementMs } = options;
  const client = new pg.Client({
    ...driverAddress(url),
    connectionTimeoutMillis: statementMs,
    query_timeout: statementMs,
    keepAlive: true,
    application_name: `dateline ${schema} reads`,
    types: { getTypeParser },
  });
  const ending = new Promise<void>((resolve) => {
    client.on('error', () => resolve());
    client.on('end', () => resolve());
  });
  const close = (): void => void client.end().catch(() => {});
  try {
    await withClassifiedErrors(client.connect());
    await setUpStandby(client, { statement_timeout: `'${statementMs}'`, ...BY_INDEX }, statementMs);
  } catch (error) {
    close();
    throw error;
  }
  const textOf = createStatementTexts(schema);
  return {
    async run<Row>(hot: Statement, parameters: Parameters): Promise<Row[]> {
      const query = { name: hot.name, text: textOf(hot), values: [...parameters] };
      return (await withClassifiedErrors(client.query(query))).rows as Row[];
    },
    onEnd: (callback) => void ending.then(callback),
    close,
  };
}
