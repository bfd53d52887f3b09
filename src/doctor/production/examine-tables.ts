import type { Finding } from '../finding.ts';
import type { TableCondition } from './store.ts';

/** Smaller tables are read well without statistics. */
const ROWS_THAT_COUNT = 1_000;

/** Tables that the planner knows nothing of. */
export function statistics(tables: readonly TableCondition[]): Finding {
  const check = 'statistics';
  const unknown = tables.filter(({ isAnalysed, live }) => !isAnalysed && live >= ROWS_THAT_COUNT);
  if (unknown.length === 0)
    return { check, state: 'ok', message: 'All tables that are not small were analysed.' };
  return {
    check,
    state: 'warning',
    message: `${named(unknown)} never analysed, so the planner guesses; run "analyze" in the database, and leave autovacuum on.`,
  };
}

/** Autovacuum begins at a fifth: with half as many dead rows as live ones it does not keep up. */
const DEAD_SHARE_MAX = 0.5;
const DEAD_THAT_COUNT = 10_000;

/** Deleted and replaced rows that nobody clears away. */
export function vacuum(tables: readonly TableCondition[], autovacuum: string): Finding {
  const check = 'vacuum';
  if (autovacuum !== 'on')
    return {
      check,
      state: 'problem',
      message: `autovacuum is ${autovacuum}: expired tokens are deleted all the time, and their space would never be used again; set it to on.`,
    };
  const full = tables.filter(({ live, dead }) => dead >= DEAD_THAT_COUNT && dead > DEAD_SHARE_MAX * live);
  if (full.length === 0) return { check, state: 'ok', message: 'Autovacuum keeps up in all tables.' };
  const dead = full.reduce((total, table) => total + table.dead, 0);
  return {
    check,
    state: 'warning',
    message: `${named(full)} not vacuumed enough: ${dead} rows there are dead. End long transactions and unused replication slots, lower autovacuum_vacuum_cost_delay, and run "vacuum" in the database.`,
  };
}

const NAMED_MAX = 3;

function named(tables: readonly TableCondition[]): string {
  const names = tables.slice(0, NAMED_MAX).map(({ name }) => name);
  const more = tables.length - names.length;
  return `${[...names, ...(more > 0 ? [`${more} more tables`] : [])].join(', ')} ${tables.length === 1 ? 'was' : 'were'}`;
}
