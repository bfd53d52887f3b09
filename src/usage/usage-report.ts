import type { Context } from '../environments/environment.ts';
import type { OAuthClientId } from '../oauth/types.ts';
import { type KnownClient, nameClients } from './client-names.ts';
import type { Day } from './day.ts';
import { countRequests, selectUsage } from './store.ts';
import type { UsageQuery, UsageRow } from './types.ts';

export interface ReportedUsage extends UsageRow {
  /** Where clients are listed apart; null for requests without an authenticated client. */
  namedClient?: KnownClient | null;
}

export interface UsageReport {
  rows: readonly ReportedUsage[];
  /** There is more than was asked for. */
  truncated: boolean;
}

export async function reportUsage(context: Context, query: UsageQuery): Promise<UsageReport> {
  const found = await selectUsage(context.session, { ...query, rowsMax: query.rowsMax + 1 });
  const rows = found.slice(0, query.rowsMax);
  const nameOf = await nameClients(context, rows.map(clientOf));
  return {
    rows: rows.map((row) => {
      if (row.client === undefined) return row;
      const client = clientOf(row);
      return { ...row, namedClient: client && nameOf(client) };
    }),
    truncated: found.length > rows.length,
  };
}

/** Number of requests counted between two days. */
export async function countedRequests(context: Context, from: Day, to: Day): Promise<number> {
  return countRequests(context.session, from, to);
}

function clientOf({ client }: UsageRow): OAuthClientId | null {
  return (client ?? null) as OAuthClientId | null;
}
