// A test runner in a copy of the tree, in a process of its own. It stays from mutant to mutant: most of what a run costs is
// starting PostgreSQL and migrating. It is asked by messages, `{ changed, tests, seconds }`.
import { execFileSync } from 'node:child_process';
import { relative, resolve } from 'node:path';
import { BaseSequencer, createVitest } from 'vitest/node';

/** As asked: the nearest first. */
class AsAsked extends BaseSequencer {
  async sort(files) {
    return files;
  }
}

const measures = process.env.MUTANTS_CALLS !== undefined;
/** Beside the setup files that every test has. */
const recorder = {
  name: 'record-calls',
  config: () => ({ test: { setupFiles: ['tools/mutants/record-calls.mjs'] } }),
};
const vitest = await createVitest(
  'test',
  {
    watch: false,
    reporters: [{}],
    maxWorkers: 1,
    // Measuring goes on where a file fails.
    bail: measures ? 0 : 1,
    sequence: { sequencer: AsAsked },
  },
  { plugins: measures ? [recorder] : [] },
);

/** The file of the mutant before, which has been put back since. */
let before = [];
process.on('message', ({ changed, tests, seconds }) => {
  for (const file of [...before, ...changed]) vitest.invalidateFile(resolve(file));
  before = changed;
  void answer(tests, seconds).then((found) => process.send(found, () => found.isStuck && end()));
});
process.on('disconnect', () => void Promise.race([vitest.close(), pause(20)]).finally(end));
// The database is started with the first test, which is none of a mutant's.
await run(['test/tools/mutants.test.ts']);
process.send({ ready: true });

/** A loop without end does not listen, so its process is killed. Where the runner waits for it even so, this one ends too. */
async function answer(tests, secondsMax) {
  const startedAt = performance.now();
  const running = run(tests);
  const isDone = await Promise.race([running.then(() => true), pause(secondsMax).then(() => false)]);
  if (!isDone)
    for (const worker of children(process.pid).filter(({ command }) => /vitest/.test(command))) kill(worker);
  const found = isDone || (await Promise.race([running.then(() => true), pause(15).then(() => false)]));
  const seconds = (performance.now() - startedAt) / 1000;
  return {
    ...(found ? await running : { failed: [], files: [] }),
    seconds,
    timedOut: !isDone,
    isStuck: !found,
  };
}

async function run(tests) {
  const found = await vitest.globTestSpecifications();
  const asked = tests.flatMap((test) => found.filter(({ moduleId }) => relative('.', moduleId) === test));
  // It remembers the files of all runs, and their failures.
  vitest.state.filesMap.clear();
  vitest.state.clearErrors();
  const { testModules, unhandledErrors } = await vitest.runTestSpecifications(asked);
  const unhandled = unhandledErrors.map(({ message }) => `unhandled: ${message}`);
  return { failed: [...testModules.flatMap(failuresOf), ...unhandled], files: testModules.map(factsOf) };
}

function pause(seconds) {
  return new Promise((resolve) => setTimeout(resolve, seconds * 1000).unref());
}

/** With whatever it has started, the database for one. */
function end() {
  for (const child of children(process.pid)) kill(child);
  process.exit(0);
}

function kill({ pid }) {
  for (const child of children(pid)) kill(child);
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // It has just ended.
  }
}

function children(parent) {
  const listed = execFileSync('ps', ['-A', '-o', 'pid=,ppid=,args='], { encoding: 'utf8' });
  return [...listed.matchAll(/^\s*(\d+)\s+(\d+)\s+(.*)$/gm)]
    .map(([, pid, ppid, command]) => ({ pid: Number(pid), ppid: Number(ppid), command }))
    .filter(({ ppid }) => ppid === parent);
}

function failuresOf(testModule) {
  const file = testModule.relativeModuleId;
  const firstLine = ({ message }) => message.split('\n')[0];
  const loading = testModule.errors().map((error) => `${file}: ${firstLine(error)}`);
  const suites = [...testModule.children.allSuites()].flatMap((suite) =>
    suite.errors().map((error) => `${file}: ${suite.fullName}: ${firstLine(error)}`),
  );
  const tests = [...testModule.children.allTests('failed')].map((test) => {
    const [error] = test.result().errors;
    return `${file}: ${test.fullName}: ${error ? firstLine(error) : ''}`;
  });
  return [...loading, ...suites, ...tests];
}

function factsOf(testModule) {
  const { duration, collectDuration } = testModule.diagnostic();
  const seconds = (duration + collectDuration) / 1000;
  return { test: testModule.relativeModuleId, ok: testModule.ok(), seconds };
}
