import type { Context } from '../environments/environment.ts';
import type { OAuthClientId } from '../oauth/types.ts';
import { type NamedClient, nameExistingClients } from './client-names.ts';
import type { Day } from './day.ts';
import { OAUTH_OPERATIONS, type RiskRow, selectAtRisk } from './store.ts';

/** Why a client must act before the next release. */
export type Risk =
  /** It names a version that the release removes. */
  | 'version_removed'
  /** It names no version, and the release makes another one Current. */
  | 'default_changes';

/** Requests of one client. */
export interface ClientUse {
  client: NamedClient;
  requests: number;
  lastDay: Day;
  /** Sorted by name. */
  operations: readonly string[];
}

export interface ClientAtRisk extends ClientUse {
  /** The worse one, where there are both. */
  risk: Risk;
  /** Of the requests, those that name no version. */
  unpinnedRequests: number;
}

export interface ClientsAtRisk {
  /** The clients that break, or may break: each once, the busiest first. */
  clients: readonly ClientAtRisk[];
  /**
   * Clients that name no version at the OAuth endpoints, and only there. Stock libraries never do, and what they use of OAuth is
   * the same in every version.
   */
  oauthOnly: readonly ClientUse[];
}

/** The clients that a release affects when it removes this version, by their use since a day. Deleted clients are left out. */
export async function clientsAtRisk(
  context: Context,
  { removedVersion, from }: { removedVersion: string; from: Day },
): Promise<ClientsAtRisk> {
  const byClient = new Map<OAuthClientId, RiskRow[]>();
  for (const row of await selectAtRisk(context.session, { version: removedVersion, from }))
    byClient.set(row.clientId, [...(byClient.get(row.clientId) ?? []), row]);
  const names = await nameExistingClients(context, [...byClient.keys()]);
  const found = [...byClient].flatMap(([id, rows]) => {
    const client = names.get(id);
    return client ? [{ client, ...useOf(rows) }] : [];
  });
  return {
    clients: found
      .flatMap(({ client, pinned, unpinned }) => atRisk(client, pinned, unpinned))
      .sort(busiestFirst),
    oauthOnly: found.flatMap(({ client, pinned, unpinned, oauth }) =>
      oauth && !pinned && !unpinned ? [{ client, ...oauth }] : [],
    ),
  };
}

type Use = Omit<ClientUse, 'client'>;

/** What a client does that a release breaks, may break, and leaves as it is; undefined where it does nothing of the kind. */
interface Uses {
  pinned: Use | undefined;
  unpinned: Use | undefined;
  oauth: Use | undefined;
}

function useOf(rows: readonly RiskRow[]): Uses {
  const [pinned, defaulted] = ['pinned', 'defaulted'].map((choice) =>
    rows.find((row) => row.choice === choice),
  );
  const operations = defaulted ? namesIn(defaulted) : [];
  return {
    pinned: pinned && { requests: pinned.requests, lastDay: pinned.lastDay, operations: namesIn(pinned) },
    unpinned: defaulted?.apiLastDay
      ? {
          requests: defaulted.requests - defaulted.oauthRequests,
          lastDay: defaulted.apiLastDay,
          operations: operations.filter((name) => !isOAuth(name)),
        }
      : undefined,
    oauth: defaulted && {
      requests: defaulted.oauthRequests,
      lastDay: defaulted.lastDay,
      operations: operations.filter(isOAuth),
    },
  };
}

const isOAuth = (operation: string): boolean => operation.startsWith(OAUTH_OPERATIONS);

const namesIn = ({ operations }: RiskRow): string[] => [...new Set(operations.flat())].sort();

function atRisk(client: NamedClient, pinned?: Use, unpinned?: Use): ClientAtRisk[] {
  const uses = [pinned, unpinned].filter((use) => use !== undefined);
  const days = uses.map(({ lastDay }) => lastDay).sort();
  const lastDay = days.at(-1);
  if (lastDay === undefined) return [];
  return [
    {
      client,
      risk: pinned ? 'version_removed' : 'default_changes',
      requests: uses.reduce((sum, { requests }) => sum + requests, 0),
      unpinnedRequests: unpinned?.requests ?? 0,
      lastDay,
      operations: [...new Set(uses.flatMap(({ operations }) => operations))].sort(),
    },
  ];
}

/** Those that break before those that may break. */
function busiestFirst(one: ClientAtRisk, other: ClientAtRisk): number {
  if (one.risk !== other.risk) return one.risk === 'version_removed' ? -1 : 1;
  return other.requests - one.requests || (one.client.id < other.client.id ? -1 : 1);
}
