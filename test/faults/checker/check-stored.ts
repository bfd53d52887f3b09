import type { Operation } from '../clients/history.ts';
import type { Anomaly } from './anomaly.ts';
import { nameOf } from './check-tokens.ts';
import type { Stored } from './stored.ts';
import { tokenLivesIn } from './token-lives.ts';

/** Whatever was acknowledged is there, and what may be asked for again is there once. */
export function checkStored(operations: readonly Operation[], stored: Stored): Anomaly[] {
  const done = operations.filter(({ result }) => result === 'done');
  return [
    ...lostTokens(done, stored),
    ...creates(done, stored),
    ...publications(done, stored),
    ...orders(done, stored),
    ...operations.flatMap(wrongAnswer),
  ];
}

const at = (operation: Operation | undefined): number => operation?.endedMs ?? 0;

function lostTokens(done: readonly Operation[], { tokens }: Stored): Anomaly[] {
  return [...tokenLivesIn(done).lives]
    .filter(([token]) => !tokens.has(token))
    .map(([token, { endedMs }]) => ({
      kind: 'lost',
      atMs: endedMs,
      text: `there is no row of ${nameOf(token)}`,
    }));
}

function creates(done: readonly Operation[], { endpoints }: Stored): Anomaly[] {
  const idsOf = groupBy(endpoints, ({ key }) => key);
  const told = done.filter((operation) => operation.what === 'create');
  return [
    ...told
      .filter(({ key, id }) => !idsOf.get(key)?.some((one) => one.id === id))
      .map((one) => ({ kind: 'lost', atMs: at(one), text: `there is no endpoint ${one.id}` }) as const),
    ...[...idsOf]
      .filter(([, rows]) => rows.length > 1)
      .map(([key, rows]) => ({
        kind: 'done twice' as const,
        atMs: at(told.find((one) => one.key === key)),
        text: `${rows.length} endpoints for the key ${key}`,
      })),
  ];
}

function publications(done: readonly Operation[], { occurrences }: Stored): Anomaly[] {
  const idsOf = groupBy(occurrences, ({ event }) => event);
  const told = done.flatMap((operation) =>
    operation.what === 'publish' ? operation.events.map((event) => ({ ...event, atMs: at(operation) })) : [],
  );
  return [
    ...told
      .filter(({ id, occurrence }) => !idsOf.get(id)?.some((one) => one.id === occurrence))
      .map(
        ({ id, atMs }) => ({ kind: 'lost', atMs, text: `event ${id} is not stored as it was told` }) as const,
      ),
    ...[...idsOf]
      .filter(([, rows]) => rows.length > 1)
      .map(([id, rows]) => ({
        kind: 'done twice' as const,
        atMs: told.find((one) => one.id === id)?.atMs ?? 0,
        text: `event ${id} is stored ${rows.length} times`,
      })),
  ];
}

/** An order is sent to the upstream once at most, also where nobody hears the answer. */
function orders(done: readonly Operation[], stored: Stored): Anomaly[] {
  const taken = groupBy(stored.orders, (note) => note);
  const placed = done.filter((operation) => operation.what === 'order');
  return [
    ...placed
      .filter(({ note }) => !taken.has(note))
      .map(
        (one) => ({ kind: 'lost', atMs: at(one), text: `the upstream has no order ${one.note}` }) as const,
      ),
    ...[...taken]
      .filter(([, times]) => times.length > 1)
      .map(([note, times]) => ({
        kind: 'done twice' as const,
        atMs: at(placed.find((one) => one.note === note)),
        text: `order ${note} was placed ${times.length} times`,
      })),
  ];
}

/** Each of these is right, and refused by nothing that any fault may do. */
const NEVER_REFUSED = ['issue', 'introspect', 'revoke', 'revoke in bulk', 'create', 'publish'];

function wrongAnswer(operation: Operation): Anomaly[] {
  const { what, node, result, status, code, beganMs } = operation;
  const text = `${what} at ${node} was answered ${status} ${code ?? ''}`;
  if (result === 'broken') return [{ kind: 'broken', atMs: beganMs, text }];
  if (result !== 'refused' || !NEVER_REFUSED.includes(what)) return [];
  return [{ kind: 'falsely inactive', atMs: beganMs, text }];
}

function groupBy<Item>(items: readonly Item[], keyOf: (item: Item) => string): Map<string, Item[]> {
  const groups = new Map<string, Item[]>();
  for (const item of items) groups.set(keyOf(item), [...(groups.get(keyOf(item)) ?? []), item]);
  return groups;
}
