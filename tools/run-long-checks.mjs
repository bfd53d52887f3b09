import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { installNode } from './install-node.mjs';
import { installRealDocuments } from './real-documents.mjs';
import { root, setup } from './setup.mjs';

const SUPPORTED_NODES = [20, 24, 26];
const REPORT = join(root, 'docs', 'test-long.md');
const RELEASES = 'test/long/contract-release.test.ts';
const FAILOVERS = 'test/long/failovers.test.ts';
const DEPLOY = ['manifests', 'image', 'guide'].map((name) => `test/long/deploy-${name}.test.ts`);
const PACKAGE = 'test/long/package.test.ts';
const POOLER = 'test/long/pooler.test.ts';
const RESTORE = 'test/long/restore.test.ts';
const UPGRADE = 'test/long/upgrade.test.ts';
const DEV = 'test/long/dev-edits.test.ts';
const DOCUMENTS = [
  ...[
    'real-documents',
    'largest-document',
    'mock-answers',
    'year-of-changes',
    'imported-documents',
    'mocked-imports',
  ],
].map((name) => `test/long/${name}.test.ts`);

/** Files that are a part, or some of one, of their own. */
const PARTED = [RELEASES, FAILOVERS, PACKAGE, POOLER, RESTORE, UPGRADE, DEV, ...DEPLOY, ...DOCUMENTS];

/** Each part is a list of runs, in the order in which they are done. */
const PARTS = {
  crashes: () => [
    longTests(
      'crashes, faults and an old Node',
      PARTED.flatMap((file) => ['--exclude', file]),
    ),
  ],
  failovers: () => [longTests('failovers to a synchronous standby', [FAILOVERS])],
  restore: () => [longTests('restores, to a point in time on PostgreSQL', [RESTORE])],
  upgrade: () => [longTests('an upgrade from a former build, under load', [UPGRADE])],
  dev: () => [longTests('a hundred edits of an API folder, under load', [DEV])],
  documents: () => {
    installRealDocuments((sentence) => console.log(sentence));
    return [longTests('ten public documents as API folders', DOCUMENTS)];
  },
  deploy: () => [longTests('manifests, image, and docs/deploy.md on a Debian machine', DEPLOY)],
  scale: () => [longTests('docs/scale.md on a Debian machine', ['test/long/scale-guide.test.ts'])],
  releases: () => [longTests('four releases in a row', [RELEASES])],
  package: () => [longTests('the packages in empty folders, with Node 20, 24 and 26', [PACKAGE])],
  pooler: () => [
    longTests('PgBouncer restarted under load', [POOLER]),
    onDatabaseWay('pooler', 'suites through PgBouncer in transaction mode'),
  ],
  roles: () => [onDatabaseWay('roles', 'suites with the role that serves')],
  matrix: () => [suite(process.execPath, { TEST_MATRIX: 'full' }, 'every suite on both databases')],
  faults: () => [{ what: 'twenty faults, the short form of `npm run test:faults`', run: runShortFaults }],
  node: () =>
    SUPPORTED_NODES.map((major) => suite(isThisNode(major) ? process.execPath : installNode(major))),
};

/**
 * Runs everything, or the parts that are named, even if something fails; prints a table and keeps it in
 * docs/test-long.md. Parts that were not run keep their rows.
 * @param {readonly string[]} wanted
 */
export function runLongChecks(wanted) {
  const unknown = wanted.find((part) => !(part in PARTS));
  if (unknown !== undefined) {
    console.error(`There is no part "${unknown}"; there are: ${Object.keys(PARTS).join(', ')}.`);
    process.exitCode = 1;
    return;
  }
  setup((sentence) => console.log(sentence));
  const parts = wanted.length > 0 ? wanted : Object.keys(PARTS);
  const kept = keptRows(parts);
  const rows = [];
  for (const part of parts) {
    rows.push(...PARTS[part]().map((run) => rowOf(part, run)));
    // What is shown stays shown if the rest is cut off.
    writeFileSync(REPORT, report([...kept, ...rows]));
  }
  const sum = (name) => rows.reduce((total, row) => total + row[name], 0);
  console.log(readFileSync(REPORT, 'utf8'));
  console.log(`${sum('passed')} passed, ${sum('failed')} failed`);
  process.exitCode = sum('failed') === 0 ? 0 : 1;
}

