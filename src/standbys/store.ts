import { present } from '../kernel/presence.ts';
import type { Session } from '../storage/database.ts';
import { statement } from '../storage/statement.ts';

/** A node that reads from a standby. */
export interface Reader {
  nodeId: string;
  standby: string;
}

export interface Lease extends Reader {
  renewal: number;
  /** The highest renewal that the standby has shown on every connection that the reader still uses. */
  shown: number;
}

const TIMELINE = `case when pg_is_in_recovery() then '' else substr(pg_walfile_name(pg_current_wal_lsn()), 1, 8) end`;

// One that nobody waits for any more may be carried out late: it must not undo a newer one.
const RENEW = statement(
  'renew_standby_lease',
  `insert into {schema}.standby_leases as held (node_id, standby, renewal, shown) values ($1, $2, $3, $4)
   on conflict (node_id, standby) do update set renewal = excluded.renewal, shown = excluded.shown
   where held.renewal < excluded.renewal
   returning ${TIMELINE} as timeline`,
);

/** Returns the timeline of the server that has it; null if it came too late. */
export async function renewLease(
  session: Session,
  { nodeId, standby, renewal, shown }: Lease,
): Promise<string | null> {
  const [renewed] = await session.run<{ timeline: string }>(RENEW, [nodeId, standby, renewal, shown]);
  return renewed?.timeline ?? null;
}

// What was shown once remains shown: it is no matter if a promotion loses this, so it waits for no disk.
const NOTE_SHOWN = statement(
  'note_shown_on_standby',
  `with unhurried as materialized (select set_config('synchronous_commit', 'off', true))
   update {schema}.standby_leases set shown = $3 from unhurried where node_id = $1 and standby = $2 and shown < $3`,
);

/** Tells what the standby has shown before the next renewal does, for who waits for it. */
export async function noteShown(session: Session, { nodeId, standby }: Reader, shown: number): Promise<void> {
  await session.run(NOTE_SHOWN, [nodeId, standby, shown]);
}

const GIVE_UP = statement(
  'give_up_standby_lease',
  'delete from {schema}.standby_leases where node_id = $1 and standby = $2 and renewal <= $3',
);

/** Deletes a lease, unless it was renewed after this. */
export async function deleteLease(
  session: Session,
  { nodeId, standby }: Reader,
  renewal: number,
): Promise<void> {
  await session.run(GIVE_UP, [nodeId, standby, renewal]);
}

const DELETE_UNRENEWED = statement(
  'delete_unrenewed_lease',
  'delete from {schema}.standby_leases where node_id = $1 and standby = $2 and renewal = $3',
);

/** Deletes a lease that has not been renewed since it was read. */
export async function deleteUnrenewed(session: Session, { nodeId, standby, renewal }: Lease): Promise<void> {
  await session.run(DELETE_UNRENEWED, [nodeId, standby, renewal]);
}

export interface LeasesNow {
  leases: readonly Lease[];
  /** Of the primary: a promotion begins a new one. */
  timeline: string;
}

// Nothing of it can be asked of a standby. What leads there is refused, and not by an error of these functions.
const READ_LEASES = statement(
  'read_standby_leases',
  `select ${TIMELINE} as timeline,
          coalesce((select json_agg(json_build_object(
            'nodeId', node_id, 'standby', standby, 'renewal', renewal, 'shown', shown)) from {schema}.standby_leases), '[]') as leases`,
);

export async function readLeases(session: Session): Promise<LeasesNow> {
  const [now] = await session.run<LeasesNow>(READ_LEASES, []);
  return present(now, 'the leases of standbys');
}

// What has been flushed is all that any commit has returned for, and no more: what is not might take its time to be sent.
const READ_POSITION = statement(
  'read_primary_position',
  `select case when pg_is_in_recovery() then 'FFFFFFFF/FFFFFFFF' else pg_current_wal_flush_lsn()::text end as position,
          ${TIMELINE} as timeline`,
);

export interface Position {
  position: string;
  timeline: string;
}

/** The position in the write-ahead log of the primary that all commits which have returned lie before. */
export async function readPosition(session: Session): Promise<Position> {
  const [row] = await session.run<Position>(READ_POSITION, []);
  return present(row, 'the position of the primary');
}

/** Asked of the standby. Without a renewal, for its position alone. */
export const SHOWS = statement(
  'standby_shows',
  `select pg_is_in_recovery() as "isStandby", pg_last_wal_replay_lsn() >= $4::pg_lsn as "hasReplayed",
          $3::bigint is null or exists (select 1 from {schema}.standby_leases
            where node_id = $1 and standby = $2 and renewal = $3::bigint) as "hasRenewal"`,
);

export interface Shown {
  isStandby: boolean;
  hasReplayed: boolean | null;
  hasRenewal: boolean;
}
