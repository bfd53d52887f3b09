import type { PostgresInstance } from './postgres-instance.ts';

/** Sets the clock of a database by so many seconds from the real time; everything in it asks `now()`. */
export async function setDatabaseClock(primary: PostgresInstance, seconds: number): Promise<void> {
  await primary.sql(
    `do $do$ begin
       if not exists (select 1 from pg_proc where proname = 'real_now') then
         alter function pg_catalog.now() rename to real_now;
       end if;
     end $do$;
     create or replace function pg_catalog.now() returns timestamptz language sql stable
       as $$ select pg_catalog.real_now() + interval '${seconds} seconds' $$`,
  );
}
