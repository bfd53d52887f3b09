import { listAudit } from '../audit/read-audit.ts';
import type { AuditEntry } from '../audit/types.ts';
import type { Config } from '../config/load-config.ts';
import type { Environment } from '../environments/environment.ts';
import { isThisMachine } from '../kernel/addresses.ts';
import { type Clock, systemClock } from '../kernel/clock.ts';
import type { SigningKeys } from '../oauth/signing/signing-keys.ts';
import { BULK_REVOCATION } from '../oauth/tokens/bulk/revoke-in-bulk.ts';
import { signingAlgorithms } from '../oauth/types.ts';
import { readKeysInUse } from '../secrets/rotate-secret-key.ts';
import type { SecretBox } from '../secrets/secret-box.ts';
import { readBacklog } from '../webhooks/oversight/backlog.ts';
import { readDeliveryCondition } from './delivery-condition.ts';
import { examineDeliveries } from './examine-deliveries.ts';
import { examineStandbys } from './examine-standbys.ts';
import type { Finding } from './finding.ts';
import { DATABASE_RESTORED, LOST_ACCESS_ENDED } from './keep-sightings.ts';
import { readServerFacts } from './store.ts';

export interface ExaminationParts {
  environment: Environment;
  config: Config;
  box: SecretBox;
  signingKeys: SigningKeys;
  /** The id of this process among the nodes. */
  nodeId: string;
  /** Behind the operator's own API, if there is one. */
  upstream?: Reachable | undefined;
  /** The clock of this machine. */
  machineClock?: Clock;
}

export interface Reachable {
  /** Where it is. */
  origin: string;
  /** Opens a connection, and says why that is not possible; null if it is. */
  reach(): Promise<string | null>;
}

/** Looks at one environment as its operator should now and then. */
export async function examine(parts: ExaminationParts): Promise<Finding[]> {
  return [
    ...(await databaseAndClock(parts)),
    await keys(parts),
    addresses(parts),
    await backups(parts.environment),
    ...(await deliveries(parts)),
    ...examineStandbys(parts.environment.standbys.links),
    ...(parts.upstream ? [await upstreamOf(parts.environment, parts.upstream)] : []),
  ];
}

const CLOCK_SECONDS_MAX = 2;

async function databaseAndClock({
  environment,
  machineClock = systemClock,
}: ExaminationParts): Promise<Finding[]> {
  const startedAtMs = performance.now();
  const { version, now } = await readServerFacts(environment.session);
  const tookMs = performance.now() - startedAtMs;
  const aheadMs = machineClock.now().getTime() - tookMs / 2 - now.getTime();
  const aheadSeconds = Math.round(aheadMs / 1000);
  const engine = environment.database.engine === 'pglite' ? 'embedded PostgreSQL' : 'PostgreSQL';
  return [
    { check: 'database', state: 'ok', message: `${engine} ${version} answers in ${tookMs.toFixed(1)} ms.` },
    Math.abs(aheadSeconds) <= CLOCK_SECONDS_MAX
      ? { check: 'clock', state: 'ok', message: 'This node and its database agree about the time.' }
      : {
          check: 'clock',
          state: 'warning',
          message: `The clock of this node is ${Math.abs(aheadSeconds)} s ${aheadSeconds > 0 ? 'ahead of' : 'behind'} the database's, which counts; synchronise both with a time server.`,
        },
  ];
}

async function keys({ environment, box, signingKeys }: ExaminationParts): Promise<Finding> {
  const { activeId, formerIds } = await readKeysInUse(environment);
  const schedules = await Promise.all(
    signingAlgorithms.map((algorithm) => signingKeys.schedule(environment, algorithm)),
  );
  if (formerIds.length > 0)
    return {
      check: 'keys',
      state: 'warning',
      message: 'A change of the secret key is not finished; run "dateline secret-key rotate" again.',
    };
  if (box.keys.length > 1 && box.keys[0]?.id === activeId)
    return {
      check: 'keys',
      state: 'warning',
      message: 'DATELINE_SECRET_KEY still names keys that are not in use; remove all but the first.',
    };
  const signing = schedules.flatMap(({ signing: key }) => (key ? [`${key.id} (${key.algorithm})`] : []));
  const message = `Secret key ${activeId} is in use; keep a copy of it. Signing keys: ${signing.join(', ')}.`;
  return { check: 'keys', state: 'ok', message };
}

