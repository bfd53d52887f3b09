import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type { Anomaly } from '../checker/anomaly.ts';
import { checkArrivals } from '../checker/check-arrivals.ts';
import { checkHistory } from '../checker/check-history.ts';
import { createCast } from '../clients/cast.ts';
import type { History, Operation } from '../clients/history.ts';
import { requestsOf } from '../clients/requests.ts';
import { startClients } from '../clients/start-clients.ts';
import { setDatabaseClock } from '../deployment/database-clock.ts';
import { type Deployment, READS_FROM_STANDBYS, startDeployment } from '../deployment/deployment.ts';
import { until } from '../deployment/until.ts';
import type { FaultKind } from '../kinds/fault.ts';
import { isPromotion } from '../kinds/promotion-kinds.ts';
import type { PlannedFault } from '../seeded/plan.ts';
import { explainTokens } from './explain-tokens.ts';
import { injectAll } from './inject-all.ts';
import type { FaultOutcome, PartFigures, PartOutcome } from './outcome.ts';
import { readStored } from './read-stored.ts';
import { RECOVERY_MS } from './recovery.ts';

export interface PartOptions {
  seed: string;
  part: number;
  plan: readonly PlannedFault[];
  kinds: readonly FaultKind[];
  checkout: string;
  say(line: string): void;
}

const WARM_UP_MS = 1_500;
const EACH_OPERATION: readonly Operation['what'][] = [
  'issue',
  'exchange',
  'refresh',
  'introspect',
  'call',
  'order',
  'revoke',
  'revoke in bulk',
  'create',
  'publish',
];
const SAID_EVERY = 10;
/** What was put off by failures comes after this, by the clock of the database. */
const SCHEDULE_SECONDS = 2_700;
const ARRIVED_MS = 90_000;
const BULK = 100;

/** One deployment from its start to its end, with all faults of a part. */
export async function runPart(options: PartOptions): Promise<PartOutcome> {
  const { seed, part, plan, kinds, checkout, say } = options;
  const startedAt = performance.now();
  const history: History = { operations: [], arrivals: [] };
  const deployment = await startDeployment({ checkout, arrivals: history.arrivals });
  let isClean = false;
  try {
    const cast = await createCast(deployment);
    const clients = startClients(deployment, cast, { history, seed: `${seed}:${part}` });
    await pause(WARM_UP_MS);
    // A kind of request that never succeeds would show nothing.
    for (const what of EACH_OPERATION)
      await until(() => isDone(history, what), RECOVERY_MS, `clients cannot do this at all: ${what}`);
    const said: FaultOutcome[] = [];
    const outcomes = await injectAll({
      world: { deployment, cast, history, onError: (what) => say(`  ${what}`) },
      seed,
      plan,
      kindOf: (name) => kinds.find((one) => one.name === name) as FaultKind,
      onOutcome(outcome) {
        said.push(outcome);
        if (said.length % SAID_EVERY === 0 || said.length === plan.length)
          say(progress(part, said, plan.length, startedAt));
      },
    });
    await clients.stop();
    await cast.close();
    const anomalies = await conclude({ deployment, history, tokens: clients.known.all(), outcomes, cast });
    isClean = anomalies.length === 0;
    if (!isClean)
      await explainTokens(deployment, clients.known.all(), anomalies).catch((error) => say(String(error)));
    return {
      part,
      seconds: Math.round((performance.now() - startedAt) / 1_000),
      faults: outcomes,
      anomalies: anomalies.map((one) => ({ ...one, during: faultAt(outcomes, one.atMs) })),
      figures: figuresOf(history),
    };
  } finally {
    if (!isClean) {
      writeFileSync(join(deployment.folder, 'history.json'), JSON.stringify(history));
      say(`The logs and the history are kept in ${deployment.folder}`);
    }
    await deployment.close(!isClean);
  }
}

function isDone({ operations }: History, wanted: Operation['what']): boolean {
  return operations.some(({ what, result }) => what === wanted && result === 'done');
}

interface Concluding {
  deployment: Deployment;
  history: History;
  tokens: readonly string[];
  outcomes: readonly FaultOutcome[];
  cast: Awaited<ReturnType<typeof createCast>>;
}

/** Nothing is disturbed any more: everything is asked once again, and what was put off is waited for. */
async function conclude({ deployment, history, tokens, outcomes, cast }: Concluding): Promise<Anomaly[]> {
  await until(deployment.cluster.isComplete, ARRIVED_MS, 'the cluster lacks a standby');
  const requests = requestsOf(history, cast, deployment.operatorKey);
  const all = [...new Set(tokens)];
  for (let start = 0; start < all.length; start += BULK)
    for (const node of deployment.nodes) await requests.introspectAll(node, all.slice(start, start + BULK));
  const receivers = deployment.receivers.map(({ name }) => name);
  const isMissing = (): boolean => checkArrivals(history, receivers).some(({ kind }) => kind === 'lost');
  if (isMissing()) await setDatabaseClock(deployment.cluster.primary, SCHEDULE_SECONDS);
  await until(() => !isMissing(), ARRIVED_MS).catch(() => {});
  const found = checkHistory({
    history,
    stored: await readStored(deployment, all),
    receivers,
    linearizable: READS_FROM_STANDBYS ? ['a'] : ['a', 'b', 'c'],
    promotions: outcomes
      .filter(({ kind }) => isPromotion(kind))
      .map(({ beganMs, healedMs }) => ({ beganMs, endedMs: healedMs })),
  });
  const stuck = outcomes.filter(({ recoveredMs }) => recoveredMs === null);
  return [
    ...found,
    ...stuck.map(({ healedMs: atMs, kind }) => ({ kind: 'not recovered', atMs, text: kind }) as const),
  ];
}

/** The last fault that had begun by then. */
function faultAt(outcomes: readonly FaultOutcome[], atMs: number): number | null {
  return outcomes.findLast(({ beganMs }) => beganMs <= atMs)?.number ?? null;
}

function progress(
  part: number,
  outcomes: readonly FaultOutcome[],
  planned: number,
  startedAt: number,
): string {
  const seconds = Math.round((performance.now() - startedAt) / 1_000);
  const met = outcomes.filter(({ isMet }) => isMet).length;
  const slowest = Math.max(...outcomes.map(({ recoveredMs }) => recoveredMs ?? Number.POSITIVE_INFINITY));
  return `part ${part}: ${outcomes.length} of ${planned} faults, ${met} met, ${seconds} s, slowest recovery ${(slowest / 1_000).toFixed(1)} s`;
}

function figuresOf({ operations, arrivals }: History): PartFigures {
  const done = operations.filter(({ result }) => result === 'done');
  const count = (...wanted: string[]): number => done.filter(({ what }) => wanted.includes(what)).length;
  return {
    requests: operations.length,
    unavailable: operations.filter(({ result }) => result === 'unavailable').length,
    lost: operations.filter(({ result }) => result === 'lost').length,
    tokens: count('issue') + 2 * count('exchange', 'refresh'),
    endings: count('revoke', 'revoke in bulk', 'refresh'),
    events: done.reduce((sum, one) => sum + (one.what === 'publish' ? one.events.length : 0), 0),
    arrivals: arrivals.length,
    creates: count('create'),
  };
}
