// `npm run after-release -- [--dry-run] <frozen> [<deleted>…]`, called by `dateline contract release` when it has moved the
// contracts on: brings all of this repository up to date that follows from them.
import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { nextVersion } from '@dateline/versions';
import { root } from '../setup.mjs';
import { retireCases } from './retire-cases.mjs';

const READMES = ['README.md', 'client/README.md'];

process.chdir(root);
const args = process.argv.slice(2);
const [frozen, ...deleted] = args.filter((arg) => arg !== '--dry-run');
for (const { description, apply } of stepsAfter(frozen, deleted)) {
  console.log(description);
  if (!args.includes('--dry-run')) apply();
}

function stepsAfter(frozen, deleted) {
  return [
    ...deleted.map((version) => ({
      description: `Delete the tests of the changes since ${version}, and retire their cases`,
      apply: () =>
        retireCases(`test/contracts/changes/${nextVersion(version)}-to-${version}`, `went with ${version}`),
    })),
    { description: 'Move the versions that the READMEs name on by a quarter', apply: moveReadmesOn },
    { description: `Record how ${frozen} behaves (npm run tape)`, apply: () => npmRun('tape', frozen) },
    { description: 'Release the example of an API folder with it', apply: releaseExamples },
    { description: 'Write the generated documents (npm run docs)', apply: () => npmRun('docs') },
    { description: 'Write the client libraries (npm run client)', apply: () => npmRun('client') },
  ];
}

/** The examples of the READMEs name a removed, a deprecated, the current and the next version. */
function moveReadmesOn() {
  for (const readme of READMES) {
    const text = readFileSync(readme, 'utf8');
    writeFileSync(readme, text.replaceAll(/\b20\d\d-(01|04|07|10)\b(?!-)/g, nextVersion));
  }
}

/** An example that stays behind would soon have no version in common with us. */
function releaseExamples() {
  for (const name of readdirSync('examples')) {
    const args = ['bin/dateline.mjs', 'contract', 'release', '--api', `examples/${name}`];
    const { status } = spawnSync(process.execPath, args, { stdio: ['ignore', 2, 2] });
    if (status !== 0) fail(`examples/${name} could not be released`);
  }
}

/** Scripts build first what has become old by the steps before. */
function npmRun(script, ...args) {
  const { status } = spawnSync('npm', ['run', '--silent', script, '--', ...args], {
    stdio: ['ignore', 2, 2],
  });
  if (status !== 0) fail(`"npm run ${script}" failed`);
}

function fail(what) {
  console.error(`after-release: ${what}: read what it said above`);
  process.exit(1);
}
