import { execFileSync } from 'node:child_process';
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { isFullMatrix } from '../../test/support/database/databases.ts';
import { packageProblems } from '../../test/support/run/package-problems.ts';
import { typeProblems } from '../../test/support/run/type-problems.ts';

const PACKAGES_MAX = 5;

const readme = readFileSync('versions/README.md', 'utf8');
const [library, serve] = [...readme.matchAll(/```ts\n([\s\S]*?)```/g)].map(([, text]) => text as string);
const [, printed] = /```text\n([\s\S]*?)```/.exec(readme) ?? [];

/** The package as users get it: packed, and installed into an empty project. */
describe.runIf(isFullMatrix)('the packed engine', () => {
  let folder: string;
  let tarball: string;
  const project = () => join(folder, 'project');
  const installed = () => join(project(), 'node_modules/@dateline/versions');

  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'dateline-engine-'));
    mkdirSync(project());
    tarball = packed();
    // From what is installed here, so that the registry is not needed.
    const needed = ['typebox', '@eslint-community/regexpp'].map((name) =>
      pack(['--ignore-scripts', resolve('node_modules', name)], project()),
    );
    writeFileSync(join(project(), 'package.json'), '{"name":"empty","private":true,"type":"module"}');
    npm(
      ['install', '--offline', '--no-audit', '--no-fund', '--loglevel=error', tarball, ...needed],
      project(),
    );
    writeFileSync(join(project(), 'library.ts'), library ?? '');
    writeFileSync(join(project(), 'serve.ts'), serve ?? '');
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  /** Built in a copy: other tests run what is built here. */
  function packed(): string {
    for (const path of ['versions', 'tsconfig.json'])
      cpSync(resolve(path), join(folder, path), {
        recursive: true,
        filter: (file) => !file.endsWith('/dist'),
      });
    writeFileSync(join(folder, 'package.json'), '{"name":"root","private":true,"workspaces":["versions"]}');
    symlinkSync(resolve('node_modules'), join(folder, 'node_modules'));
    return pack(['-w', 'versions', '--pack-destination', project()], folder);
  }

  /** Returns the path of the tarball. */
  function pack(args: string[], cwd: string): string {
    const said = npm(['pack', '--json', ...args], cwd);
    const [{ filename }] = JSON.parse(said.slice(said.indexOf('[\n'))) as [{ filename: string }];
    return join(project(), filename);
  }

  function npm(args: string[], cwd: string): string {
    return execFileSync('npm', args, { cwd, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] });
  }

  it('brings few packages', () => {
    const lock = JSON.parse(readFileSync(join(project(), 'node_modules/.package-lock.json'), 'utf8')) as {
      packages: Record<string, object>;
    };
    expect(Object.keys(lock.packages)).toContain('node_modules/@dateline/versions');
    expect(Object.keys(lock.packages).length).toBeLessThanOrEqual(PACKAGES_MAX);
  });

  it('contains its build, its README and its licence, and nothing else', () => {
    expect(readdirSync(installed()).sort()).toEqual(['LICENSE', 'README.md', 'dist', 'package.json']);
    const strangers = readdirSync(join(installed(), 'dist')).filter((file) => !/\.(js|d\.ts)$/.test(file));
    expect(strangers).toEqual([]);
    expect(readFileSync(join(installed(), 'LICENSE'), 'utf8')).toBe(readFileSync('LICENSE', 'utf8'));
  });

  it('compiles and runs the example of its README', () => {
    const emitting = {
      noEmit: false,
      allowImportingTsExtensions: false,
      rewriteRelativeImportExtensions: true,
      outDir: join(project(), 'out'),
      rootDir: project(),
    };
    expect(typeProblems(project(), emitting)).toEqual([]);
    expect(execFileSync(process.execPath, ['out/serve.js'], { cwd: project(), encoding: 'utf8' })).toBe(
      printed,
    );
  });

  it('has types that TypeScript resolves: a mistake is an error', () => {
    const mistaken = join(project(), 'mistaken');
    mkdirSync(mistaken);
    writeFileSync(
      join(mistaken, 'mistaken.ts'),
      "import { apiVersion, type Change } from '@dateline/versions';\n" +
        "export const touches: Change['touches'] = 7;\nexport const version: number = apiVersion('2026-01');\n",
    );
    expect(typeProblems(mistaken)).toHaveLength(2);
  });

  it('passes publint and arethetypeswrong', async () => {
    // It is an ES module only, which every Node that it runs on can require.
    expect(await packageProblems({ installed: installed(), tarball }, ['CJSResolvesToESM'])).toEqual([]);
  });
});

describe('the README of the engine', () => {
  it('lists every folder, and no other', () => {
    const listed = [...readme.matchAll(/^\| `(?:([a-z]+)\/|(index\.ts))` \|/gm)].map(
      ([, folder, file]) => folder ?? file,
    );
    expect(listed.sort()).toEqual(readdirSync('versions/src').sort());
  });
});