function isThisNode(major) {
  return process.version.startsWith(`v${major}.`);
}

function rowOf(part, { what, run }) {
  console.log(`Next: ${part}: ${what}`);
  const startedAt = Date.now();
  const { passed, failed } = run();
  const minutes = ((Date.now() - startedAt) / 60_000).toFixed(1);
  console.log(`${part}: ${passed} passed, ${failed} failed, ${minutes} minutes`);
  return { part, what, passed, failed, minutes, on: new Date().toISOString().slice(0, 10) };
}

function longTests(what, args) {
  const config = ['--config', 'vitest.long.config.ts'];
  return { what: `${what}, on Node ${process.version.slice(1)}`, run: () => runVitest([...config, ...args]) };
}

/** What depends on how a service reaches its database: see test/support/database/database-way.ts. */
const SUITES_OF_SERVICE = ['http', 'oauth', 'webhooks', 'releases', 'process'].map((room) => `test/${room}/`);

function onDatabaseWay(way, what) {
  return { what, run: () => runVitest(SUITES_OF_SERVICE, { TEST_DATABASE_WAY: way }) };
}

function runVitest(args, env = {}) {
  const folder = mkdtempSync(join(tmpdir(), 'dateline-long-'));
  const resultFile = join(folder, 'results.json');
  const vitest = join(root, 'node_modules', 'vitest', 'vitest.mjs');
  const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${resultFile}`];
  const { status } = spawnSync(process.execPath, [vitest, 'run', ...reporters, ...args], {
    cwd: root,
    stdio: 'inherit',
    env: { ...process.env, ...env },
  });
  const counts = readCounts(resultFile, status);
  rmSync(folder, { recursive: true, force: true });
  return counts;
}

function runShortFaults() {
  const harness = join(root, 'tools', 'test-faults.mjs');
  const { status } = spawnSync(process.execPath, [harness, '--short'], { cwd: root, stdio: 'inherit' });
  return status === 0 ? { passed: 1, failed: 0 } : { passed: 0, failed: 1 };
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
function suite(node, env = {}, what = '`npm test`') {
  const version = spawnSync(node, ['--version'], { encoding: 'utf8' }).stdout.trim().slice(1);
  return { what: `${what}, on Node ${version}`, run: () => runSuite(node, env) };
}

function runSuite(node, env) {
  const { stdout } = spawnSync(node, [join(root, 'tools', 'test.mjs')], {
    cwd: root,
    env: { ...process.env, ...env },
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'inherit'],
    maxBuffer: 64 * 1024 * 1024,
  });
  const [, passed, failed] = /(\d+) passed, (\d+) failed\s*$/.exec(stdout) ?? [undefined, 0, 1];
  if (Number(failed) > 0) console.log(stdout);
  return { passed: Number(passed), failed: Number(failed) };
}

const ROW = /^\| (\w+) \| (.+) \| (\d+) \| (\d+) \| ([\d.]+) \| ([\d-]+) \|$/gm;

/** The rows of an earlier report for the parts that were not run now. */
function keptRows(parts) {
  return [...readFileSync(REPORT, 'utf8').matchAll(ROW)]
    .map(([, part, what, passed, failed, minutes, on]) => ({ part, what, passed, failed, minutes, on }))
    .filter(({ part }) => part in PARTS && !parts.includes(part));
}

function report(rows) {
  const order = Object.keys(PARTS);
  const sorted = [...rows].sort((one, other) => order.indexOf(one.part) - order.indexOf(other.part));
  const lines = sorted.map(
    ({ part, what, passed, failed, minutes, on }) =>
      `| ${part} | ${what} | ${passed} | ${failed} | ${minutes} | ${on} |`,
  );
  return `# The last long run

Written by \`npm run test:long\`. \`npm run test:long -- ${order.join('`, `-- ')}\` run one part each.

| part | what | passed | failed | minutes | on |
|---|---|---|---|---|---|
${lines.join('\n')}
`;
}
