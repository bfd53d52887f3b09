import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../setup.mjs';

/**
 * @typedef {{ folder: string, name: string, version: string }} Package
 * @typedef {Package & { tarball: string, bytes: number, unpackedBytes: number, files: string[] }} Packed
 */

/**
 * The packages of this repository that are published, the service last: whoever sees it there finds the others.
 * @returns {Package[]}
 */
export function publishedPackages() {
  const { workspaces } = manifestIn(root);
  return [...workspaces.map((workspace) => join(root, workspace)), root]
    .map((folder) => ({ folder, ...manifestIn(folder) }))
    .filter((manifest) => manifest.private !== true)
    .map(({ folder, name, version }) => ({ folder, name, version }));
}

function manifestIn(folder) {
  return JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
}

/**
 * Packs a package as `npm pack` does, which builds first what is missing or out of date.
 * @param {Package} published
 * @param {string} target a folder
 * @param {readonly string[]} options further options of `npm pack`
 * @returns {Packed}
 */
export function pack(published, target, options = []) {
  const output = npm(['pack', '--json', '--pack-destination', target, ...options], published.folder);
  // A build may print before it.
  const [{ filename, size, unpackedSize, files }] = JSON.parse(output.slice(output.indexOf('[\n')));
  return {
    ...published,
    tarball: join(target, filename),
    bytes: size,
    unpackedBytes: unpackedSize,
    files: files.map(({ path }) => path),
  };
}

/** Runs npm to its end, and returns its output; throws with what it said if it fails. */
export function npm(args, cwd, env = process.env) {
  const { status, stdout, stderr } = spawnSync('npm', args, {
    cwd,
    env,
    encoding: 'utf8',
    maxBuffer: 64 * 1024 * 1024,
  });
  if (status !== 0) throw new Error(`npm ${args.slice(0, 2).join(' ')} failed:\n${stderr}${stdout}`);
  return stdout;
}
