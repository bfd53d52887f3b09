import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { root, setup } from './setup.mjs';

const bin = (name, path) => join(root, 'node_modules', name, ...path);

/** @param {readonly string[]} vitestArguments */
export function runChecks(vitestArguments) {
  setup((sentence) => console.log(sentence));
  const failedChecks = [
    check('Checking types', [bin('typescript', ['bin', 'tsc']), '-p', 'tsconfig.json']),
    // The client runs in browsers too: nothing of Node may be in it.
    check('Checking types of the client', [bin('typescript', ['bin', 'tsc']), '-p', 'client/tsconfig.json']),
    check('Checking style', [bin('@biomejs/biome', ['bin', 'biome']), 'check', '--error-on-warnings', '.']),
  ].filter((passed) => !passed).length;
  const { passed, failed, complete } = runVitest(vitestArguments);
  const allFailed = failed + failedChecks + (complete ? 0 : 1);
  console.log(`${passed} passed, ${allFailed} failed`);
  process.exitCode = allFailed === 0 && passed > 0 ? 0 : 1;
}

function check(sentence, args) {
  console.log(sentence);
  return run(args).status === 0;
}

function runVitest(args) {
  console.log('Running the tests');
  const folder = mkdtempSync(join(tmpdir(), 'dateline-results-'));
  const resultFile = join(folder, 'results.json');
  const { status } = run([
    bin('vitest', ['vitest.mjs']),
    'run',
    '--reporter=default',
    '--reporter=json',
    `--outputFile.json=${resultFile}`,
    ...args,
  ]);
  try {
    const report = JSON.parse(readFileSync(resultFile, 'utf8'));
    const { numPassedTests: passed, numFailedTests: failed, success } = report;
    // A file that cannot even be loaded has no failed test, but fails the run; the exit status alone may not tell.
    return { passed, failed, complete: (status === 0 && success) || failed > 0 };
  } catch {
    return { passed: 0, failed: 0, complete: false };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function run(args) {
  return spawnSync(process.execPath, args, { cwd: root, stdio: 'inherit' });
}
