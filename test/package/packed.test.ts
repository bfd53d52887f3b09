import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
} from 'node:fs';
import { isBuiltin } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join, relative, resolve } from 'node:path';
import { build } from 'esbuild';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { createPostgresDatabase } from '../support/database/postgres-database.ts';
import { edit } from '../support/folder/orders-folder.ts';
import { serveOwnApi } from '../support/package/own-api.ts';
import { type Packed, pack, publishedPackages } from '../support/package/packing.ts';
import { itInLongRuns } from '../support/run/in-long-runs.ts';
import { typeProblems } from '../support/run/type-problems.ts';
import { current, next } from '../support/service/build-versions.ts';

/** The service as its users get it: packed, in an empty project. */
describe('the packed service', () => {
  let project: string;
  let packed: Packed;
  const installed = (...path: string[]): string => join(project, 'node_modules', 'dateline', ...path);

  beforeAll(() => {
    project = mkdtempSync(join(tmpdir(), 'dateline-packed-'));
    const service = publishedPackages().find(({ name }) => name === 'dateline');
    packed = pack(service as Packed, project, ['--ignore-scripts']);
    mkdirSync(installed(), { recursive: true });
    execFileSync('tar', ['-xzf', packed.tarball, '-C', installed(), '--strip-components=1']);
    // npm does it when it installs.
    chmodSync(installed('bin', 'dateline.mjs'), 0o755);
    // Installing them takes a registry, as in the long runs. Node resolves theirs where they are installed.
    for (const name of Object.keys(manifest().dependencies)) {
      const link = join(project, 'node_modules', name);
      mkdirSync(dirname(link), { recursive: true });
      symlinkSync(resolve('node_modules', name), link);
    }
  });
  afterAll(() => rmSync(project, { recursive: true, force: true }));

  function proseOf(document: string): string {
    return readFileSync(installed(document), 'utf8').replaceAll(/^```[\s\S]*?^```/gm, '');
  }

  function manifest() {
    return JSON.parse(readFileSync(installed('package.json'), 'utf8'));
  }

  it('has every module that it imports, and depends on every package that it does not hold', async () => {
    const { metafile } = await build({
      entryPoints: ['bin/dateline.mjs', 'dist/cli/dateline.js', 'dist/folder.js', 'dist/versions.js'],
      absWorkingDir: installed(),
      bundle: true,
      packages: 'external',
      write: false,
      outdir: 'unused',
      format: 'esm',
      platform: 'node',
      metafile: true,
      logLevel: 'silent',
      // The launcher's way to a build in a clone.
      external: ['../tools/setup.mjs', '../tools/contract-check/build-contracts.mjs'],
    });
    const modules = Object.keys(metafile.inputs);
    const imported = Object.values(metafile.inputs).flatMap(({ imports }) => imports);
    // Libraries in the older form of modules load what is not in the bundle in this way.
    const REQUIRED = /(?:__require\d*|createRequire\d*\(import\.meta\.url\))\("(?!node:)([^".][^"]*)"\)/g;
    const required = modules.flatMap((file) =>
      [...readFileSync(installed(file), 'utf8').matchAll(REQUIRED)].map(([, path = '']) => ({
        path,
        external: true,
      })),
    );
    const packages = [...imported, ...required]
      .filter(({ path, external }) => external && !path.startsWith('.') && !isBuiltin(path))
      .map(({ path }) => path.split('/', path.startsWith('@') ? 2 : 1).join('/'));
    expect(modules.length).toBeGreaterThan(20);
    // pg looks for it, and does without.
    const needed = [...new Set(packages)].filter((name) => name !== 'pg-native').sort();
    expect(needed).toEqual(Object.keys(manifest().dependencies).sort());
  });

  it('has every file that its modules read, and none that only this repository needs', () => {
    const data = readdirSync('src', { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile() && !/\.(ts|md)$|^tape\.json$/.test(entry.name))
      .map((entry) => join('dist', relative('src', join(entry.parentPath, entry.name))));
    const needed = [...data, 'dist/console/.vite/manifest.json', 'dist/storage/blank-database.tar.gz'];
    expect(data.length).toBeGreaterThan(70);
    expect(needed.filter((file) => !packed.files.includes(file))).toEqual([]);
    const unwanted =
      /\.test\.[cm]?[jt]s$|(^|\/)(test|bench|node_modules|src)\/|^dist\/.*tape\.json$|\.built-from/;
    expect(packed.files.filter((file) => unwanted.test(file))).toEqual([]);
  });

  it('has the documents, with everything that they link to', () => {
    const documents = packed.files.filter((file) => file.endsWith('.md') && !file.startsWith('dist/'));
    expect(documents).toEqual(
      expect.arrayContaining([
        'README.md',
        'CHANGELOG.md',
        'SECURITY.md',
        'docs/operating.md',
        'docs/README.md',
      ]),
    );
    const missing = documents.flatMap((document) =>
      [...proseOf(document).matchAll(/\]\((?!https?:)([^)#\s]+)/g)]
        .map(([, target = '']) => join(dirname(document), target))
        .filter((target) => !existsSync(installed(target)))
        .map((target) => `${document}: ${target}`),
    );
    expect(missing).toEqual([]);
  });

  it('has its licence, and that of everything in its bundle', () => {
    const licences = readFileSync(installed('dist', 'chunks', 'licences.txt'), 'utf8');
    const named = readdirSync(installed('dist', 'chunks'))
      .filter((file) => file.endsWith('.js'))
      .flatMap((file) => [
        ...readFileSync(installed('dist', 'chunks', file), 'utf8').matchAll(
          /^\/\/ (?:\S*\/)?node_modules\/((?:@[^/]+\/)?[^/]+)\//gm,
        ),
      ])
      .map(([, name = '']) => name);
    expect(named).toContain('fastify');
    expect([...new Set(named)].filter((name) => !licences.includes(`\n${name} `))).toEqual([]);
    expect(readFileSync(installed('dist', 'console', 'licences.md'), 'utf8')).toContain('preact');
    expect(packed.files).toContain('LICENSE');
  });

  it('runs nothing when it is installed, and may be published', () => {
    const { scripts, private: isPrivate } = manifest();
    const atInstall = ['preinstall', 'install', 'postinstall', 'prepare'];
    expect(atInstall.filter((name) => name in scripts)).toEqual([]);
    expect(isPrivate).toBeUndefined();
    // npm runs node-gyp for a package that has this file.
    expect(packed.files).not.toContain('binding.gyp');
  });

  // Of what is installed from the registry, in long runs anyway.
  itInLongRuns(
    'makes an API folder, serves it in three versions, publishes its events, and rehearses its release',
    async () => {
      const { url, drop } = await createPostgresDatabase({ migrated: true });
      onTestFinished(drop);
      const dateline = installed('bin', 'dateline.mjs');
      await serveOwnApi({ folder: project, env: process.env, dateline }, { DATABASE_URL: url });
    },
  );

  it('has types for an API folder in TypeScript, with nothing else installed: a mistake is an error', () => {
    const folder = join(project, 'typed');
    execFileSync(process.execPath, [installed('bin', 'dateline.mjs'), 'init', folder, '--typescript'], {
      stdio: 'ignore',
    });
    const { compilerOptions, include } = JSON.parse(readFileSync(join(folder, 'tsconfig.json'), 'utf8'));
    const problems = () =>
      typeProblems(
        folder,
        { ...compilerOptions, typeRoots: [resolve('node_modules/@types')], types: ['node'] },
        include,
      );
    expect(problems()).toEqual([]);
    edit(folder, 'dateline.config.ts', (text) => text.replace('audience:', 'audiense:'));
    const step = join('contract/changes', `${next}-to-${current}`, 'index.ts');
    edit(folder, step, (text) => text.replace('([])', "([{ kept: ['orders:reed'] }])"));
    const wrong = problems().join('\n');
    expect(wrong).toMatch(/dateline\.config\.ts.*audiense/);
    expect(wrong).toMatch(/index\.ts.*orders:reed/);
  });
});
