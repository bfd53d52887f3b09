import type { Contract, Security } from '@dateline/versions';
import type { FolderConfig } from './config-file.ts';
import { CONFIG_FILE } from './folder-files.ts';
import type { FolderProblem } from './folder-problem.ts';

/** Scopes that a contract asks for and that nobody could allow: without words there is nothing to show to people. */
export function scopeProblems(
  { operations, events }: Contract,
  { scopes }: FolderConfig,
  file: string,
): FolderProblem[] {
  const needing = new Map<string, string[]>();
  const note = (user: string, names: readonly string[]): void => {
    for (const name of names)
      if (!Object.hasOwn(scopes, name)) needing.set(name, [...(needing.get(name) ?? []), user]);
  };
  for (const { id, security } of operations) note(id, scopesIn(security));
  for (const { kind, scopes: needed = [] } of events) note(kind, needed);
  return [...needing].map(([name, [first = '', ...others]]) => ({
    file,
    path: first,
    reason: `${inWords(others.length)} the scope ${name}, which has no words: add scopes["${name}"].consent to ${CONFIG_FILE}`,
  }));
}

function scopesIn(security: Security): string[] {
  return security.scheme === 'bearer' ? [...security.scopes, ...(security.or ?? []).flat()] : [];
}

/** Told once for each scope: an API may need one everywhere. */
function inWords(others: number): string {
  if (others === 0) return 'it needs';
  return others === 1 ? 'it and one other need' : `it and ${others.toLocaleString('en')} others need`;
}
