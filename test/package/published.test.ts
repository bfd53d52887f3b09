import { existsSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { describe, expect, it } from 'vitest';
import { publishedPackages } from '../support/package/packing.ts';

interface Locked {
  dependencies?: Readonly<Record<string, string>>;
  optionalDependencies?: Readonly<Record<string, string>>;
  engines?: { node?: string };
  license?: string;
}

interface Refusals {
  refusals(tree: {
    packages: readonly { name: string; version: string; maintainers: readonly string[] | null }[];
    user: string | null;
    changelog: string;
    changed: string;
    tags: readonly string[];
  }): string[];
}

const { refusals } = (await import('../../tools/release/refusals.mjs' as string)) as Refusals;
const read = (path: string) => JSON.parse(readFileSync(path, 'utf8'));
const { packages: locked } = read('package-lock.json') as { packages: Readonly<Record<string, Locked>> };
const published = publishedPackages();

describe('the published packages', () => {
  it('are the engine, the client and the service', () => {
    expect(published.map(({ name }) => name)).toEqual(['@dateline/versions', '@dateline/client', 'dateline']);
  });

  it('have one version, which the lock and the newest entry of the one changelog name', () => {
    const version = published[0]?.version;
    const changelog = readFileSync('CHANGELOG.md', 'utf8');
    expect(published.filter((one) => one.version !== version)).toEqual([]);
    expect(/^## (\S+) \(/m.exec(changelog)?.[1]).toBe(version);
    for (const { folder } of published) {
      expect(read('package-lock.json').packages[relative('.', folder)].version).toBe(version);
      expect(existsSync(join(folder, 'CHANGELOG.md'))).toBe(relative('.', folder) === '');
      expect(readFileSync(join(folder, 'LICENSE'), 'utf8')).toBe(readFileSync('LICENSE', 'utf8'));
    }
  });

  it.each(published.map(({ name, folder }) => [name, relative('.', folder)]))(
    '%s depends on nothing that does not run on Node 20.19, or that states no licence',
    (_name, folder) => {
      const needed = withDependencies(folder);
      expect(read(join(folder, 'package.json')).engines.node).toBe('>=20.19');
      const tooNew = needed.filter((path) => !fitsNode20(locked[path]?.engines?.node ?? '*'));
      expect(tooNew).toEqual([]);
      expect(needed.filter((path) => !locked[path]?.license)).toEqual([]);
    },
  );
});

/** Places in the lock of everything that is installed with a package, itself included. */
function withDependencies(path: string, found = new Set<string>()): string[] {
  if (found.has(path)) return [];
  found.add(path);
  const { dependencies, optionalDependencies } = locked[path] as Locked;
  for (const name of Object.keys({ ...dependencies, ...optionalDependencies })) {
    const place = placeOf(name, path);
    if (place !== undefined) withDependencies(place, found);
    else if (name in (dependencies ?? {}))
      throw new Error(`${name}, which ${path} needs, is not in the lock`);
  }
  return [...found];
}

/** As Node looks for it: beside the package, then further up. */
function placeOf(name: string, path: string): string | undefined {
  const here = join(path, 'node_modules', name);
  if (here in locked) return here;
  return path === '' ? undefined : placeOf(name, path.replace(/(^|\/)[^/]*$/, ''));
}

/** For the forms that our dependencies use; any other does not fit. */
function fitsNode20(range: string): boolean {
  return range.split('||').some((alternative) => {
    const [, operator, major = '0', minor = '0'] =
      /^\s*(>=|\^)?\s*v?(\d+)(?:\.(\d+))?(?:\.\d+)?\s*$/.exec(alternative) ?? [];
    if (alternative.trim() === '*') return true;
    if (operator === '>=') return Number(major) < 20 || (major === '20' && Number(minor) <= 19);
    return operator === '^' && major === '20' && Number(minor) <= 19;
  });
}

describe('a release', () => {
  const ready = {
    packages: [
      { name: 'one', version: '1.2.0', maintainers: null },
      { name: 'two', version: '1.2.0', maintainers: ['ada', 'grace'] },
    ],
    user: 'grace',
    changelog: '# Changelog\n\n## 1.2.0 (2026-11-18)\n',
    changed: '',
    tags: ['v1.2.0', ''],
  };

  it('is not refused from a clean, tagged tree with a dated entry in the changelog', () => {
    expect(refusals(ready)).toEqual([]);
  });

  it.each([
    [
      'packages of different versions',
      { packages: [...ready.packages, { name: 'three', version: '1.3.0', maintainers: null }] },
      /1\.2\.0, 1\.3\.0/,
    ],
    ['an entry without a date', { changelog: '## 1.2.0 (not released)\n' }, /CHANGELOG\.md/],
    ['the entry of another version', { changelog: '## 1.2.00 (2026-11-18)\n' }, /CHANGELOG\.md/],
    ['a name of somebody else', { user: 'lin' }, /two belongs to ada, grace\.$/],
    ['changes', { changed: ' M README.md\n' }, /not committed:\n M README\.md$/],
    ['the tag of another version', { tags: ['v1.2', 'v1.2.01'] }, /no tag v1\.2\.0\./],
  ])('is refused with %s', (_what, wrong, reason) => {
    expect(refusals({ ...ready, ...wrong })).toEqual([expect.stringMatching(reason)]);
  });
});
