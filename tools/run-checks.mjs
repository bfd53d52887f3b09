import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { lastLine, leftOutIn } from './left-out.mjs';
import { withScratchFolder } from './scratch-folder.mjs';
import { root, setup } from './setup.mjs';

const bin = (name, path) => join(root, 'node_modules', name, ...path);
const compiler = bin('typescript', ['bin', 'tsc']);

/** More threads of the compiler do much of their work twice, which beside tests takes longer. */
const typesOf = (project) => [compiler, '-p', project, '--singleThreaded'];

/** Checks beside the tests, which run while the tests wait. */
const CHECKS = [
  ['Types', typesOf('tsconfig.json')],
  // The client runs in browsers too: nothing of Node may be in it.
  ['Types of the client', typesOf('client/tsconfig.json')],
  ['Types of the console', typesOf('console/tsconfig.json')],
  ['Style', [bin('@biomejs/biome', ['bin', 'biome']), 'check', '--error-on-warnings', '.']],
];

/**
 * Everything; or, where the arguments name test files, those alone, without checks that read the whole tree.
 * @param {readonly string[]} vitestArguments
 */
export async function runChecks(vitestArguments) {
  setup((sentence) => console.log(sentence));
  const namesFiles = vitestArguments.some((argument) => !argument.startsWith('-'));
  const checking = namesFiles ? Promise.resolve(0) : countFailedChecks();
  const { passed, failed, complete } = await withScratchFolder((folder) =>
    runVitest(vitestArguments, folder),
  );
  const allFailed = failed + (await checking) + (complete ? 0 : 1);
  if (namesFiles) console.log('Types and style were not checked: npm test without a path does that.');
  console.log(lastLine({ passed, failed: allFailed }, leftOutIn(root)));
  process.exitCode = allFailed === 0 && passed > 0 ? 0 : 1;
}

async function countFailedChecks() {
  let failed = 0;
  for (const [what, args] of CHECKS) {
    const { status, output } = await run(args, 'pipe');
    console.log(status === 0 ? `${what}: checked` : `${what}: failed\n${output}`);
    if (status !== 0) failed += 1;
  }
  return failed;
}

async function runVitest(args, folder) {
  const resultFile = join(folder, 'results.json');
  const reporters = [
    `--reporter=${join(root, 'tools', 'progress-reporter.mjs')}`,
    '--reporter=json',
    `--outputFile.json=${resultFile}`,
  ];
  const vitest = [bin('vitest', ['vitest.mjs']), 'run', ...reporters, ...args];
  const { status } = await run(vitest, 'inherit', { TMPDIR: folder });
  try {
    const report = JSON.parse(readFileSync(resultFile, 'utf8'));
    const { numPassedTests: passed, numFailedTests: failed, success } = report;
    // A file that cannot even be loaded has no failed test, but fails the run; the exit status alone may not show it.
    return { passed, failed, complete: (status === 0 && success) || failed > 0 };
  } catch {
    return { passed: 0, failed: 0, complete: false };
  }
}

/** @returns {Promise<{ status: number | null, output: string }>} */
function run(args, stdio, env = {}) {
  return new Promise((resolve) => {
    const child = spawn(process.execPath, args, {
      cwd: root,
      env: { ...process.env, ...env },
      stdio: ['ignore', stdio, stdio],
    });
    const chunks = [];
    child.stdout?.on('data', (chunk) => chunks.push(chunk));
    child.stderr?.on('data', (chunk) => chunks.push(chunk));
    child.once('close', (status) => resolve({ status, output: Buffer.concat(chunks).toString() }));
  });
}
