import { setTimeout as pause } from 'node:timers/promises';
import type { FaultKind, World } from '../kinds/fault.ts';
import type { PlannedFault } from '../seeded/plan.ts';
import { randomOf } from '../seeded/random.ts';
import { inject } from './inject.ts';
import { createLocks } from './locks.ts';
import type { FaultOutcome } from './outcome.ts';

export interface Injecting {
  world: Omit<World, 'target'>;
  seed: string;
  plan: readonly PlannedFault[];
  kindOf(name: string): FaultKind;
  onOutcome(outcome: FaultOutcome): void;
}

/** Between two that begin. */
const PAUSE_MS = 120;
const LOOK_MS = 40;
/** How far down the plan one is looked for that need not wait. */
const AHEAD = 12;
const STUCK_MS = 75_000;

/**
 * Injects the faults of a part, roughly in their order. While the service recovers from one, others are injected into what
 * that one has not touched.
 */
export async function injectAll({
  world,
  seed,
  plan,
  kindOf,
  onOutcome,
}: Injecting): Promise<FaultOutcome[]> {
  const waiting = [...plan];
  const locks = createLocks();
  const outcomes: FaultOutcome[] = [];
  const running = new Set<Promise<void>>();

  function take(): (() => Promise<void>) | null {
    for (const [place, planned] of waiting.slice(0, AHEAD).entries()) {
      const kind = kindOf(planned.kind);
      const random = randomOf(`${seed}:${planned.number}`);
      const target = locks.take(kind, random);
      // What stands alone gets its turn: nobody overtakes it for ever.
      if (target === null && kind.on === 'everything') return null;
      if (target === null) continue;
      waiting.splice(place, 1);
      return async () => {
        const stuck = setTimeout(() => world.onError(`${kind.name} (${target}) still goes on`), STUCK_MS);
        try {
          const outcome = await inject({ ...world, target }, kind, { number: planned.number, random });
          outcomes.push(outcome);
          onOutcome(outcome);
        } finally {
          clearTimeout(stuck);
          locks.giveBack(kind, target);
        }
      };
    }
    return null;
  }

  while (waiting.length > 0) {
    const next = take();
    if (next === null) {
      await Promise.race([...running, pause(LOOK_MS)]);
      continue;
    }
    const run = next().finally(() => running.delete(run));
    running.add(run);
    await pause(PAUSE_MS);
  }
  await Promise.all(running);
  return outcomes;
}
