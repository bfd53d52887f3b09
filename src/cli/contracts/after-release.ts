import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import type { ApiVersion } from '@dateline/versions';

/** Steps that a repository takes after its contracts have moved on. */
export interface AfterRelease {
  /** Its steps, in sentences. */
  messages: readonly string[];
  apply(): void;
}

const SCRIPT = 'after-release';

/** The script of that name in the repository's package.json; null where there is none. It can say what it would do. */
export function afterRelease(frozen: ApiVersion, deleted: readonly ApiVersion[]): AfterRelease | null {
  if (!hasScript()) return null;
  const run = ['run', '--silent', SCRIPT, '--'];
  const plan = execFileSync('npm', [...run, '--dry-run', frozen, ...deleted], { encoding: 'utf8' });
  return {
    messages: plan.split('\n').filter(Boolean),
    // Its output goes to standard error, like all messages.
    apply: () => void execFileSync('npm', [...run, frozen, ...deleted], { stdio: ['ignore', 2, 2] }),
  };
}

function hasScript(): boolean {
  if (!existsSync('package.json')) return false;
  const { scripts = {} }: { scripts?: object } = JSON.parse(readFileSync('package.json', 'utf8'));
  return SCRIPT in scripts;
}
