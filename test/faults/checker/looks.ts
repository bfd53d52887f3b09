import type { NodeName, Operation } from '../clients/history.ts';

/** What somebody was told about a token, by an introspection or by a call that was served or refused. */
export interface Seen {
  token: string;
  active: boolean;
  node: NodeName;
  beganMs: number;
  endedMs: number;
}

const UNAUTHORIZED = 401;

export function seenIn(operations: readonly Operation[]): Seen[] {
  return operations.flatMap((operation) => {
    const { node, beganMs, endedMs } = operation;
    if (endedMs === null) return [];
    const told = (token: string, active: boolean): Seen => ({ token, active, node, beganMs, endedMs });
    switch (operation.what) {
      case 'introspect':
        return (operation.looks ?? []).map(({ token, active }) => told(token, active));
      case 'call':
      case 'order':
        if (operation.result === 'done') return [told(operation.token, true)];
        return operation.status === UNAUTHORIZED ? [told(operation.token, false)] : [];
      default:
        return [];
    }
  });
}
