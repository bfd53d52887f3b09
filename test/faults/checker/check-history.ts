import type { History } from '../clients/history.ts';
import type { Anomaly } from './anomaly.ts';
import { checkArrivals } from './check-arrivals.ts';
import { checkStored } from './check-stored.ts';
import { checkTokens, type TokenRules } from './check-tokens.ts';
import type { Stored } from './stored.ts';

export interface Checked extends TokenRules {
  history: History;
  stored: Stored;
  receivers: readonly string[];
}

/** Reads what clients and receivers have seen, and what storage holds in the end. */
export function checkHistory({ history, stored, receivers, ...rules }: Checked): Anomaly[] {
  return [
    ...checkTokens(history.operations, rules),
    ...checkStored(history.operations, stored),
    ...checkArrivals(history, receivers, rules.promotions),
  ].toSorted((one, other) => one.atMs - other.atMs);
}
