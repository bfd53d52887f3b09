import type { Clock } from '../kernel/clock.ts';
import { createDayTeller } from './day.ts';
import type { UsageCount, Use } from './types.ts';

/** Counts in memory: what a request pays for being counted. */
export interface UsageCounter {
  count(use: Readonly<Use>): void;
  /** Everything counted since the last time, and how many requests found no room. */
  take(): CountedUsage;
}

export interface CountedUsage {
  counts: readonly UsageCount[];
  dropped: number;
}

// Some megabytes at most, however many clients come while the database is away.
const KEYS_MAX = 20_000;

export function createUsageCounter(clock: Clock, keysMax = KEYS_MAX): UsageCounter {
  const today = createDayTeller(clock);
  let tree: Branch = new Map();
  let counts: UsageCount[] = [];
  let dropped = 0;

  function add(byClient: Branch, count: UsageCount): void {
    byClient.set(count.clientId, count);
    counts.push(count);
  }

  return {
    count({ choice, version, operation, clientId }) {
      const day = today();
      const byClient = branch(branch(branch(branch(tree, day), choice), version), operation);
      const known = byClient.get(clientId) as UsageCount | undefined;
      if (known) known.requests += 1;
      else if (counts.length < keysMax)
        add(byClient, { day, choice, version, operation, clientId, requests: 1 });
      else dropped += 1;
    },
    take() {
      const taken = { counts, dropped };
      tree = new Map();
      counts = [];
      dropped = 0;
      return taken;
    },
  };
}

/** Maps in maps, since joining the parts of a key into one text for each request took three times as long. */
type Branch = Map<string | null, unknown>;

function branch(parent: Branch, key: string | null): Branch {
  const known = parent.get(key);
  if (known) return known as Branch;
  const fresh: Branch = new Map();
  parent.set(key, fresh);
  return fresh;
}
