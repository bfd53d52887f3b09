import { type Kysely, type RawBuilder, sql } from 'kysely';
import type { OAuthClientId } from '../oauth/types.ts';
import type { Session } from '../storage/database.ts';
import { deletion } from '../storage/deletion.ts';
import { statement } from '../storage/statement.ts';
import { type Day, type Days, daysBefore, mondayFrom, type WholeWeeks, wholeWeeks } from './day.ts';
import type { UsageCount, UsageDimension, UsageQuery, UsageRow, VersionChoice } from './types.ts';

interface Tables {
  usage_counts: {
    day: Day;
    choice: VersionChoice;
    version: string | null;
    operation: string | null;
    client_id: OAuthClientId | null;
    requests: number;
  };
  usage_days: { day: Day; choice: VersionChoice; version: string | null; requests: number };
  usage_weeks: {
    week: Day;
    choice: VersionChoice;
    version: string | null;
    client_id: OAuthClientId | null;
    requests: number;
    oauth_requests: number;
    last_day: Day;
    api_last_day: Day | null;
    operations: string[];
  };
  oauth_clients: { id: OAuthClientId; organization_id: string };
}

const tables = (session: Session): Kysely<Tables> => session.tables<Tables>();

export interface UsageBatch {
  writerId: string;
  /** Counts up with every batch of a writer. */
  number: number;
  writtenAt: Date;
  counts: readonly UsageCount[];
}

/** The operations of the OAuth endpoints. */
export const OAUTH_OPERATIONS = 'oauth2:';
const IS_OAUTH = `operation like '${OAUTH_OPERATIONS}%'`;

// A writer's row moves forward only, and without its move nothing is added. All nodes touch the rows in the same order:
// otherwise two of them could wait for each other.
const ADD_USAGE = statement(
  'add_usage',
  `with moved as (
     insert into {schema}.usage_writers as writer (id, batch, written_at) values ($1, $2, $3)
     on conflict (id) do update set batch = excluded.batch, written_at = excluded.written_at
     where writer.batch < excluded.batch
     returning id
   ), sent as (
     select sent.day::date, sent.choice, sent.version, sent.operation, sent.client_id, sent.requests
     from moved, unnest($4::text[], $5::text[], $6::text[], $7::text[], $8::text[], $9::bigint[])
       as sent (day, choice, version, operation, client_id, requests)
   ), summed_by_day as (
     insert into {schema}.usage_days as counted (day, choice, version, requests)
     select day, choice, version, sum(requests) from sent group by 1, 2, 3 order by 1, 2, 3
     on conflict (day, choice, version)
     do update set requests = counted.requests + excluded.requests
   ), summed_by_week as (
     insert into {schema}.usage_weeks as counted
       (week, choice, version, client_id, requests, last_day, oauth_requests, api_last_day, operations)
     select date_trunc('week', day)::date, choice, version, client_id, sum(requests), max(day),
            coalesce(sum(requests) filter (where ${IS_OAUTH}), 0), max(day) filter (where (${IS_OAUTH}) is not true),
            coalesce(array_agg(distinct operation) filter (where client_id is not null and operation is not null), '{}')
     from sent group by 1, 2, 3, 4 order by 1, 2, 3, 4
     on conflict (week, choice, version, client_id)
     do update set requests = counted.requests + excluded.requests,
                   last_day = greatest(counted.last_day, excluded.last_day),
                   oauth_requests = counted.oauth_requests + excluded.oauth_requests,
                   api_last_day = greatest(counted.api_last_day, excluded.api_last_day),
                   operations = case when excluded.operations <@ counted.operations then counted.operations
                                else array(select distinct unnest(counted.operations || excluded.operations)) end
   )
   insert into {schema}.usage_counts as counted (day, choice, version, operation, client_id, requests)
   select day, choice, version, operation, client_id, requests from sent
   order by 1, 2, 3, 4, 5
   on conflict (day, choice, version, operation, client_id)
   do update set requests = counted.requests + excluded.requests`,
);