function addresses({ environment: { name, issuer }, config }: ExaminationParts): Finding {
  const { protocol, hostname } = new URL(issuer);
  const setting = name === 'production' ? 'DATELINE_PUBLIC_URL' : 'DATELINE_SANDBOX_PUBLIC_URL';
  const operatorSetting = name === 'production' ? 'DATELINE_OPERATOR_PORT' : 'DATELINE_SANDBOX_OPERATOR_PORT';
  if (!isThisMachine(config.host) && config[name].publicUrl === null)
    return {
      check: 'addresses',
      state: 'problem',
      message: `The service listens on ${config.host}, and ${setting} is not set: the issuer is ${issuer}, which others cannot reach.`,
    };
  if (protocol === 'http:' && !isThisMachine(hostname))
    return {
      check: 'addresses',
      state: 'problem',
      message: `The issuer ${issuer} is not https: tokens and secrets can be read in transit; set ${setting}.`,
    };
  const isPublic = !isThisMachine(config.host) || !isThisMachine(hostname);
  if (isPublic && config[name].operatorPort === null)
    return {
      check: 'addresses',
      state: 'warning',
      message: `The issuer is ${issuer}, and whoever reaches it reaches the operator API, the console and the metrics too; set ${operatorSetting} to a port that only operators reach.`,
    };
  return { check: 'addresses', state: 'ok', message: `The issuer is ${issuer}.` };
}

async function backups(environment: Environment): Promise<Finding> {
  const [restored] = (await listAudit(environment, { action: DATABASE_RESTORED }, { limit: 1, after: null }))
    .items;
  if (restored && !(await wasAnswered(environment, restored)))
    return {
      check: 'backups',
      state: 'problem',
      message: `The database lost what a node had stored until ${restored.details?.last_seen_at}: a backup was restored, and tokens that were revoked since are live again; run "dateline token revoke --issued-before ${restored.at.toISOString()} --yes".`,
    };
  if (environment.database.engine === 'pglite')
    return {
      check: 'backups',
      state: 'warning',
      message: 'The embedded database is not flushed to the disk; run "dateline backup" now and then.',
    };
  return {
    check: 'backups',
    state: 'ok',
    message: 'The database has everything that its nodes have stored.',
  };
}

async function deliveries({ environment, nodeId }: ExaminationParts): Promise<Finding[]> {
  const backlog = await readBacklog(environment);
  return examineDeliveries(await readDeliveryCondition(environment, nodeId, backlog));
}

async function upstreamOf({ name }: Environment, { origin, reach }: Reachable): Promise<Finding> {
  const problem = await reach();
  if (problem === null) return { check: 'upstream', state: 'ok', message: `${origin} takes connections.` };
  return {
    check: 'upstream',
    state: 'problem',
    message: `${origin} cannot be reached (${problem}); start it, or correct upstream.${name} in dateline.config.mjs (or .ts).`,
  };
}

/** True if all tokens from before the loss were revoked. */
async function wasAnswered(environment: Environment, restored: AuditEntry): Promise<boolean> {
  const lostFrom = new Date(String(restored.details?.last_seen_at));
  // Best before a node has noticed anything: an entry from before the loss would not answer it.
  const byRestore = { action: LOST_ACCESS_ENDED, since: lostFrom };
  if ((await listAudit(environment, byRestore, { limit: 1, after: null })).items.length > 0) return true;
  const since = { action: BULK_REVOCATION, since: restored.at };
  const { items } = await listAudit(environment, since, { limit: 100, after: null });
  return items.some(({ details = {} }) => {
    const { subject, client_id, organization_id, issued_before } = details;
    const isEverything = [subject, client_id, organization_id].every((one) => one === null);
    return isEverything && issued_before !== null && new Date(String(issued_before)) >= lostFrom;
  });
}
