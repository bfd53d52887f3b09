import { spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { describeInLongRuns } from '../support/run/in-long-runs.ts';

const HANDLERS = 'src/http/api/operations/products.ts';
const BODY = 'src/products/product-body.ts';
const CONTRACT = 'src/contracts/head/products.ts';

/** Mistakes of a maintainer, each in a place of its own: what is there, and what stands there instead. */
const mistakes: readonly [file: string, right: string | RegExp, wrong: string][] = [
  [BODY, '    visibility: product.visibility,\n', ''],
  [HANDLERS, "'products:delete'", "'products:remove'"],
  [HANDLERS, /metadata, (.*\.\.\.rest } = body;)/, '$1'],
  [
    CONTRACT,
    '    name: Name,\n    description:',
    '    name: Name,\n    weight: Type.Optional(Type.Integer()),\n    description:',
  ],
];

describeInLongRuns('the compiler names', () => {
  let folder: string;
  let problems: string;
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'dateline-types-'));
    cpSync('src', join(folder, 'src'), { recursive: true });
    for (const name of ['node_modules', 'versions']) symlinkSync(resolve(name), join(folder, name));
    // Without it the compiler has something to say of every file, more than is read of it.
    writeFileSync(join(folder, 'package.json'), JSON.stringify({ type: 'module' }));
    const { compilerOptions } = JSON.parse(readFileSync('tsconfig.json', 'utf8'));
    // With what they import, and no more: the whole tree takes many times as long.
    const files = [...new Set(mistakes.map(([file]) => file))];
    writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions, files }));
    for (const [file, right, wrong] of mistakes) {
      const text = readFileSync(join(folder, file), 'utf8');
      expect(text.replace(right, wrong), `${right}`).not.toBe(text);
      writeFileSync(join(folder, file), text.replace(right, wrong));
    }
    const compiler = resolve('node_modules', 'typescript', 'bin', 'tsc');
    problems = spawnSync(process.execPath, [compiler, '-p', folder, '--pretty', 'false'], {
      cwd: folder,
      encoding: 'utf8',
    }).stdout;
  });
  afterAll(() => rmSync(folder, { recursive: true }));

  it.each([
    ['a field that an answer forgets', BODY, "Property 'visibility' is missing"],
    ['an operation without a handler', HANDLERS, "'products:remove'"],
    ['a field that a command does not map', HANDLERS, 'metadata\\?: '],
    ['a new field of the contract that nothing maps', HANDLERS, 'weight\\?: '],
  ])('%s', (_what, file, problem) => {
    expect(problems).toMatch(new RegExp(`^${file}.*${problem}`, 'm'));
  });
});
