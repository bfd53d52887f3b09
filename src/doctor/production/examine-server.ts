import type { Config } from '../../config/load-config.ts';
import { isThisMachine } from '../../kernel/addresses.ts';
import { tlsParameters } from '../../storage/postgres/tls.ts';
import type { Finding } from '../finding.ts';
import type { SeenNode } from '../node-signs.ts';
import { postgresEndsAt } from './end-of-life.ts';
import type { RoleRights, ServerSettings } from './store.ts';

const OLDEST_SERVER = 15;

/** The version of the server, and how long it gets fixes. */
export function serverVersion(version: string, now: Date): Finding {
  const check = 'server';
  const [major = 0] = version.split('.').map(Number);
  const endsAt = postgresEndsAt(major);
  if (major < OLDEST_SERVER)
    return {
      check,
      state: 'problem',
      message: `PostgreSQL ${version} is older than Dateline supports; upgrade it to ${OLDEST_SERVER} or later.`,
    };
  if (endsAt !== null && endsAt <= now)
    return {
      check,
      state: 'warning',
      message: `PostgreSQL ${major} gets no fixes since ${dayOf(endsAt)}; upgrade to a newer major version.`,
    };
  const until = endsAt === null ? '' : ` It gets fixes until ${dayOf(endsAt)}.`;
  return { check, state: 'ok', message: `The server is PostgreSQL ${version}.${until}` };
}

/** The ways to the database and its standbys, by their addresses. The worst of them counts. */
export function databaseTls({ databaseUrl, databaseReadUrls }: DatabaseAddresses): Finding {
  const findings = [
    ...(databaseUrl === null ? [] : [tlsOf(databaseUrl, 'DATABASE_URL')]),
    ...databaseReadUrls.map((url) => tlsOf(url, 'DATABASE_READ_URLS')),
  ];
  const worst = findings.reduce((one, other) => (severity(other) > severity(one) ? other : one));
  return { check: 'database-tls', ...worst };
}

export type DatabaseAddresses = Pick<Config, 'databaseUrl' | 'databaseReadUrls'>;

const severity = ({ state }: Pick<Finding, 'state'>): number => ['ok', 'warning', 'problem'].indexOf(state);

function tlsOf(databaseUrl: string, setting: string): Omit<Finding, 'check'> {
  const { hostname, searchParams } = new URL(databaseUrl);
  const host = searchParams.get('host') || decodeURIComponent(hostname);
  const { sslmode, sslrootcert } = tlsParameters(databaseUrl) ?? { sslmode: 'disable', sslrootcert: null };
  if (host === '' || host.startsWith('/') || isThisMachine(host))
    return { state: 'ok', message: 'The database is on this machine.' };
  if (sslmode === 'disable')
    return {
      state: 'problem',
      message: `Nothing encrypts what is sent to the database at ${host}; add sslmode=verify-full to ${setting}.`,
    };
  if (sslmode === 'verify-full')
    return {
      state: 'ok',
      message: 'What is sent to the database is encrypted, and its certificate is verified.',
    };
  const lacking =
    sslmode === 'verify-ca' || (sslmode === 'require' && sslrootcert !== null)
      ? 'the host name in the certificate'
      : 'the certificate';
  return {
    state: 'warning',
    message: `sslmode=${sslmode} in ${setting} does not verify ${lacking} of the database, so another server could pass for it; use sslmode=verify-full, with sslrootcert.`,
  };
}

/** For notifications. */
const LISTENERS = 1;
const ENVIRONMENTS = 2;
const CONNECTIONS_SHARE = 0.8;

/** The connections that all live nodes may open together, in both environments, against those that there are. */
export function connections(server: ServerSettings, nodes: readonly SeenNode[], poolMax: number): Finding {
  const check = 'connections';
  const wanted = nodes
    .map((node) => ENVIRONMENTS * ((poolMaxOf(node) ?? poolMax) + LISTENERS))
    .reduce((total, one) => total + one, 0);
  const most = connectionsMax(server);
  const figures = `${nodes.length} live ${nodes.length === 1 ? 'process' : 'processes'} may open ${wanted} connections, and the server has ${most} for their role`;
  const advice =
    'lower DATELINE_DATABASE_POOL, or raise max_connections and the limits of the role and the database';
  if (wanted > most) return { check, state: 'problem', message: `${figures}; ${advice}.` };
  if (wanted > CONNECTIONS_SHARE * most)
    return {
      check,
      state: 'warning',
      message: `${figures}, which leaves little for a node that is being replaced; ${advice}.`,
    };
  return { check, state: 'ok', message: `${figures}.` };
}

