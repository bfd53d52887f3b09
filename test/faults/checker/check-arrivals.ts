import { isDeepStrictEqual } from 'node:util';
import type { Arrival, History } from '../clients/history.ts';
import type { Anomaly } from './anomaly.ts';
import type { Promotion } from './check-tokens.ts';

/** Every acknowledged event arrives at every receiver, at least once, under one id, and with the same bytes each time. */
export function checkArrivals(
  { operations, arrivals }: History,
  receivers: readonly string[],
  promotions: readonly Promotion[] = [],
): Anomaly[] {
  const sent = new Map<string, string>();
  const told = new Map<string, number>();
  for (const operation of operations) {
    if (operation.what !== 'publish') continue;
    for (const { id, data } of operation.events) {
      sent.set(id, data);
      if (operation.result === 'done' && !told.has(id)) told.set(id, operation.endedMs ?? 0);
    }
  }
  return [
    ...missing(told, arrivals, receivers),
    ...differing(arrivals, told, promotions),
    ...foreign(sent, arrivals),
  ];
}

/** Acknowledged events that a receiver has not taken yet, with the moment of the acknowledgement. */
function missing(
  told: ReadonlyMap<string, number>,
  arrivals: readonly Arrival[],
  receivers: readonly string[],
): Anomaly[] {
  const taken = new Set(
    arrivals.filter(({ isTaken }) => isTaken).map(({ receiver, event }) => `${receiver} ${event}`),
  );
  return receivers.flatMap((receiver) =>
    [...told]
      .filter(([event]) => !taken.has(`${receiver} ${event}`))
      .map(([event, atMs]) => ({
        kind: 'lost' as const,
        atMs,
        text: `event ${event} did not arrive at ${receiver}`,
      })),
  );
}

function differing(
  arrivals: readonly Arrival[],
  told: ReadonlyMap<string, number>,
  promotions: readonly Promotion[],
): Anomaly[] {
  const first = new Map<string, Arrival>();
  const digestOf = new Map<string, string>();
  return arrivals.flatMap((arrival) => {
    const { receiver, event, id, digest, atMs } = arrival;
    const key = `${receiver} ${event}`;
    const [known, knownDigest] = [first.get(key) ?? arrival, digestOf.get(id) ?? digest];
    const isUndone = known.id !== id && wasUndone(known, arrival, told.get(event), promotions);
    first.set(key, isUndone ? arrival : known);
    digestOf.set(id, knownDigest);
    const found: Anomaly[] = [];
    if (known.id !== id && !isUndone)
      found.push({ kind: 'altered', atMs, text: `event ${event} came to ${receiver} under two ids` });
    if (knownDigest !== digest) found.push({ kind: 'altered', atMs, text: `${id} came with other bytes` });
    return found;
  });
}

/** Webhooks may tell of what nobody was told yet, and a failover undoes that: docs/decisions/0035-what-was-done-before.md. */
function wasUndone(
  before: Arrival,
  after: Arrival,
  toldMs: number | undefined,
  promotions: readonly Promotion[],
): boolean {
  const isBetween = ({ beganMs, endedMs }: Promotion): boolean =>
    beganMs < after.atMs && endedMs > before.atMs;
  return (toldMs === undefined || before.atMs < toldMs) && promotions.some(isBetween);
}

function foreign(sent: ReadonlyMap<string, string>, arrivals: readonly Arrival[]): Anomaly[] {
  return arrivals.flatMap(({ event, data, id, atMs }) => {
    const published = sent.get(event);
    if (published !== undefined && isDeepStrictEqual(JSON.parse(published), JSON.parse(data))) return [];
    return [{ kind: 'altered' as const, atMs, text: `${id} is of no event that was published` }];
  });
}
