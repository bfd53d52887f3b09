import { liveOperatorKeys } from '../../identity/operator-keys.ts';
import { type ExaminationParts, examine } from '../examine.ts';
import type { Finding } from '../finding.ts';
import { listNodes } from '../node-signs.ts';
import { examineDisk, runtime, secretFiles } from './examine-machine.ts';
import {
  archiving,
  connections,
  databaseTls,
  durability,
  pooledConnections,
  role,
  serverVersion,
} from './examine-server.ts';
import {
  logLevel,
  operatorKeys,
  operatorPort,
  proxies,
  publicAddress,
  retention,
  secretKey,
} from './examine-settings.ts';
import { statistics, vacuum } from './examine-tables.ts';
import { readRoleRights, readServerSettings, readTableConditions } from './store.ts';

/** Looks at one environment as its operator should before it goes live: at all that must be settled by then. */
export async function examineProduction(parts: ExaminationParts): Promise<Finding[]> {
  const { environment, config } = parts;
  const now = environment.clock.now();
  return [
    ...(await examine(parts)).filter(({ check }) => check !== 'addresses'),
    secretKey(config),
    operatorKeys(environment.name, await liveOperatorKeys(environment)),
    secretFiles(config),
    publicAddress(environment),
    operatorPort(environment.name, config),
    proxies(config),
    retention(config),
    logLevel(config),
    runtime(process.version, now),
    examineDisk(config),
    ...(await examineServer(parts, now)),
  ];
}

async function examineServer(
  { environment, config, nodeId }: ExaminationParts,
  now: Date,
): Promise<Finding[]> {
  const { session, database } = environment;
  if (database.engine === 'pglite') return [EMBEDDED];
  const server = await readServerSettings(session);
  const tables = await readTableConditions(session, database.schema);
  const nodes = (await listNodes(environment, nodeId)).filter(({ state }) => state === 'live');
  return [
    serverVersion(server.version, now),
    ...(config.databaseUrl === null ? [] : [databaseTls(config)]),
    database.isBehindPooler()
      ? pooledConnections(server)
      : connections(server, nodes, config.databasePoolMax),
    role(await readRoleRights(session, database.schema)),
    durability(server),
    archiving(server),
    statistics(tables),
    vacuum(tables, server.autovacuum),
  ];
}

const EMBEDDED: Finding = {
  check: 'server',
  state: 'warning',
  message:
    'The embedded database is one process without a flush to the disk: what was acknowledged can be lost in a power cut. Use PostgreSQL (DATABASE_URL).',
};
