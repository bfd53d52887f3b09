import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { withScratchFolder } from '../scratch-folder.mjs';
import { compiler, root, setup } from '../setup.mjs';
import { callsOfTests } from './calls.mjs';
import { coveringTests } from './covering-tests.mjs';
import { inTwoLanes } from './lanes.mjs';
import { isIn, mutated, readMutants, roomOf } from './mutants.mjs';
import { report } from './report.mjs';
import { hashOf, openResults } from './results.mjs';

const REPORT = join(root, 'docs', 'mutants.md');
const SECONDS_MAX = 60;
/** Tests take this long at most without a mutant, so that one that takes all of the time is known to be its doing. */
const SECONDS_OF_TESTS = 30;

/**
 * Runs the mutants that have no result yet, prints the table, and writes it to docs/mutants.md once every mutant has one.
 * @param {readonly string[]} args
 */
export async function runMutants(args) {
  const { values: options } = parseArgs({
    args,
    options: {
      room: { type: 'string', multiple: true },
      id: { type: 'string', multiple: true },
      again: { type: 'boolean', default: false },
      /** For looking at survivors: more tests, and more time. */
      seconds: { type: 'string', default: String(SECONDS_OF_TESTS) },
      /** For a busy machine: so many times the time. */
      patience: { type: 'string', default: '1' },
    },
  });
  setup((sentence) => console.log(sentence));
  // All of them, whatever is run: one that no longer applies must not go unnoticed.
  const mutants = readMutants().map(withTexts);
  const wanted = mutants.filter(({ mutant }) => isWanted(mutant, options));
  if (wanted.length === 0) throw new Error('There is no such mutant.');
  const results = openResults();
  const planned = await withScratchFolder(async (scratch) => {
    const calls = withTestTexts(await callsOfTests(scratch, console.log));
    const plan = (one) => ({ ...one, ...planOf(one, calls, Number(options.seconds)) });
    const waiting = wanted
      .map(plan)
      .filter(({ mutant, ...one }) => !mutant.equivalent && (options.again || results.of(one) === undefined));
    console.log(`${wanted.length} mutants, ${waiting.length} of them to be run`);
    await inTwoLanes(scratch, waiting, (lane, one) => runOne(lane, one, results, limitOf(options)));
    return mutants.map(plan);
  });
  const found = planned.map(({ mutant, ...one }) => ({
    mutant,
    result: mutant.equivalent ? undefined : results.of(one),
  }));
  conclude(
    found,
    found.filter(({ mutant }) => isWanted(mutant, options)),
  );
}

function isWanted({ id, file }, { room, id: ids }) {
  return (!room || room.some((named) => isIn(roomOf(file), named))) && (!ids || ids.includes(id));
}

function withTexts(mutant) {
  const text = readFileSync(join(root, mutant.file), 'utf8');
  return { mutant, text, withMutant: mutated(text, mutant) };
}

function withTestTexts(calls) {
  return new Map(
    [...calls].map(([test, one]) => [test, { ...one, text: readFileSync(join(root, test), 'utf8') }]),
  );
}

function planOf({ mutant, text, withMutant }, calls, secondsMax) {
  const position = text.indexOf(mutant.replace) + firstDifference(mutant.replace, mutant.by);
  const known = mutant.tests ?? [];
  const others = coveringTests({ file: mutant.file, text, position, secondsMax }, calls);
  const tests = [...known, ...others.filter((test) => !known.includes(test))];
  const testsHash = hashOf(...tests.map((test) => `${test} ${calls.get(test)?.hash}`));
  return { tests, testsHash, key: hashOf(mutant.file, withMutant) };
}

function firstDifference(one, other) {
  return [...one].findIndex((char, index) => char !== other[index]);
}

function limitOf({ seconds, patience }) {
  return Math.max(SECONDS_MAX, 2 * Number(seconds)) * Number(patience);
}

async function runOne(lane, { mutant, text, withMutant, tests, ...keys }, results, limit) {
  const path = join(lane.folder, mutant.file);
  const ask = (asked) => lane.ask({ changed: [mutant.file], tests: asked, seconds: limit });
  writeFileSync(path, withMutant);
  const answer = await ask(tests);
  let result = verdictOf(answer);
  if (result.verdict === 'survived' && (await failsTypes(lane.folder)))
    result = { ...result, verdict: 'killed', by: 'types' };
  writeFileSync(path, text);
  const doubt = answer.isStuck
    ? 'the test runner did not come back'
    : await doubtAbout(result, tests, limit, ask);
  if (doubt === undefined) results.set(keys, result);
  console.log(`${mutant.id} ${doubt ? `UNDECIDED: ${doubt}` : line(result, tests)}`);
}

/** What failed must pass without the mutant, and what took all of the time must take less than half of it. */
async function doubtAbout({ by, failure }, tests, limit, ask) {
  if (by !== 'test' && by !== 'time') return undefined;
  const failed = tests.filter((test) => failure?.startsWith(`${test}: `));
  const without = await ask(failed.length > 0 ? failed : tests);
  if (without.failed.length > 0 && !without.timedOut) return `fails without it: ${without.failed[0]}`;
  if (without.timedOut || (by === 'time' && without.seconds > limit / 2))
    return `its tests take ${Math.round(without.seconds)} s without it`;
  return undefined;
}

function verdictOf({ failed, timedOut, seconds }) {
  if (timedOut) return { verdict: 'killed', by: 'time', seconds };
  if (failed.length > 0) return { verdict: 'killed', by: 'test', failure: failed[0], seconds };
  return { verdict: 'survived', seconds };
}

/** That a name is unused now says nothing about what was done with it. */
const UNUSED_NAMES = ['--noUnusedLocals', 'false', '--noUnusedParameters', 'false'];

async function failsTypes(folder) {
  for (const project of ['tsconfig.json', 'client/tsconfig.json']) {
    const checking = spawn(process.execPath, [compiler, '-p', project, ...UNUSED_NAMES], {
      cwd: folder,
      stdio: 'ignore',
    });
    const [status] = await once(checking, 'exit');
    if (status !== 0) return true;
  }
  return false;
}

function line({ verdict, by, failure, seconds }, tests) {
  const how =
    verdict === 'killed'
      ? `killed by ${by}${failure ? `: ${failure}` : ''}`
      : `SURVIVED ${tests.join(' ') || 'no test calls it'}`;
  return `${Math.round(seconds)} s ${how}`;
}

function conclude(found, wanted) {
  console.log(report(wanted));
  const missing = found.filter(({ mutant, result }) => !mutant.equivalent && result === undefined);
  if (missing.length === 0) writeFileSync(REPORT, report(found));
  else console.log(`${missing.length} mutants have not been run: docs/mutants.md is not written.`);
  const survived = wanted.filter(({ result }) => result?.verdict === 'survived');
  process.exitCode = survived.length === 0 ? 0 : 1;
}
