import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { root } from '../setup.mjs';
import { installInto, runScript, serveInstalled, tourScript } from './installed.mjs';
import { pack, publishedPackages } from './packages.mjs';
import { refusals } from './refusals.mjs';

const say = (sentence) => console.log(sentence);

/** @param {readonly string[]} args */
export async function release(args) {
  const { values } = parseArgs({
    args: [...args],
    options: { 'dry-run': { type: 'boolean', default: false } },
  });
  const isDry = values['dry-run'];
  const folder = mkdtempSync(join(tmpdir(), 'dateline-release-'));
  try {
    const packages = publishedPackages();
    say('Looking at the tree and the registry');
    const reasons = refusals({ ...readTree(), packages: packages.map(withMaintainers), user: signedInAs() });
    if (!isDry && reasons.length > 0) throw new Error(`nothing was published.\n${reasons.join('\n')}`);
    const packed = packages.map((one) => packInto(folder, one));
    await tryOut(join(folder, 'empty'), packed);
    if (isDry) return sayWhatWouldBe(packed, reasons);
    publish(packed);
  } catch (error) {
    console.error(`release: ${error.message}`);
    process.exitCode = 1;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function readTree() {
  const git = (...args) => execFileSync('git', args, { cwd: root, encoding: 'utf8' });
  return {
    changelog: readFileSync(join(root, 'CHANGELOG.md'), 'utf8'),
    changed: git('status', '--porcelain'),
    tags: git('tag', '--points-at', 'HEAD').split('\n'),
  };
}

function signedInAs() {
  const { status, stdout } = spawnSync('npm', ['whoami'], { encoding: 'utf8' });
  return status === 0 ? stdout.trim() : null;
}

/** With the names of those who may publish it: null where nobody has yet. */
function withMaintainers(published) {
  const args = ['view', published.name, 'maintainers', '--json'];
  const { status, stdout } = spawnSync('npm', args, { encoding: 'utf8' });
  const answer = JSON.parse(stdout.trim() || '[]');
  if (status === 0)
    return { ...published, maintainers: [answer].flat().map((one) => one.name ?? one.split(' ')[0]) };
  if (answer.error?.code === 'E404') return { ...published, maintainers: null };
  throw new Error(`npm could not look up ${published.name}: ${answer.error?.summary}`);
}

function packInto(folder, published) {
  say(`Packing ${published.name}`);
  return pack(published, folder);
}

/** As somebody does who has Node and an empty folder. */
async function tryOut(folder, packed) {
  say('Installing the packages into an empty folder');
  mkdirSync(folder);
  const installed = installInto(
    folder,
    packed.map(({ tarball }) => tarball),
  );
  say('Starting the installed service');
  const service = await serveInstalled(installed);
  try {
    say("Running the README's tour");
    const output = await runScript(tourScript(installed.readme, service), installed);
    say(`The tour was answered with ${output.split('\n').length} lines`);
  } finally {
    await service.stop();
  }
}

function sayWhatWouldBe(packed, reasons) {
  say('This would be published:');
  for (const { name, version, bytes, unpackedBytes, files } of packed)
    say(`  ${name} ${version}: ${size(bytes)}, ${size(unpackedBytes)} unpacked, ${files.length} files`);
  if (reasons.length > 0) say(`It would be refused today:\n${reasons.join('\n')}`);
}

function size(bytes) {
  return bytes < 1e6 ? `${Math.ceil(bytes / 1e3)} kB` : `${(bytes / 1e6).toFixed(1)} MB`;
}

function publish(packed) {
  for (const { name, version, tarball } of packed) {
    say(`Publishing ${name} ${version}`);
    // npm may ask for a one-time password.
    const { status } = spawnSync('npm', ['publish', tarball, '--access', 'public'], { stdio: 'inherit' });
    if (status !== 0) throw new Error(`npm publish failed for ${name}; those before it are published`);
  }
}
