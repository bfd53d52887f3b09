import type { Context } from '../environments/environment.ts';
import type { OrganizationId } from '../identity/types.ts';
import { findClients } from '../oauth/clients/clients/clients.ts';
import type { OAuthClientId } from '../oauth/types.ts';
import type { Day } from './day.ts';
import { countRequests, selectAtRisk, selectUsage } from './store.ts';
import type { UsageQuery, UsageRow } from './types.ts';

/** A client as far as it is still known: one that was deleted has left its id only. */
export interface NamedClient {
  id: OAuthClientId;
  name: string | null;
  organizationId: OrganizationId | null;
}

export interface ReportedUsage extends UsageRow {
  /** Where clients are listed apart; null for requests without an authenticated client. */
  namedClient?: NamedClient | null;
}

export interface UsageReport {
  rows: readonly ReportedUsage[];
  /** There is more than was asked for. */
  truncated: boolean;
}

export async function reportUsage(context: Context, query: UsageQuery): Promise<UsageReport> {
  const found = await selectUsage(context.session, { ...query, rowsMax: query.rowsMax + 1 });
  const rows = found.slice(0, query.rowsMax);
  const nameOf = await clientNames(context, rows.map(clientOf));
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

/** Why a client must act before the next release. */
export type Risk =
  /** It names a version that the release removes. */
  | 'version_removed'
  /** It names no version, and the release makes another one Current. */
  | 'default_changes';

export interface ClientAtRisk {
  client: NamedClient;
  risk: Risk;
  requests: number;
  lastDay: Day;
}

/** The clients that break, or may break, when a release removes this version, by their use since a day. */
export async function clientsAtRisk(
  context: Context,
  { removedVersion, from }: { removedVersion: string; from: Day },
): Promise<ClientAtRisk[]> {
  const rows = await selectAtRisk(context.session, { version: removedVersion, from });
  const nameOf = await clientNames(
    context,
    rows.map(({ clientId }) => clientId),
  );
  return rows.map(({ clientId, choice, requests, lastDay }) => ({
    client: nameOf(clientId),
    risk: choice === 'pinned' ? 'version_removed' : 'default_changes',
    requests,
    lastDay,
  }));
}

async function clientNames(
  context: Context,
  ids: readonly (OAuthClientId | null)[],
): Promise<(id: OAuthClientId) => NamedClient> {
  const wanted = [...new Set(ids.filter((id) => id !== null))];
  const clients = new Map((await findClients(context, wanted)).map((client) => [client.id, client]));
  return (id) => {
    const known = clients.get(id);
    return { id, name: known?.name ?? null, organizationId: known?.organizationId ?? null };
  };
}

function clientOf({ client }: UsageRow): OAuthClientId | null {
  return (client ?? null) as OAuthClientId | null;
}
