import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { installNode } from './install-node.mjs';
import { root, setup } from './setup.mjs';

const SUPPORTED_NODES = [20, 24, 26];
const REPORT = join(root, 'docs', 'test-long.md');

/** Runs everything even if something fails, prints a table and keeps it in docs/test-long.md. */
export function runLongChecks() {
  setup((sentence) => console.log(sentence));
  const rows = [
    runLongTests(),
    ...SUPPORTED_NODES.map((major) => runSuite(isThisNode(major) ? process.execPath : installNode(major))),
  ];
  writeFileSync(REPORT, report(rows));
  const sum = (name) => rows.reduce((total, row) => total + row[name], 0);
  console.log(readFileSync(REPORT, 'utf8'));
  console.log(`${sum('passed')} passed, ${sum('failed')} failed`);
  process.exitCode = sum('failed') === 0 ? 0 : 1;
}

function isThisNode(major) {
  return process.version.startsWith(`v${major}.`);
}

function runLongTests() {
  console.log('Running the long tests');
  const folder = mkdtempSync(join(tmpdir(), 'dateline-long-'));
  const resultFile = join(folder, 'results.json');
  const args = [
    'run',
    '--config',
    'vitest.long.config.ts',
    '--reporter=default',
    '--reporter=json',
    `--outputFile.json=${resultFile}`,
  ];
  const startedAt = Date.now();
  const { status } = spawnSync(
    process.execPath,
    [join(root, 'node_modules', 'vitest', 'vitest.mjs'), ...args],
    {
      cwd: root,
      stdio: 'inherit',
    },
  );
  const counts = readCounts(resultFile, status);
  rmSync(folder, { recursive: true, force: true });
  return {
    what: `long tests (\`test/long/\`) on Node ${process.version.slice(1)}`,
    ...counts,
    minutes: minutesSince(startedAt),
  };
}

function readCounts(resultFile, status) {
  try {
    const { numPassedTests: passed, numFailedTests: failed } = JSON.parse(readFileSync(resultFile, 'utf8'));
    return { passed, failed: status === 0 ? failed : Math.max(failed, 1) };
  } catch {
    return { passed: 0, failed: 1 };
  }
}

/** The whole of `npm test`, children included, on one Node. */
function runSuite(node) {
  const version = spawnSync(node, ['--version'], { encoding: 'utf8' }).stdout.trim().slice(1);
  console.log(`Running the suite on Node ${version}`);
  const startedAt = Date.now();
  const { stdout } = spawnSync(node, [join(root, 'tools', 'test.mjs')], {
    cwd: root,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'inherit'],
    maxBuffer: 64 * 1024 * 1024,
  });
  const [, passed, failed] = /(\d+) passed, (\d+) failed\s*$/.exec(stdout) ?? [undefined, 0, 1];
  if (Number(failed) > 0) console.log(stdout);
  return {
    what: `\`npm test\` on Node ${version}`,
    passed: Number(passed),
    failed: Number(failed),
    minutes: minutesSince(startedAt),
  };
}

function minutesSince(startedAt) {
  return ((Date.now() - startedAt) / 60_000).toFixed(1);
}

function report(rows) {
  const date = new Date().toISOString().slice(0, 10);
  return `# The last long run

Written by \`npm run test:long\` on ${date}.

| what | passed | failed | minutes |
|---|---|---|---|
${rows.map(({ what, passed, failed, minutes }) => `| ${what} | ${passed} | ${failed} | ${minutes} |`).join('\n')}
`;
}
