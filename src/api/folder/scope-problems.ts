import type { Contract } from '@dateline/versions';
import type { FolderConfig } from './config-file.ts';
import { CONFIG_FILE } from './folder-files.ts';
import type { FolderProblem } from './folder-problem.ts';

/** Scopes that a contract asks for and that nobody could allow: without words there is nothing to show to people. */
export function scopeProblems(
  { operations, events }: Contract,
  { scopes }: FolderConfig,
  file: string,
): FolderProblem[] {
  const needed = [
    ...operations.map(
      ({ id, security }) => [id, security.scheme === 'bearer' ? security.scopes : []] as const,
    ),
    ...events.map(({ kind, scopes: needed = [] }) => [kind, needed] as const),
  ];
  return needed.flatMap(([path, names]) =>
    names
      .filter((name) => !Object.hasOwn(scopes, name))
      .map((name) => ({
        file,
        path,
        reason: `it needs the scope ${name}, which has no words: add scopes["${name}"].consent to ${CONFIG_FILE}`,
      })),
  );
}
