import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, posix } from 'node:path';
import { root } from '../setup.mjs';
import { importsOf } from '../syntax.mjs';
import { inTwoLanes } from './lanes.mjs';

const FILE = join(root, '.mutants', 'calls.json');
/** Programs of others, browsers, and what takes minutes. */
const ASIDE = /^test\/(long|stock|browser|bench)\//;
/** A file that takes longer is left to the others. */
const SECONDS_MAX = 120;

/**
 * @typedef {object} Calls of one test file, as it was measured
 * @property {string} hash
 * @property {boolean} ok
 * @property {number} seconds
 * @property {Record<string, string[]>} calls names of functions, by file
 */

/**
 * The functions that every test file calls in its own process. Only those are measured that are new or have changed, or whose
 * sources have moved.
 * @returns {Promise<Map<string, Calls>>}
 */
export async function callsOfTests(scratch, say) {
  const known = existsSync(FILE)
    ? new Map(Object.entries(JSON.parse(readFileSync(FILE, 'utf8'))))
    : new Map();
  const tests = testFiles();
  const stale = tests.filter((test) => !isFresh(test, known.get(test)));
  for (const test of known.keys()) if (!tests.includes(test)) known.delete(test);
  if (stale.length === 0) return known;
  say(`Measuring what ${stale.length} test files call`);
  const folder = join(scratch, 'calls');
  mkdirSync(folder, { recursive: true });
  await inTwoLanes(
    scratch,
    inBatches(stale),
    async (lane, batch) => {
      const { files } = await lane.ask({ changed: [], tests: batch, seconds: SECONDS_MAX * batch.length });
      const calls = callsIn(folder);
      for (const { test, ok, seconds } of files)
        known.set(test, {
          hash: hashOf(test),
          ok,
          seconds: Math.round(seconds * 10) / 10,
          calls: calls.get(test) ?? {},
        });
      write(known);
      say(`  ${[...known.values()].length} of ${tests.length} are measured`);
    },
    { MUTANTS_CALLS: folder },
  );
  return known;
}

function testFiles() {
  const found = ['test', 'versions/test'].flatMap((top) =>
    readdirSync(join(root, top), { recursive: true, encoding: 'utf8' }).map((name) => posix.join(top, name)),
  );
  return found
    .filter((file) => file.endsWith('.test.ts') && !ASIDE.test(file) && !startsProcesses(file))
    .sort();
}

/** True if a test runs the built program: a mutant would have to be built for it. */
function startsProcesses(test) {
  const reached = new Set([test]);
  for (const file of reached) {
    if (!/^(test|versions\/test)\//.test(file) || !file.endsWith('.ts') || !existsSync(join(root, file)))
      continue;
    if (textOf(file).includes('dateline.mjs')) return true;
    for (const next of importsOf(file, textOf(file))) reached.add(next);
  }
  return false;
}

function isFresh(test, known) {
  return (
    known?.hash === hashOf(test) && Object.keys(known.calls).every((file) => existsSync(join(root, file)))
  );
}

/** Small, so that both lanes end at the same time, and little is lost where the run is ended. */
function inBatches(tests) {
  const size = 6;
  return Array.from({ length: Math.ceil(tests.length / size) }, (_, index) =>
    tests.slice(index * size, (index + 1) * size),
  );
}

function callsIn(folder) {
  const files = readdirSync(folder).map((name) => JSON.parse(readFileSync(join(folder, name), 'utf8')));
  return new Map(files.map(({ test, calls }) => [test, calls]));
}

function write(known) {
  mkdirSync(join(root, '.mutants'), { recursive: true });
  writeFileSync(FILE, JSON.stringify(Object.fromEntries(known)));
}

function hashOf(file) {
  return createHash('sha256').update(textOf(file)).digest('hex');
}

function textOf(file) {
  return readFileSync(join(root, file), 'utf8');
}
