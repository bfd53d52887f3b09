// `npm run cases [-- area …]`: every numbered case with the tests that show it, in `npm test` and in
// `npm run test:long`; fails if one has none.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { root, setup } from './setup.mjs';

setup();
const casesFolder = join(root, 'test', 'cases');
const areas = readdirSync(casesFolder)
  .filter((file) => file !== 'retired.md')
  .map((file) => file.replace(/\.md$/, ''));
const wanted = process.argv.slice(2);
const unknown = wanted.find((area) => !areas.includes(area));
if (unknown) {
  console.error(`There are no cases "${unknown}"; there are: ${areas.join(', ')}.`);
  process.exit(1);
}

// In `npm test` most suites run on one database; `npm run test:long` runs every one of them on both.
const inShortRun = new Set(listTests({}).map(({ file, name }) => `${file} ${name}`));
const tests = listTests({ TEST_MATRIX: 'full' });
const retired = readRetired();
let gaps = 0;
for (const area of wanted.length > 0 ? wanted : areas) {
  for (const { number, title } of readCases(area)) {
    const shown = tests.filter(({ name }) => name.includes(`[${area} ${number}]`));
    const why = retired.get(`${area} ${number}`);
    const isGap = shown.length === 0 && why === undefined;
    if (isGap) gaps += 1;
    console.log(`${isGap ? 'GAP' : 'ok '} ${area} ${number}  ${title}${why ? ` (${why})` : ''}`);
    for (const line of new Set(shown.map(describeTest))) console.log(`      ${line}`);
  }
}
console.log(gaps === 0 ? 'Every case has a test.' : `${gaps} cases have no test.`);
process.exitCode = gaps === 0 ? 0 : 1;

function readCases(area) {
  const lines = readFileSync(join(casesFolder, `${area}.md`), 'utf8').matchAll(/^(\d+)\. (.*)$/gm);
  return [...lines].map(([, number, title]) => ({ number, title }));
}

/** Cases whose tests went with a version that is maintained no longer, and why. */
function readRetired() {
  const lines = readFileSync(join(casesFolder, 'retired.md'), 'utf8').matchAll(/^- (\w+ \d+): (.*)$/gm);
  return new Map([...lines].map(([, name, why]) => [name, why]));
}

/** Lists the full names of all tests, as the test runner reports them. */
function listTests(matrix) {
  const folder = mkdtempSync(join(tmpdir(), 'dateline-cases-'));
  const file = join(folder, 'tests.json');
  const vitest = join(root, 'node_modules', 'vitest', 'vitest.mjs');
  const { status } = spawnSync(process.execPath, [vitest, 'list', `--json=${file}`], {
    cwd: root,
    env: { ...process.env, ...matrix },
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  if (status !== 0) process.exit(1);
  const listed = JSON.parse(readFileSync(file, 'utf8'));
  rmSync(folder, { recursive: true });
  return listed;
}

function describeTest({ file, name }) {
  const [, engine] = /\((PGlite|PostgreSQL)\)/.exec(name) ?? [];
  const run = inShortRun.has(`${file} ${name}`) ? '' : ' (test:long)';
  return `${relative(root, file)}${engine ? ` on ${engine}` : ''}${run}`;
}
