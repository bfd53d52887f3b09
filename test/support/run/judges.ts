import { join } from 'node:path';
import { beforeAll } from 'vitest';
import { isFullMatrix } from '../database/databases.ts';

const INSTALL_MS = 10 * 60_000;

/** Where a file of a package of `tools/judges` is; they are installed when the first test needs them. */
export function useJudges(): (path: string) => string {
  let modules = '';
  beforeAll(async () => {
    if (!isFullMatrix) return;
    const { installJudges } = (await import('../../../tools/install-judges.mjs' as string)) as {
      installJudges(): string;
    };
    modules = installJudges();
  }, INSTALL_MS);
  return (path) => join(modules, path);
}
