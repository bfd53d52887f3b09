import type { NodeName, Operation } from '../clients/history.ts';
import type { Anomaly } from './anomaly.ts';
import { type Seen, seenIn } from './looks.ts';
import { isOver, type TokenLives, tokenLivesIn } from './token-lives.ts';

export interface TokenRules {
  /** Nodes that read from the primary alone: there, what was seen dead once stays dead. */
  linearizable: readonly NodeName[];
  /** A promotion may bring back what nobody was promised. */
  promotions: readonly Promotion[];
}

export interface Promotion {
  beganMs: number;
  endedMs: number;
}

/** No token is seen alive after its end was acknowledged, and none is seen dead that nothing has ended. */
export function checkTokens(operations: readonly Operation[], rules: TokenRules): Anomaly[] {
  const tokens = tokenLivesIn(operations);
  const seen = seenIn(operations);
  return [
    ...seen.flatMap((one) => (one.active ? staleness(one, tokens) : falseEnd(one, tokens))),
    ...comebacks(seen, rules),
    ...operations.flatMap((operation) => refusedGrant(operation, tokens)),
  ];
}

function staleness(seen: Seen, { lives, endingsOf }: TokenLives): Anomaly[] {
  const life = lives.get(seen.token);
  const ending = life && endingsOf(seen.token).find((one) => isOver(life, one, seen.beganMs));
  if (!ending) return [];
  const lateMs = Math.round(seen.beganMs - (ending.acknowledgedMs ?? 0));
  const text = `${nameOf(seen.token)} was active at ${seen.node}, ${lateMs} ms after its end was acknowledged`;
  return [{ kind: 'stale', atMs: seen.beganMs, text }];
}

function falseEnd(seen: Seen, { lives, endingsOf }: TokenLives): Anomaly[] {
  const life = lives.get(seen.token);
  if (!life || life.endedMs >= seen.beganMs) return [];
  if (endingsOf(seen.token).some(({ beganMs }) => beganMs < seen.endedMs)) return [];
  const text = `${nameOf(seen.token)} was inactive at ${seen.node}, and nothing had ended it`;
  return [{ kind: 'falsely inactive', atMs: seen.beganMs, text }];
}

/** Seen dead, and alive by somebody who asked later. */
function comebacks(seen: readonly Seen[], { linearizable, promotions }: TokenRules): Anomaly[] {
  const deadSince = new Map<string, number>();
  const inOrder = seen
    .filter(({ node }) => linearizable.includes(node))
    .toSorted((one, other) => one.endedMs - other.endedMs);
  for (const { token, active, endedMs } of inOrder)
    if (!active && !deadSince.has(token)) deadSince.set(token, endedMs);
  return inOrder.flatMap(({ token, active, beganMs, endedMs, node }) => {
    const deadMs = deadSince.get(token);
    if (!active || deadMs === undefined || deadMs >= beganMs) return [];
    if (promotions.some((one) => one.beganMs < endedMs && one.endedMs > deadMs)) return [];
    return [{ kind: 'stale', atMs: beganMs, text: `${nameOf(token)} came back to life at ${node}` } as const];
  });
}

/** A code or a refresh token is shown until there is an answer, as clients are told to: that never ends a grant. */
function refusedGrant(operation: Operation, { endingsOfGrant }: TokenLives): Anomaly[] {
  if (operation.result !== 'refused' || operation.endedMs === null) return [];
  if (operation.what !== 'exchange' && operation.what !== 'refresh') return [];
  const { what, grant, user, node, code, beganMs, endedMs } = operation;
  if (endingsOfGrant(grant, user).some((ending) => ending.beganMs < endedMs)) return [];
  const text = `${what} of ${nameOf(grant)} at ${node} was refused (${code})`;
  return [{ kind: 'falsely inactive', atMs: beganMs, text }];
}

/** Tokens are secrets of a deployment that is gone; their ends are enough to find them in the history. */
export function nameOf(token: string): string {
  return `…${token.slice(-10)}`;
}
