import { spawnSync } from 'node:child_process';
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, it } from 'vitest';

const fromRoot = (path: string): string => JSON.stringify(pathToFileURL(resolve(path)).href);

/**
 * Runs a program that has a log, in a process of its own. Returns the numbers that it logged, in order: at the very
 * end the last lines may come before a write that was in progress.
 */
function loggedBy(program: string): number[] {
  const prepared = `
    const { setup } = await import(${fromRoot('tools/setup.mjs')});
    setup();
    const { createLog } = await import(${fromRoot('dist/telemetry/log.js')});
    const log = createLog('info');
    const turn = () => new Promise((resolve) => setImmediate(resolve));
    const logTen = (first) => { for (let number = first; number < first + 10; number += 1) log.info({ number }); };
    ${program}`;
  const { stderr } = spawnSync(process.execPath, ['--input-type=module', '--eval', prepared], {
    encoding: 'utf8',
  });
  const lines = stderr.split('\n').filter((line) => line.startsWith('{'));
  return lines.map((line) => JSON.parse(line).number as number).sort((one, other) => one - other);
}

const upTo = (count: number): number[] => Array.from({ length: count }, (_, number) => number);

it.each([
  ['ends by itself', 'logTen(0);', 10],
  ['exits right after', 'logTen(0); process.exit(0);', 10],
  ['exits some turns later', 'logTen(0); await turn(); await turn(); process.exit(0);', 10],
  ['dies of an error', 'logTen(0); throw new Error("unexpected");', 10],
  [
    'exits in the middle of work',
    'for (let first = 0; first < 1000; first += 10) { logTen(first); await turn(); } logTen(1000); process.exit(0);',
    1010,
  ],
])('no line is lost where the process %s', (_how, program, count) => {
  expect(loggedBy(program)).toEqual(upTo(count));
});