/** Adds a batch to what is stored, unless it was added before. */
export async function addUsage(session: Session, batch: UsageBatch): Promise<void> {
  const { writerId, number, writtenAt, counts } = batch;
  await session.run(ADD_USAGE, [
    writerId,
    number,
    writtenAt,
    counts.map(({ day }) => day),
    counts.map(({ choice }) => choice),
    counts.map(({ version }) => version),
    counts.map(({ operation }) => operation),
    counts.map(({ clientId }) => clientId),
    counts.map(({ requests }) => requests),
  ]);
}

/** Deletes what was counted before a day: so many rows of a table at most. */
const deletionBefore = (table: string, column: string) => {
  // Skips rows that are locked, so that two nodes never wait for each other.
  const remove = statement(
    `delete_${table}`,
    `with gone as (
       delete from {schema}.${table} where ctid = any(array(
         select ctid from {schema}.${table}
         where ${column} < $1::date order by ${column} limit $2 for update skip locked))
       returning 1)
     select count(*) as count from gone`,
  );
  return async (session: Session, before: Day, limit: number): Promise<number> => {
    const [row] = await session.run<{ count: number }>(remove, [before, limit]);
    return row?.count ?? 0;
  };
};

export const deleteCounts = deletionBefore('usage_counts', 'day');
export const deleteDays = deletionBefore('usage_days', 'day');
const deleteWeeksFrom = deletionBefore('usage_weeks', 'week');
/** A week is kept until its last day may go. */
export const deleteWeeks: typeof deleteCounts = (session, before, limit) =>
  deleteWeeksFrom(session, daysBefore(before, 6), limit);

export const deleteWriters = deletion<Date>('delete_usage_writers', {
  table: 'usage_writers',
  where: 'written_at < $1',
  orderBy: 'written_at',
});

const expressions: Record<UsageDimension, RawBuilder<string | null>> = {
  day: sql.ref('day'),
  version: sql.ref('version'),
  choice: sql.ref('choice'),
  client: sql.ref('client_id'),
  organization: sql.ref('organization_id'),
  operation: sql.ref('operation'),
};

// Sums of bigint are numeric, whose groups PostgreSQL sorts on disk rather than hash: five times as slow. This is exact up
// to 2^53.
const SUM = sql<number>`sum(requests::float8)`;

const dateOf = (day: Day) => sql<Day>`${day}::date`;

/** The shortest table that tells what is asked for. Weeks stand for their last day with requests. */
function countsFor(session: Session, { from, to, by, clientId }: UsageQuery) {
  const isOfClients = clientId !== null || by.includes('client') || by.includes('organization');
  if (by.includes('operation') || (isOfClients && by.includes('day'))) return countsOf(session, { from, to });
  if (!isOfClients) return daysOf(session, { from, to });
  const weeks = wholeWeeks({ from, to });
  const counts = weeksOf(session, weeks)
    .unionAll(countsOf(session, { from, to: daysBefore(weeks.first, 1) }))
    .unionAll(countsOf(session, { from: weeks.end, to }));
  if (!by.includes('organization')) return counts;
  // Clients are far fewer than counts: their organizations are looked up afterwards.
  return tables(session)
    .selectFrom(counts.as('counts'))
    .select([
      'choice',
      'version',
      NO_OPERATION,
      'client_id',
      SUM.as('requests'),
      sql<Day>`max(day)`.as('day'),
    ])
    .groupBy(['choice', 'version', 'client_id']);
}

const countsOf = (session: Session, { from, to }: Days) =>
  tables(session)
    .selectFrom('usage_counts')
    .select(['day', 'choice', 'version', 'operation', 'client_id', 'requests'])
    .where('day', '>=', dateOf(from))
    .where('day', '<=', dateOf(to));

const daysOf = (session: Session, { from, to }: Days) =>
  tables(session)
    .selectFrom('usage_days')
    .select(['day', 'choice', 'version', NO_OPERATION, NO_CLIENT, 'requests'])
    .where('day', '>=', dateOf(from))
    .where('day', '<=', dateOf(to));

