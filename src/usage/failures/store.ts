import { sql } from 'kysely';
import { ID_END, idsWithin, isId, type Period } from '../../kernel/ids.ts';
import type { Session } from '../../storage/database.ts';
import { deletion, deletionByAge } from '../../storage/deletion.ts';
import { statement } from '../../storage/statement.ts';
import { type FailedRequest, type FailureGroup, failedRequestIdPrefix } from './types.ts';

// A batch that is sent again, because its answer was lost, adds nothing.
const INSERT = statement(
  'insert_failed_requests',
  `insert into {schema}.failed_requests
     (id, request_id, at, client_id, operation, method, route, version, status, code, duration_ms, requested_version)
   select * from unnest($1::text[], $2::text[], $3::timestamptz[], $4::text[], $5::text[], $6::text[], $7::text[],
                        $8::text[], $9::int[], $10::text[], $11::int[], $12::text[])
   on conflict (id) do nothing`,
);

export async function insertFailedRequests(
  session: Session,
  failed: readonly FailedRequest[],
): Promise<void> {
  await session.run(INSERT, [
    failed.map(({ id }) => id),
    failed.map(({ requestId }) => requestId),
    failed.map(({ at }) => at),
    failed.map(({ clientId }) => clientId),
    failed.map(({ operation }) => operation),
    failed.map(({ method }) => method),
    failed.map(({ route }) => route),
    failed.map(({ version }) => version),
    failed.map(({ status }) => status),
    failed.map(({ code }) => code),
    failed.map(({ durationMs }) => durationMs),
    failed.map(({ requestedVersion }) => requestedVersion),
  ]);
}

const COLUMNS = `id, request_id as "requestId", at, client_id as "clientId", operation, method, route, version, status, code,
  duration_ms as "durationMs", requested_version as "requestedVersion"`;

/** Null matches any value. */
export interface FailureFilter {
  requestId: string | null;
  clientId: string | null;
  operation: string | null;
  version: string | null;
  code: string | null;
  requestedVersion: string | null;
}

const FILTER = `($3::text is null or request_id = $3) and ($4::text is null or client_id = $4)
  and ($5::text is null or operation = $5) and ($6::text is null or version = $6) and ($7::text is null or code = $7)
  and ($8::text is null or requested_version = $8)`;

const LIST = statement(
  'list_failed_requests',
  `select ${COLUMNS} from {schema}.failed_requests
   where id < $1 and id >= $9 and ${FILTER} order by id desc limit $2`,
);

/** Newest first. Reads one more than the limit, to know whether there are more. */
export async function selectFailedRequests(
  session: Session,
  filter: FailureFilter & Period,
  { limit, after }: { limit: number; after: string | null },
): Promise<FailedRequest[]> {
  const { from, before } = idsWithin(failedRequestIdPrefix, filter, after);
  const { requestId, clientId, operation, version, code, requestedVersion } = filter;
  const wanted = [requestId, clientId, operation, version, code, requestedVersion];
  return session.run<FailedRequest>(LIST, [before, limit + 1, ...wanted, from]);
}

const FIND = statement(
  'find_failed_request',
  `select ${COLUMNS} from {schema}.failed_requests where id = $1`,
);
const FIND_BY_REQUEST = statement(
  'find_failed_request_by_request_id',
  `select ${COLUMNS} from {schema}.failed_requests where request_id = $1 limit 1`,
);

/** By its id, or by its X-Request-Id; one of them, where a caller has sent the latter twice. */
export async function selectFailedRequest(session: Session, id: string): Promise<FailedRequest | null> {
  const find = isId(failedRequestIdPrefix, id) ? FIND : FIND_BY_REQUEST;
  const [failed] = await session.run<FailedRequest>(find, [id]);
  return failed ?? null;
}

// A range of their index: the database would otherwise read the newest requests of all clients, to find one of this client's.
const LAST_OF_CLIENTS = statement(
  'last_failed_requests_of_clients',
  `select failed.* from unnest($1::text[]) as wanted(id) cross join lateral (
     select ${COLUMNS} from {schema}.failed_requests
     where (client_id, id) < (wanted.id, '${ID_END}') and client_id >= wanted.id
     order by client_id desc, id desc limit 1) failed`,
);

/** The last one of each client, for those that have one. */
export async function selectLastFailedRequests(
  session: Session,
  clientIds: readonly string[],
): Promise<FailedRequest[]> {
  return clientIds.length === 0 ? [] : session.run<FailedRequest>(LAST_OF_CLIENTS, [clientIds]);
}

interface Tables {
  failed_requests: {
    id: string;
    at: Date;
    client_id: string | null;
    operation: string | null;
    version: string;
    requested_version: string | null;
    status: number;
    code: string | null;
  };
}

const ALIKE = ['client_id', 'operation', 'version', 'requested_version', 'status', 'code'] as const;
const COUNT = sql<number>`count(*)::int`;

/**
 * Most frequent first. Planned anew each time: a plan that is kept for any filter expects few rows, and sorts a week of them on disk
 * in two to three times the time.
 */
export async function groupFailedRequests(
  session: Session,
  { clientId, version, requestedVersion, ...period }: GroupFilter,
  groupsMax: number,
): Promise<FailureGroup[]> {
  const { from, before } = idsWithin(failedRequestIdPrefix, period, null);
  const only = {
    ...(clientId === null ? {} : { client_id: clientId }),
    ...(version === null ? {} : { version }),
    ...(requestedVersion === null ? {} : { requested_version: requestedVersion }),
  };
  return session
    .tables<Tables>()
    .selectFrom('failed_requests')
    .where('id', '>=', from)
    .where('id', '<', before)
    .where((failed) => failed.and(only))
    .groupBy(ALIKE)
    .select(['client_id as clientId', 'operation', 'version', 'requested_version as requestedVersion'])
    .select(['status', 'code', COUNT.as('requests'), ({ fn }) => fn.max('at').as('lastAt')])
    .orderBy(COUNT, 'desc')
    .orderBy(({ fn }) => fn.max('at'), 'desc')
    .limit(groupsMax)
    .execute();
}

export type GroupFilter = Pick<FailureFilter, 'clientId' | 'version' | 'requestedVersion'> & Period;

export const deleteOldFailedRequests = deletionByAge('delete_old_failed_requests', {
  table: 'failed_requests',
  idPrefix: failedRequestIdPrefix,
});

/** The bound is an id: what is older goes. */
export const deleteFailedRequestsBefore = deletion<string>('delete_surplus_failed_requests', {
  table: 'failed_requests',
  where: 'id < $1',
  orderBy: 'id',
});

const OLDEST_KEPT = statement(
  'oldest_kept_failed_request',
  'select id from {schema}.failed_requests order by id desc offset $1 limit 1',
);

/** The last of so many, counted from the newest; null if there are fewer. */
export async function selectOldestKept(session: Session, rowsMax: number): Promise<string | null> {
  const [row] = await session.run<{ id: string }>(OLDEST_KEPT, [rowsMax]);
  return row?.id ?? null;
}
