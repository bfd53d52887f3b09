import type { Context } from '../../environments/environment.ts';
import { type NamedClient, nameExistingClients } from '../client-names.ts';
import { selectRefused } from './store.ts';

/** A client whose requests for a removed version were refused. */
export interface BrokenClient {
  client: NamedClient;
  requests: number;
  lastAt: Date;
  /** Sorted by name; those that are known. */
  operations: readonly string[];
}

export interface BrokenClients {
  /** The busiest first. */
  clients: readonly BrokenClient[];
  /** Refused requests whose caller is not known, or does not exist any more. */
  unnamedRequests: number;
}

const CLIENTS_MAX = 1_000;

/** Who has asked for a version in vain since a release removed it. */
export async function brokenClients(
  context: Context,
  { version, since }: { version: string; since: Date },
): Promise<BrokenClients> {
  const rows = await selectRefused(context.session, { version, since, rowsMax: CLIENTS_MAX + 1 });
  const names = await nameExistingClients(
    context,
    rows.flatMap(({ clientId }) => clientId ?? []),
  );
  const named = rows.map(({ clientId, ...row }) => ({ client: clientId && names.get(clientId), ...row }));
  return {
    clients: named.flatMap(({ client, ...row }) => (client ? [{ client, ...row }] : [])),
    unnamedRequests: named.reduce((sum, { client, requests }) => sum + (client ? 0 : requests), 0),
  };
}
