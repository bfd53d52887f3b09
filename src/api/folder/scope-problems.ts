import { type Contract, type OpenApiProblem, pointerBelow, type Security } from '@dateline/versions';
import type { FolderConfig } from './config-file.ts';
import { CONFIG_FILE } from './folder-files.ts';

/** Scopes that a contract asks for and that nobody could allow: without words there is nothing to show to people. */
export function scopeProblems(
  { operations, events }: Contract,
  { scopes }: Pick<FolderConfig, 'scopes'>,
): OpenApiProblem[] {
  const needing = new Map<string, User[]>();
  const note = (user: User, names: readonly string[]): void => {
    for (const name of names)
      if (!Object.hasOwn(scopes, name)) needing.set(name, [...(needing.get(name) ?? []), user]);
  };
  for (const { id, method, path, security } of operations)
    note({ name: id, path: pointerBelow('', 'paths', path, method.toLowerCase()) }, scopesIn(security));
  for (const { kind, scopes: needed = [] } of events)
    note({ name: kind, path: pointerBelow('', 'webhooks', kind) }, needed);
  return [...needing].flatMap(([scope, [first, ...others]]) =>
    first === undefined
      ? []
      : [
          {
            path: first.path,
            reason: `${inWords(first.name, others.length)} the scope ${scope}, which has no words: add scopes["${scope}"].consent to ${CONFIG_FILE}`,
          },
        ],
  );
}

/** An operation or an event kind that needs a scope, and where it stands. */
interface User {
  name: string;
  path: string;
}

function scopesIn(security: Security): string[] {
  return security.scheme === 'bearer' ? [...security.scopes, ...(security.or ?? []).flat()] : [];
}

/** Told once for each scope: an API may need one everywhere. */
function inWords(name: string, others: number): string {
  if (others === 0) return `${name} needs`;
  return others === 1
    ? `${name} and one other need`
    : `${name} and ${others.toLocaleString('en')} others need`;
}
