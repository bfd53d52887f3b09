import { execFile, execFileSync } from 'node:child_process';
import {
  cpSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { type ApiStep, apiSteps } from '@dateline/versions';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { apiSource } from '../../src/contracts/api.ts';
import { itInLongRuns } from '../support/run/in-long-runs.ts';
import { current, next } from '../support/service/build-versions.ts';

const COPIED = ['bin', 'src', 'tools', 'versions/src', 'package.json', 'package-lock.json', 'tsconfig.json'];

const step = apiSteps(apiSource()).find(({ newer }) => newer.version === next) as ApiStep;
const folder = `src/contracts/changes/${next}-to-${current}`;
const touches = (step.changes ?? []).flatMap((change) => change.touches);
/** Two operations that both versions have. */
const [one, other] = step.older.operations.map(({ id }) => id).filter((id) => !touches.includes(id)) as [
  string,
  string,
];

describe('dateline contract check, on a copy of the repository that was never built', () => {
  let copy: string;
  beforeEach(() => {
    copy = mkdtempSync(join(tmpdir(), 'dateline-check-'));
    for (const path of COPIED)
      cpSync(resolve(path), join(copy, path), {
        recursive: true,
        filter: (file) => basename(file) !== 'node_modules',
      });
    // Older than what is installed, so that nothing is installed again.
    utimesSync(join(copy, 'package-lock.json'), 0, 0);
    symlinkSync(resolve('node_modules'), join(copy, 'node_modules'));
    execFileSync('git', ['init', '-q'], { cwd: copy });
  });
  afterEach(() => rmSync(copy, { recursive: true, force: true }));

  const pathOf = (file: string) => join(copy, file);
  const append = (file: string, text: string) => writeFileSync(pathOf(file), text, { flag: 'a' });

  /** Puts a module before another: it imports that one as `./edited.ts`. */
  function edit(module: string, text: string): void {
    renameSync(pathOf(`${module}/index.ts`), pathOf(`${module}/edited.ts`));
    writeFileSync(pathOf(`${module}/index.ts`), `export * from './edited.ts';\n${text}`);
  }

  const changeTwoOperations = () =>
    edit(
      'src/contracts/head',
      `import { headContract as edited } from './edited.ts';
      export function headContract(version) {
        const contract = edited(version);
        const operations = contract.operations.map((operation) =>
          ['${one}', '${other}'].includes(operation.id) ? { ...operation, groups: ['another'] } : operation,
        );
        return { ...contract, operations };
      }`,
    );

  async function check(): Promise<{ code: number; stdout: string; stderr: string }> {
    const command = [join(copy, 'bin/dateline.mjs'), 'contract', 'check'];
    const done = promisify(execFile)(process.execPath, command, { cwd: copy });
    return done.then(
      ({ stdout, stderr }) => ({ code: 0, stdout, stderr }),
      ({ code, stdout, stderr }) => ({ code, stdout, stderr }),
    );
  }

  const uncovered = (id: string) =>
    `${id}.groups differs from ${next} to ${current}, but no change module touches it; write one in ${folder}/.`;

  it('names every difference that no module covers, and every module that covers nothing', async () => {
    changeTwoOperations();
    edit(
      folder,
      `import { changeSet as edited } from './edited.ts';
      const doNothing = { name: 'doNothing', touches: ['nowhere:at_all'] };
      export const changeSet = { ...edited, changes: [...edited.changes, doNothing] };`,
    );
    const { code, stdout, stderr } = await check();
    expect(code).toBe(1);
    expect(stdout).toBe('');
    expect(stderr.replace('dateline: ', '').trim().split('\n')).toEqual([
      ...[one, other].sort().map(uncovered),
      `doNothing (from ${next} to ${current}) touches nowhere:at_all, where nothing differs; correct it in ${folder}/, or delete the module.`,
    ]);
  });

  itInLongRuns('names both beside frozen files that were edited', async () => {
    changeTwoOperations();
    const contract = `src/contracts/frozen/${current}/contract.json`;
    writeFileSync(pathOf(contract), readFileSync(pathOf(contract), 'utf8').replace('"array"', '"object"'));
    const { code, stderr } = await check();
    expect(code).toBe(1);
    expect(stderr).toContain(
      `${current} is frozen, but its contract.json or its hash in lock.json was edited.`,
    );
    expect(stderr).toContain(uncovered(one));
    expect(stderr).not.toMatch(/^ +at /m);
  });

  itInLongRuns('lists what the versions hold, also where the rest of the tree does not compile', async () => {
    append('src/http/edge/dispatch.ts', 'const unfinished: = ;');
    append('src/main.ts', "export const wrong: number = 'text';");
    const { code, stdout, stderr } = await check();
    expect(code).toBe(0);
    // The copy has no history, and nothing else is said beside the table.
    expect(stderr).toMatch(/^History was not compared: [^\n]*\n$/);
    expect(stdout).toMatch(new RegExp(`^${current} +unchanged `, 'm'));
    const counts = `${step.differences.length} +${step.changes?.length}`;
    expect(stdout).toMatch(new RegExp(`^${next} +open +${current} +${counts} `, 'm'));
  });

  it('names file and line of a contract that cannot be read', async () => {
    const file = 'src/contracts/head/version.ts';
    const line = readFileSync(pathOf(file), 'utf8').split('\n').length;
    append(file, 'export const unfinished = [;\n');
    const { code, stderr } = await check();
    expect(code).toBe(1);
    expect(stderr).toContain(`dateline: ${file} has an error in line ${line}: `);
    expect(stderr).not.toMatch(/^ +at /m);
  });

  itInLongRuns('explains why contracts cannot be loaded', async () => {
    append('src/contracts/head/version.ts', "import { nothing } from './fields.ts';\nnothing();\n");
    const { code, stderr } = await check();
    expect(code).toBe(1);
    expect(stderr).toMatch(/^dateline: The contracts cannot be loaded: .*nothing.* names the line\.\n$/);
  });
});
