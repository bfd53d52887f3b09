import { mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { describe, expect, expectTypeOf, it, onTestFinished } from 'vitest';
import { readBuild } from '../../src/api/build.ts';
import { type FolderConfig, readConfigFile } from '../../src/api/folder/config-file.ts';
import { loadErrors, type ToldError } from '../../src/api/folder/errors/load-errors.ts';
import { FolderError } from '../../src/api/folder/folder-problem.ts';
import { loadHandlers } from '../../src/api/folder/load-handlers.ts';
import { importModule } from '../../src/api/folder/modules/import-module.ts';
import type * as published from '../../src/folder.ts';
import { copyOrders, edit } from '../support/folder/orders-folder.ts';
import { runCommandLine } from '../support/service/command-line.ts';

const CONFIG = `
import { defineConfig } from 'dateline/folder';
import type { Change } from '@dateline/versions';
export type Unused = Change;
export default defineConfig({
  title: 'Things',
  upstream: { production: 'http://127.0.0.1:9', sandbox: 'http://127.0.0.1:8', audience: 'https://things.example' },
  scopes: {},
});
`;
const IN_JAVASCRIPT = CONFIG.replace(/import type .*\nexport type .*\n/, '');

/** A folder outside of this tree, without a `node_modules` of its own. */
function folderWith(files: Readonly<Record<string, string>>): string {
  const folder = mkdtempSync(join(tmpdir(), 'dateline-modules-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  for (const [file, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, file)), { recursive: true });
    writeFileSync(join(folder, file), text);
  }
  return folder;
}

async function messageOf(work: Promise<unknown>): Promise<string> {
  const error = await work.then(
    () => null,
    (failure: unknown) => failure,
  );
  if (error instanceof FolderError) return error.message;
  throw new Error('no FolderError was thrown', { cause: error });
}

const check = (folder: string) => runCommandLine(['contract', 'check', '--api', folder]);

describe('the configuration of an API folder', () => {
  it.each([
    ['.mjs', IN_JAVASCRIPT],
    ['.js', IN_JAVASCRIPT],
    ['.ts', CONFIG],
    ['.mts', CONFIG],
  ])('may be dateline.config%s, and needs nothing installed', async (extension, text) => {
    const folder = folderWith({ [`dateline.config${extension}`]: text });
    expect(await readConfigFile(folder)).toMatchObject({ title: 'Things' });
  });

  it('is one file: two are refused, with both names', async () => {
    const folder = folderWith({ 'dateline.config.mjs': IN_JAVASCRIPT, 'dateline.config.ts': CONFIG });
    expect(await messageOf(readConfigFile(folder))).toBe(
      'dateline.config.mjs: there is dateline.config.ts too, and only one of them can count; remove the other one.',
    );
  });

  it('has the name of its own file in what is wrong with it', async () => {
    const folder = copyOrders();
    edit(folder, 'dateline.config.mjs', (text) => text.replace(/ {4}'wishes:read': .*\n/, ''));
    const text = `import before from './before.mjs';\nexport default before satisfies object;\n`;
    moveConfig(folder, text);
    const { code, err } = await check(folder);
    expect(code).toBe(1);
    expect(err).toContain('add scopes["wishes:read"].consent to dateline.config.ts');
    expect(err).not.toContain('dateline.config.mjs');
  });

  it('has types that say what is checked', () => {
    expectTypeOf<published.FolderConfig>().toEqualTypeOf<FolderConfig>();
    expectTypeOf<ToldError>().toExtend<published.ToldError>();
  });
});

/** The configuration in TypeScript, which imports what it was before. */
function moveConfig(folder: string, text: string): void {
  renameSync(join(folder, 'dateline.config.mjs'), join(folder, 'before.mjs'));
  writeFileSync(join(folder, 'dateline.config.ts'), text);
}

describe('a module of an API folder', () => {
  it('that cannot be read is named with the line and the column in the file that was written', async () => {
    const folder = folderWith({
      'dateline.config.ts': "import { a } from './inner.ts';\nexport default a;\n",
    });
    writeFileSync(join(folder, 'inner.ts'), 'export const a: number = 1;\nexport const b = ];\n');
    expect(await messageOf(readConfigFile(folder))).toBe(
      'inner.ts:2:18: it cannot be loaded (Unexpected "]").\n' +
        '  1 | export const a: number = 1;\n> 2 | export const b = ];\n    |                  ^\n  3 |',
    );
  });

  it('that imports what is not there says so where it does', async () => {
    const folder = folderWith({
      'dateline.config.ts': "\nimport nothing from 'no-such-package';\nnothing();\n",
    });
    expect(await messageOf(readConfigFile(folder))).toMatch(
      /^dateline\.config\.ts:2:21: it cannot be loaded \(Could not resolve "no-such-package"\)\.\n/,
    );
  });

  it('that throws is named with the place that threw, in the process and on the command line', async () => {
    const inner =
      'interface Unused {\n  a: string;\n}\nexport function fail(): never {\n  throw new Error("boom");\n}\n';
    const folder = copyOrders();
    writeFileSync(join(folder, 'inner.ts'), inner);
    rmSync(join(folder, 'dateline.config.mjs'));
    writeFileSync(join(folder, 'dateline.config.ts'), "import { fail } from './inner.ts';\nfail();\n");
    expect(await messageOf(readConfigFile(folder))).toMatch(
      /^inner\.ts:5:9: it cannot be loaded \(boom\)\.\n {2}4 \| .*\n> 5 \| {3}throw new Error\("boom"\);\n/,
    );
    const { code, err } = await check(folder);
    expect([code, err]).toEqual([1, expect.stringContaining('inner.ts:5:9: it cannot be loaded (boom)')]);
  });

  it('knows its own place, wherever it is run', async () => {
    const folder = folderWith({
      'dateline.config.ts':
        "export { here } from './below/inner.ts';\nexport const own: string = import.meta.url;\n",
      'below/inner.ts': 'export const here = [import.meta.url, import.meta.dirname];\n',
    });
    const { here, own } = await importModule(folder, 'dateline.config.ts');
    expect(own).toBe(pathToFileURL(join(folder, 'dateline.config.ts')).href);
    expect(here).toEqual([pathToFileURL(join(folder, 'below/inner.ts')).href, join(folder, 'below')]);
  });

  it('loads packages of its folder as Node does, each once', async () => {
    const module = "import { state } from 'counter';\nexport const count = ++state.count;\n";
    const folder = folderWith({
      'one.ts': module,
      'other.ts': module,
      'node_modules/counter/package.json': '{"name":"counter","main":"index.js"}',
      'node_modules/counter/index.js': 'exports.state = { count: 0 };',
    });
    expect((await importModule(folder, 'one.ts')).count).toBe(1);
    expect((await importModule(folder, 'other.ts')).count).toBe(2);
  });

  it('is run once, and anew when it or a file that it imports was edited', async () => {
    const folder = folderWith({
      'one.ts': "export { value } from './inner.ts';\nexport const own = {};\n",
      'inner.ts': 'export const value = 1;\n',
    });
    const first = await importModule(folder, 'one.ts');
    expect(await importModule(folder, 'one.ts')).toBe(first);
    writeFileSync(join(folder, 'inner.ts'), 'export const value = 2;\n');
    const second = await importModule(folder, 'one.ts');
    expect([first.value, second.value]).toEqual([1, 2]);
  });

  it('may be handlers.ts and errors.ts', async () => {
    const folder = folderWith({
      'handlers.ts': `import { defineHandlers } from 'dateline/folder';
        export default defineHandlers({ 'a:b': async ({ request }) => ({ status: 200, body: request.body }) });`,
      'errors.ts': `import { defineErrors } from 'dateline/folder';
        export const schema = 'Error' as const;
        export default defineErrors(({ code }) => ({ body: { code } }));`,
    });
    expect(Object.keys(await loadHandlers(folder))).toEqual(['a:b']);
    expect(await loadErrors(folder)).toMatchObject({ schema: 'Error' });
  });

  it('counts for the id of a build, in TypeScript as well', async () => {
    const folder = copyOrders();
    const before = (await readBuild(folder)).id;
    const step = 'contract/changes/2027-01-to-2026-10/name-the-reason-of-conflicts.ts';
    edit(folder, step, (text) => `${text}\n// edited`);
    expect((await readBuild(folder)).id).not.toBe(before);
  });
});
