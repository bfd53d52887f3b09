import { existsSync } from 'node:fs';
import { describe } from 'vitest';

interface Program {
  name: string;
  /** An environment variable with its path. */
  setting: string;
  /** Where Debian puts it. */
  path: string;
}

/** Programs that tests need and npm does not install. `.ci/run` installs them. */
const programs = {
  chromium: { name: 'Chromium', setting: 'CHROMIUM_PATH', path: '/usr/bin/chromium' },
} as const satisfies Record<string, Program>;

/** Tests that need a program. Where it is missing they are skipped, and the run says so once. */
export function describeWith(
  program: keyof typeof programs,
  title: string,
  tests: (path: string) => void,
): void {
  const path = pathOf(programs[program]);
  describe.skipIf(path === undefined)(title, () => tests(path ?? ''));
}

/** A sentence for each program that is missing. */
export function missingPrograms(): string[] {
  return Object.values(programs)
    .filter((program) => pathOf(program) === undefined)
    .map(
      ({ name, setting }) =>
        `Tests that need ${name} are skipped, because there is none: install it, or set ${setting} to its path.`,
    );
}

function pathOf({ setting, path }: Program): string | undefined {
  return [process.env[setting], path].find((file) => file !== undefined && existsSync(file));
}
