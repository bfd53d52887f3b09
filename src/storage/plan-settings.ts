import type { Database, MigrationSession } from './database.ts';

/**
 * Our connections read tables by their indexes (`enable_seqscan`), also those that check foreign keys. What a connection
 * sets for itself does not hold behind a pooler that hands out server connections by the transaction, so it is the default
 * of our role in this database too. Who wants another one for that role sets it: it is left as it is.
 */
export async function keepPlanSettings({ engine }: Database, session: MigrationSession): Promise<void> {
  if (engine === 'postgres') await session.script(KEEP);
}

// Two nodes that change the same row of the catalogue at once would fail. Without the right to it, a role has what its
// connections set.
const KEEP = `do $$
begin
  perform pg_catalog.pg_advisory_xact_lock(pg_catalog.hashtextextended('dateline plan settings', 0));
  if not exists (
    select 1 from pg_catalog.pg_db_role_setting s
    join pg_catalog.pg_roles r on r.oid = s.setrole
    left join pg_catalog.pg_database d on d.oid = s.setdatabase
    where r.rolname = session_user and (d.datname is null or d.datname = pg_catalog.current_database())
      and pg_catalog.array_to_string(s.setconfig, ',') like '%enable_seqscan=%'
  ) then
    execute pg_catalog.format('alter role %I in database %I set enable_seqscan = off', session_user, pg_catalog.current_database());
  end if;
exception when insufficient_privilege then null;
end $$`;
