import type { OAuthClientId } from '../../oauth/types.ts';
import type { Session } from '../../storage/database.ts';
import { deletion } from '../../storage/deletion.ts';
import { statement } from '../../storage/statement.ts';
import type { Refusals } from './refusals.ts';

// All nodes touch the rows in the same order: otherwise two of them could wait for each other. What was counted since an
// earlier removal of the same version gives way.
const ADD_REFUSALS = statement(
  'add_refusals',
  `insert into {schema}.refused_clients as known (version, client_id, operation, since, requests, last_at)
   select version, client_id, operation, since, requests, last_at
   from unnest($1::text[], $2::text[], $3::text[], $4::timestamptz[], $5::bigint[], $6::timestamptz[])
     as sent (version, client_id, operation, since, requests, last_at)
   order by 1, 2, 3
   on conflict (version, client_id, operation) do update
   set requests = excluded.requests + case when known.since = excluded.since then known.requests else 0 end,
       last_at = greatest(known.last_at, excluded.last_at), since = excluded.since
   where known.since <= excluded.since`,
);

/** Each version, client and operation once at most. */
export async function addRefusals(session: Session, refusals: readonly Refusals[]): Promise<void> {
  await session.run(ADD_REFUSALS, [
    refusals.map(({ version }) => version),
    refusals.map(({ clientId }) => clientId),
    refusals.map(({ operation }) => operation),
    refusals.map(({ since }) => since),
    refusals.map(({ requests }) => requests),
    refusals.map(({ lastAt }) => lastAt),
  ]);
}

export interface RefusedRow {
  clientId: OAuthClientId | null;
  requests: number;
  lastAt: Date;
  operations: string[];
}

const SELECT_REFUSED = statement(
  'select_refused_clients',
  `select client_id as "clientId", sum(requests)::bigint as requests, max(last_at) as "lastAt",
          coalesce(array_agg(operation order by operation) filter (where operation is not null), '{}') as operations
   from {schema}.refused_clients where version = $1 and since = $2
   group by client_id order by sum(requests) desc, client_id limit $3`,
);

/** Who has asked for a version since it was removed, the busiest first; without a client, all whose caller is not known. */
export async function selectRefused(
  session: Session,
  { version, since, rowsMax }: { version: string; since: Date; rowsMax: number },
): Promise<RefusedRow[]> {
  return session.run<RefusedRow>(SELECT_REFUSED, [version, since, rowsMax]);
}

export const deleteRefusals = deletion<Date>('delete_refused_clients', {
  table: 'refused_clients',
  where: 'last_at < $1',
  orderBy: 'last_at',
});