const weeksOf = (session: Session, { first, end }: WholeWeeks) =>
  tables(session)
    .selectFrom('usage_weeks')
    .select(['last_day as day', 'choice', 'version', NO_OPERATION, 'client_id', 'requests'])
    .where('week', '>=', dateOf(first))
    .where('week', '<', dateOf(end));

const NO_OPERATION = sql<string | null>`null::text`.as('operation');
const NO_CLIENT = sql<OAuthClientId | null>`null::text`.as('client_id');

/** The latest day first where days are listed apart, then what was used most. */
export async function selectUsage(session: Session, query: UsageQuery): Promise<UsageRow[]> {
  const { version, choice, clientId, by, rowsMax } = query;
  const only = {
    ...(version === null ? {} : { version }),
    ...(choice === null ? {} : { choice }),
    ...(clientId === null ? {} : { client_id: clientId as OAuthClientId }),
  };
  const grouped = by.map((dimension) => expressions[dimension]);
  const rows = await tables(session)
    .selectFrom(countsFor(session, query).as('counts'))
    .$if(by.includes('organization'), (counts) =>
      counts.leftJoin('oauth_clients', 'oauth_clients.id', 'counts.client_id'),
    )
    .select(by.map((dimension) => sql<string | null>`${expressions[dimension]}::text`.as(dimension)))
    .select([sql<number>`${SUM}::bigint`.as('requests'), sql<Day>`max(day)::text`.as('lastDay')])
    .where((counts) => counts.and(only))
    .groupBy(grouped)
    .$if(by.includes('day'), (ordered) => ordered.orderBy(expressions.day, 'desc'))
    .orderBy(SUM, 'desc')
    .orderBy(sql.join(grouped))
    .limit(rowsMax)
    .execute();
  return rows as UsageRow[];
}

const COUNT_REQUESTS = statement(
  'count_requests',
  `select coalesce(sum(requests), 0)::bigint as requests from {schema}.usage_days
   where day >= $1::date and day <= $2::date`,
);

export async function countRequests(session: Session, from: Day, to: Day): Promise<number> {
  const [row] = await session.run<{ requests: number }>(COUNT_REQUESTS, [from, to]);
  return row?.requests ?? 0;
}

/** The requests of a client at risk, by how their version was chosen. */
export interface RiskRow {
  clientId: OAuthClientId;
  choice: 'pinned' | 'defaulted';
  requests: number;
  lastDay: Day;
  /** Of the requests, those to the OAuth endpoints. */
  oauthRequests: number;
  /** The last day with a request to anything else; null if there is none. */
  apiLastDay: Day | null;
  /** Those of each week or day, as they are stored. */
  operations: string[][];
}

const SELECT_AT_RISK = statement(
  'select_usage_at_risk',
  `select client_id as "clientId", choice, sum(requests::float8)::bigint as requests, max(day)::text as "lastDay",
          sum(oauth_requests::float8)::bigint as "oauthRequests", max(api_day)::text as "apiLastDay",
          json_agg(operations) as operations
   from (
     select last_day as day, choice, version, client_id, requests, oauth_requests, api_last_day as api_day, operations
     from {schema}.usage_weeks
     where week >= $3::date
     union all
     select day, choice, version, client_id, requests, case when ${IS_OAUTH} then requests else 0 end,
            case when (${IS_OAUTH}) is not true then day end, array_remove(array[operation], null)
     from {schema}.usage_counts
     where day >= $1::date and day < $3::date
   ) counts
   where client_id is not null and (choice = 'defaulted' or (choice = 'pinned' and version = $2))
   group by client_id, choice
   order by sum(requests::float8) desc, client_id, choice`,
);

/** Clients that named this version, and clients that named none. */
export async function selectAtRisk(
  session: Session,
  { version, from }: { version: string; from: Day },
): Promise<RiskRow[]> {
  return session.run<RiskRow>(SELECT_AT_RISK, [from, version, mondayFrom(from)]);
}
