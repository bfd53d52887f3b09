import { setTimeout as pause } from 'node:timers/promises';
import { type History, NODES, type Operation } from '../clients/history.ts';
import { until } from '../deployment/until.ts';
import type { FaultKind, Injected, World } from '../kinds/fault.ts';
import type { Random } from '../seeded/random.ts';
import type { FaultOutcome } from './outcome.ts';
import { recovery } from './recovery.ts';

const COMPLETE_MS = 90_000;
/** A request that takes longer was held up. */
const SLOW_MS = 250;
/** Before a fault that was met by nobody counts as one that cannot be met. */
const TRIES = 3;
const AGAIN_MS = 500;
/** For beginning or healing a fault, unless its kind says otherwise. */
const STEP_MS = 45_000;

export interface Drawn {
  number: number;
  random: Random;
}

/** Injects a fault, heals it, and waits until all works again. One that no request met is injected again. */
export async function inject(world: World, kind: FaultKind, drawn: Drawn): Promise<FaultOutcome> {
  for (let tries = 1; ; tries += 1) {
    const outcome = await injectOnce(world, kind, drawn);
    if (outcome.isMet || tries === TRIES) return outcome;
    await pause(AGAIN_MS);
  }
}

async function injectOnce(world: World, kind: FaultKind, { number, random }: Drawn): Promise<FaultOutcome> {
  const { deployment, history, target } = world;
  if (kind.on === 'cluster' || kind.on === 'everything')
    await until(
      deployment.cluster.isComplete,
      COMPLETE_MS,
      'the cluster lacks a standby, or one of its servers does not answer',
    );
  const beganMs = performance.now();
  const injected = await begin(world, kind, random);
  if (injected?.lastsMs) await pause(injected.lastsMs);
  const endedMs = performance.now();
  if (injected) await heal(world, kind, injected);
  const healedMs = performance.now();
  const recoveredMs = await recovery(history, {
    sinceMs: healedMs,
    recovers: kind.recovers,
    nodes: kind.on === 'node' ? NODES.filter((name) => name === target) : NODES,
    receivers: kind.on === 'receiver' ? [target] : deployment.receivers.map(({ name }) => name),
  });
  const met = injected ? meetings(history, injected, { beganMs, endedMs }) : [];
  return {
    number,
    kind: kind.name,
    target,
    beganMs,
    healedMs,
    isMet: injected !== null && (injected.wasMet ? injected.wasMet() : met.length > 0),
    failed: met.filter(({ result }) => result === 'lost' || result === 'unavailable').length,
    slow: met.filter((operation) => (operation.endedMs ?? 0) - operation.beganMs > SLOW_MS).length,
    recoveredMs,
  };
}

/** Null if it could not be injected, because another fault was in the way: then nobody has met it. */
async function begin(world: World, kind: FaultKind, random: Random): Promise<Injected | null> {
  try {
    return await inTime(Promise.resolve(kind.begin(world, random)), kind);
  } catch (error) {
    world.onError(`${kind.name}: ${error instanceof Error ? error.message : String(error)}`);
    return null;
  }
}

async function heal(world: World, kind: FaultKind, injected: Injected): Promise<void> {
  try {
    await inTime(Promise.resolve(injected.heal()), kind);
  } catch (error) {
    world.onError(`healing ${world.target}: ${error instanceof Error ? error.message : String(error)}`);
  }
}

async function inTime<Result>(work: Promise<Result>, { stepMs = STEP_MS }: FaultKind): Promise<Result> {
  const late = new AbortController();
  const limit = pause(stepMs, null, { signal: late.signal }).then(() => {
    throw new Error(`took longer than ${stepMs} ms`);
  });
  try {
    return await Promise.race([work, limit]);
  } finally {
    limit.catch(() => {});
    late.abort();
  }
}

/** The requests that were in flight at its nodes while a fault was active. */
function meetings(
  { operations }: History,
  { nodes, meets = () => true }: Injected,
  { beganMs, endedMs }: { beganMs: number; endedMs: number },
): Operation[] {
  return operations.filter(
    (operation) =>
      nodes.includes(operation.node) &&
      operation.beganMs < endedMs &&
      (operation.endedMs ?? Number.POSITIVE_INFINITY) > beganMs &&
      meets(operation),
  );
}
