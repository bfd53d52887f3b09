import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { tourScript } from '../package/packing.ts';

interface Toured {
  production: string;
  sandbox: string;
  dataDir: string;
}

/** The tour of the README, as it is pasted into a shell. */
export function tourText(): string {
  const [, tour = ''] = /```sh tour\n([\s\S]*?)```/.exec(readFileSync('README.md', 'utf8')) ?? [];
  return tour;
}

/** Runs every line of it against a service; throws if one of them fails. Answers with what it printed. */
export function runTour({ production, sandbox, dataDir }: Toured): string {
  const quickstart = join(dataDir, 'quickstart.json');
  const script = tourScript(readFileSync('README.md', 'utf8'), { production, sandbox, quickstart });
  return execFileSync('bash', ['-euo', 'pipefail', '-c', script], {
    cwd: resolve('.'),
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'pipe'],
    env: {
      ...process.env,
      DATELINE_DATA_DIR: dataDir,
      DATELINE_PORT: new URL(production).port,
      DATELINE_SANDBOX_PORT: new URL(sandbox).port,
    },
  });
}
