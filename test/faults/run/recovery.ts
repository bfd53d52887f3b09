import type { History, NodeName, Operation } from '../clients/history.ts';
import { until } from '../deployment/until.ts';
import type { Recovers } from '../kinds/fault.ts';

/** Generous: what takes longer has not recovered. */
export const RECOVERY_MS = 60_000;

const WRITES: readonly Operation['what'][] = ['issue', 'exchange', 'refresh', 'revoke'];

export interface Awaited {
  sinceMs: number;
  recovers: readonly Recovers[];
  nodes: readonly NodeName[];
  receivers: readonly string[];
}

/** Waits until what began after a moment is done again; null if that takes too long. */
export async function recovery(history: History, awaited: Awaited): Promise<number | null> {
  const isMissing = (): boolean => awaited.recovers.some((what) => lacks[what](history, awaited));
  try {
    return await until(() => !isMissing(), RECOVERY_MS);
  } catch {
    return null;
  }
}

/** Whether something does not work yet, of each thing that may have to recover. */
const lacks: Record<Recovers, (history: History, awaited: Awaited) => boolean> = {
  requests: (history, awaited) =>
    isWithoutDone(history, awaited, WRITES) || isWithoutDone(history, awaited, ['introspect']),
  deliveries({ arrivals }, { sinceMs, receivers }) {
    const came = since(arrivals, sinceMs, ({ atMs }) => atMs).filter(({ isTaken }) => isTaken);
    return !receivers.every((name) => came.some(({ receiver }) => receiver === name));
  },
  upstream: (history, awaited) => isWithoutDone(history, awaited, ['call']),
};

/** True if one of the nodes has done none of these since then. */
function isWithoutDone(
  { operations }: History,
  { sinceMs, nodes }: Awaited,
  wanted: readonly Operation['what'][],
): boolean {
  const done = since(operations, sinceMs, ({ beganMs }) => beganMs).filter(
    ({ result, what }) => result === 'done' && wanted.includes(what),
  );
  return !nodes.every((name) => done.some(({ node }) => node === name));
}

/** The last ones of a list in the order of time. */
export function since<Item>(items: readonly Item[], sinceMs: number, timeOf: (item: Item) => number): Item[] {
  let first = items.length;
  while (first > 0 && timeOf(items[first - 1] as Item) >= sinceMs) first -= 1;
  return items.slice(first);
}
