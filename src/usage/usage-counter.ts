import type { Clock } from '../kernel/clock.ts';
import { DAY_MS, type Day, dayOf } from './day.ts';
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

// Some megabytes at most, however many clients call while the database is unreachable.
const KEYS_MAX = 20_000;

export function createUsageCounter(clock: Clock, keysMax = KEYS_MAX): UsageCounter {
  const today = createDayReader(clock);
  let tree: Tree = new Map();
  let counts: UsageCount[] = [];
  let dropped = 0;

  function add(byClient: ByClient, count: UsageCount): void {
    byClient.set(count.clientId, count);
    counts.push(count);
  }

  return {
    count({ choice, version, operation, clientId }) {
      const day = today();
      const byClient = branch(branch(branch(branch(tree, day), choice), version), operation);
      const known = byClient.get(clientId);
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
type Key = string | null;
type ByClient = Map<Key, UsageCount>;
/** By day, choice, version and operation. */
type Tree = Map<Key, Map<Key, Map<Key, Map<Key, ByClient>>>>;

function branch<Value>(parent: Map<Key, Map<Key, Value>>, key: Key): Map<Key, Value> {
  const known = parent.get(key);
  if (known) return known;
  const fresh = new Map<Key, Value>();
  parent.set(key, fresh);
  return fresh;
}

/** Reads today's day. Every request asks, so the text is made once a day. */
function createDayReader(clock: Clock): () => Day {
  let startsAtMs = Number.NaN;
  let day = dayOf(new Date(0));
  return () => {
    const nowMs = clock.nowMs();
    const todayStartsAtMs = nowMs - (nowMs % DAY_MS);
    if (todayStartsAtMs !== startsAtMs) {
      startsAtMs = todayStartsAtMs;
      day = dayOf(new Date(nowMs));
    }
    return day;
  };
}