/** Behind a pooler it is the pooler that opens them, as many as its own settings say. */
export function pooledConnections(server: ServerSettings): Finding {
  return {
    check: 'connections',
    state: 'ok',
    message: `A pooler is in front, and opens as many connections as its settings say (default_pool_size, max_db_connections); the server has ${connectionsMax(server)} for this role.`,
  };
}

/** The limit of the server, of the role and of the database that is reached first. */
function connectionsMax({
  connectionsMax,
  roleConnectionsMax,
  databaseConnectionsMax,
}: ServerSettings): number {
  const limits = [connectionsMax, roleConnectionsMax, databaseConnectionsMax];
  return Math.min(...limits.filter((limit) => limit >= 0));
}

/** Null for a node of an older build. */
function poolMaxOf({ build }: SeenNode): number | null {
  return typeof build?.database_pool === 'number' ? build.database_pool : null;
}

const TWO_ROLES = 'have one role that migrates and another that serves (deploy/roles.sql makes both)';

/** What the role of a node may do beyond serving. */
export function role({ name, isSuperuser, attributes, ownsTables, creates }: RoleRights): Finding {
  const check = 'role';
  if (isSuperuser)
    return {
      check,
      state: 'problem',
      message: `The role ${name} is a superuser, which may read files and run programs on the database server; use an ordinary one.`,
    };
  const may = [
    ...(attributes.length > 0 ? [`has ${attributes.join(', ')}`] : []),
    ...(ownsTables ? ['owns the tables'] : []),
    ...(creates ? ['may create tables or schemas'] : []),
  ];
  if (may.length === 0)
    return { check, state: 'ok', message: `The role ${name} may read and write rows, and no more.` };
  return {
    check,
    state: 'warning',
    message: `The role ${name} ${may.join(' and ')}, which serving does not need: ${TWO_ROLES}.`,
  };
}

/** The settings that make an acknowledged write survive a crash of the server. */
export function durability({ fsync, fullPageWrites, synchronousCommit }: ServerSettings): Finding {
  const check = 'durability';
  const wrong = [
    ...(fsync === 'on' ? [] : [`fsync is ${fsync}`]),
    ...(fullPageWrites === 'on' ? [] : [`full_page_writes is ${fullPageWrites}`]),
    ...(/^(on|remote_apply)$/.test(synchronousCommit) ? [] : [`synchronous_commit is ${synchronousCommit}`]),
  ];
  if (wrong.length === 0) return { check, state: 'ok', message: 'Commits wait for the disk of the server.' };
  return {
    check,
    state: 'problem',
    message: `${wrong.join(' and ')}: revocations that were acknowledged can be lost when the server crashes; set ${wrong.length === 1 ? 'it' : 'them'} to on.`,
  };
}

/** An archive of the write-ahead log, as far as the server knows of one. */
export function archiving({ archiveMode, archivedAt, archiveFailedAt }: ServerSettings): Finding {
  const check = 'archiving';
  if (archiveMode === 'off')
    return {
      check,
      state: 'ok',
      message:
        'archive_mode is off: only dumps or copies can be restored. Archive the write-ahead log if you must be able to return to a point in time.',
    };
  if (archiveFailedAt !== null && (archivedAt === null || archiveFailedAt > archivedAt))
    return {
      check,
      state: 'problem',
      message: `The write-ahead log could not be archived, last at ${archiveFailedAt.toISOString()}; it piles up until the disk is full. Correct archive_command or archive_library, and see the log of the server.`,
    };
  const last = archivedAt === null ? 'nothing yet' : `last at ${archivedAt.toISOString()}`;
  return { check, state: 'ok', message: `The write-ahead log is archived, ${last}.` };
}

function dayOf(at: Date): string {
  return at.toISOString().slice(0, 10);
}
