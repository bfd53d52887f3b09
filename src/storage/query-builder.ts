import {
  type CompiledQuery,
  type DatabaseConnection,
  type Driver,
  Kysely,
  PostgresAdapter,
  PostgresIntrospector,
  PostgresQueryCompiler,
  type QueryResult,
} from 'kysely';
import type { Parameters } from './database.ts';

export interface RawResult {
  rows: unknown[];
  affectedRows: number;
}

export type RunQuery = (sql: string, parameters: Parameters) => Promise<RawResult>;

/**
 * Kysely on top of a function that runs queries. Every table it names gets the schema. The Database manages connections
 * and transactions: Kysely sees one connection and may not begin a transaction on it.
 */
export function createQueryBuilder(runQuery: RunQuery, schema: string): Kysely<unknown> {
  const connection: DatabaseConnection = {
    async executeQuery<Row>(query: CompiledQuery): Promise<QueryResult<Row>> {
      const { rows, affectedRows } = await runQuery(query.sql, query.parameters);
      return { rows: rows as Row[], numAffectedRows: BigInt(affectedRows) };
    },
    streamQuery() {
      throw new Error('streaming is not supported: page by id instead');
    },
  };
  const kysely = new Kysely<unknown>({
    dialect: {
      createAdapter: () => new PostgresAdapter(),
      createDriver: () => singleConnectionDriver(connection),
      createIntrospector: (db) => new PostgresIntrospector(db),
      createQueryCompiler: () => new PostgresQueryCompiler(),
    },
  });
  return kysely.withSchema(schema);
}

function singleConnectionDriver(connection: DatabaseConnection): Driver {
  const refuse = async (): Promise<void> => {
    throw new Error('use Database.transaction, not Kysely’s own');
  };
  const nothing = async (): Promise<void> => {};
  return {
    init: nothing,
    acquireConnection: async () => connection,
    releaseConnection: nothing,
    beginTransaction: refuse,
    commitTransaction: refuse,
    rollbackTransaction: refuse,
    destroy: nothing,
  };
}
