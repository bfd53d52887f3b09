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

process.on('message', ({ changed, tests, seconds }) => {
  for (const file of changed) vitest.invalidateFile(resolve(file));
  void run(tests, seconds).then((answer) => process.send(answer));
});
process.on('disconnect', () => void vitest.close().finally(() => process.exit(0)));
process.send({ ready: true });

async function run(tests, secondsMax) {
  const found = await vitest.globTestSpecifications();
  const asked = tests.flatMap((test) => found.filter(({ moduleId }) => relative('.', moduleId) === test));
  // It remembers the files of all runs, and their failures.
  vitest.state.filesMap.clear();
  vitest.state.clearErrors();
  const startedAt = performance.now();
  let timedOut = false;
  const timer = setTimeout(() => {
    timedOut = true;
    endWorkers();
  }, secondsMax * 1000);
  const { testModules, unhandledErrors } = await vitest.runTestSpecifications(asked);
  clearTimeout(timer);
  const failed = [
    ...testModules.flatMap(failuresOf),
    ...unhandledErrors.map(({ message }) => `unhandled: ${message}`),
  ];
  return {
    failed,
    timedOut,
    seconds: (performance.now() - startedAt) / 1000,
    files: testModules.map(factsOf),
  };
}

/** A loop without end does not listen, so its process is killed, with the processes that it has started. */
function endWorkers() {
  const listed = execFileSync('ps', ['-A', '-o', 'pid=,ppid=,args='], { encoding: 'utf8' });
  const all = [...listed.matchAll(/^\s*(\d+)\s+(\d+)\s+(.*)$/gm)].map(([, pid, parent, command]) => ({
    pid: Number(pid),
    parent: Number(parent),
    command,
  }));
  const below = (parent) =>
    all.filter((one) => one.parent === parent).flatMap((one) => [one, ...below(one.pid)]);
  const workers = all.filter(({ parent, command }) => parent === process.pid && /vitest/.test(command));
  for (const { pid } of workers.flatMap((worker) => [worker, ...below(worker.pid)])) {
    try {
      process.kill(pid, 'SIGKILL');
    } catch {
      // It has just ended.
    }
  }
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
