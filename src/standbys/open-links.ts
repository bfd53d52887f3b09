import { withoutSecrets } from '../storage/open-database.ts';
import { createStandbyLink, type StandbyLink } from './standby-link.ts';

export interface LinksOptions {
  urls: readonly string[];
  schema: string;
}

/** Look-ups that arrive together are one statement. Each connection is asked at each renewal, so that more of them cost more than they give. */
const CONNECTIONS_MAX = 3;

/** A statement that has not ended by then is given up, and its connection with it. */
const STATEMENT_MS = 1_000;

/** Links to standbys, without a connection yet. The driver is loaded only where there is one. */
export async function openLinks({ urls, schema }: LinksOptions): Promise<StandbyLink[]> {
  if (urls.length === 0) return [];
  const { connectStandby } = await import('../storage/postgres/standby-connection.ts');
  return urls.map((url) =>
    createStandbyLink({
      name: withoutSecrets(url),
      connectionsMax: CONNECTIONS_MAX,
      connect: () => connectStandby({ url, schema, statementMs: STATEMENT_MS }),
    }),
  );
}
