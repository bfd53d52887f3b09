-- Two roles for Dateline in a PostgreSQL database: one owns the tables and migrates them, one serves. Run this in that database
-- as a superuser, as often as you like:
--
--   psql -v ON_ERROR_STOP=1 -f deploy/roles.sql 'postgres://…/dateline'
--
-- The roles are called dateline_owner and dateline. For other names:
--
--   PGOPTIONS='-c dateline.owner=deployer -c dateline.service=tokens' psql …
--
-- Then give both a password (\password dateline), and run `dateline migrate` with the owner's address: it creates the tables, and
-- gives the role that serves its rights on each of them (rights.sql, beside the migrations of each part of Dateline). Run it at
-- every upgrade, before the nodes start.
--
-- Where a single role has served until now, name it as the owner: it has the tables already.

do $$
declare
  owner_role text := coalesce(nullif(current_setting('dateline.owner', true), ''), 'dateline_owner');
  service_role text := coalesce(nullif(current_setting('dateline.service', true), ''), 'dateline');
  name text;
begin
  if owner_role = service_role then
    raise exception 'the role that owns the tables and the one that serves must be two roles';
  end if;
  foreach name in array array[owner_role, service_role] loop
    if not exists (select from pg_catalog.pg_roles where rolname = name) then
      execute format('create role %I login', name);
    end if;
    execute format('grant connect on database %I to %I', current_database(), name);
  end loop;

  -- Nobody else connects, and nobody creates anything but the owner.
  execute format('revoke all on database %I from public', current_database());
  revoke create on schema public from public;

  foreach name in array array['dateline_production', 'dateline_sandbox'] loop
    execute format('create schema if not exists %I', name);
    execute format('alter schema %I owner to %I', name, owner_role);
  end loop;

  -- To whom `dateline migrate` gives the rights to serve.
  execute format('alter role %I in database %I set dateline.service_role = %L', owner_role, current_database(), service_role);

  -- What other sessions do, and how far standbys are: `dateline doctor` and the pages of operators show it.
  execute format('grant pg_read_all_stats to %I', service_role);
end
$$;
