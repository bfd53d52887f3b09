import type { Facts, NodeName, Operation } from '../clients/history.ts';

/** A request that was answered, for histories that are written by hand. */
export function done(
  facts: Facts,
  [beganMs, endedMs]: readonly [number, number],
  node: NodeName = 'a',
): Operation {
  return { ...facts, node, beganMs, endedMs, result: 'done', status: 200 };
}

export function failed(
  facts: Facts,
  span: readonly [number, number],
  how: { result: 'lost' | 'unavailable' | 'refused' | 'broken'; status?: number; node?: NodeName },
): Operation {
  return { ...done(facts, span, how.node), result: how.result, status: how.status ?? null };
}

/** What an introspection has said. */
export function look(
  token: string,
  active: boolean,
  span: readonly [number, number],
  node: NodeName = 'a',
): Operation {
  return done({ what: 'introspect', asked: [token], looks: [{ token, active }] }, span, node);
}
