import { present } from '../../kernel/presence.ts';
import type { Session } from '../../storage/database.ts';
import { statement } from '../../storage/statement.ts';

const SERVER = statement(
  'server_settings',
  `select current_setting('server_version') as version, current_setting('fsync') as fsync,
          current_setting('full_page_writes') as "fullPageWrites",
          current_setting('synchronous_commit') as "synchronousCommit", current_setting('autovacuum') as autovacuum,
          current_setting('archive_mode') as "archiveMode", a.last_archived_time as "archivedAt",
          a.last_failed_time as "archiveFailedAt",
          current_setting('max_connections')::int - current_setting('superuser_reserved_connections')::int
            - coalesce(current_setting('reserved_connections', true), '0')::int as "connectionsMax",
          r.rolconnlimit as "roleConnectionsMax", d.datconnlimit as "databaseConnectionsMax"
   from pg_stat_archiver a, pg_roles r, pg_database d
   where r.rolname = current_user and d.datname = current_database()`,
);

/** The settings of the database server, as they hold for this session. */
export interface ServerSettings {
  version: string;
  fsync: string;
  fullPageWrites: string;
  synchronousCommit: string;
  autovacuum: string;
  archiveMode: string;
  archivedAt: Date | null;
  archiveFailedAt: Date | null;
  /** Without those that are reserved for others. */
  connectionsMax: number;
  /** -1: no limit. */
  roleConnectionsMax: number;
  databaseConnectionsMax: number;
}

export async function readServerSettings(session: Session): Promise<ServerSettings> {
  const [row] = await session.run<ServerSettings>(SERVER, []);
  return present(row, 'the settings of the server');
}

const ROLE = statement(
  'role_rights',
  `select rolname as name, rolsuper as "isSuperuser",
          array_remove(array[case when rolcreaterole then 'CREATEROLE' end, case when rolcreatedb then 'CREATEDB' end,
            case when rolreplication then 'REPLICATION' end, case when rolbypassrls then 'BYPASSRLS' end], null) as attributes,
          exists (select from pg_class c join pg_namespace n on n.oid = c.relnamespace
                  where n.nspname = $1 and c.relkind in ('r', 'p') and pg_has_role(current_user, c.relowner, 'usage'))
            as "ownsTables",
          has_schema_privilege($1, 'create') or has_database_privilege(current_database(), 'create') as creates
   from pg_roles where rolname = current_user`,
);

/** The rights of the role that this node connects as. */
export interface RoleRights {
  name: string;
  isSuperuser: boolean;
  attributes: readonly string[];
  ownsTables: boolean;
  /** Tables in the schema, or schemas. */
  creates: boolean;
}

export async function readRoleRights(session: Session, schema: string): Promise<RoleRights> {
  const [row] = await session.run<RoleRights>(ROLE, [schema]);
  return present(row, 'the rights of the role');
}

const TABLES = statement(
  'table_conditions',
  `select relname as name, n_live_tup::float8 as live, n_dead_tup::float8 as dead,
          coalesce(last_analyze, last_autoanalyze) is not null as "isAnalysed"
   from pg_stat_user_tables where schemaname = $1 order by n_live_tup + n_dead_tup desc, relname`,
);

/** A table, as the statistics of the server have it. */
export interface TableCondition {
  name: string;
  /** Estimated numbers of rows. */
  live: number;
  dead: number;
  isAnalysed: boolean;
}

/** The tables of a schema, the largest first. */
export async function readTableConditions(session: Session, schema: string): Promise<TableCondition[]> {
  return session.run<TableCondition>(TABLES, [schema]);
}
