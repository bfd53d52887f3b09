// Other people's tools that judge what we publish, with a lock of their own: only long runs need them, and they are many packages.
import { spawnSync } from 'node:child_process';
import { existsSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { root, takeTurns } from './setup.mjs';

const folder = join(root, 'tools', 'judges');
const lockFile = join(folder, 'package-lock.json');
const installedMark = join(folder, 'node_modules', '.package-lock.json');

/** Installs them once, and answers with the folder of their packages. */
export function installJudges() {
  let failed = false;
  if (!isInstalled()) takeTurns(say, () => (failed = !isInstalled() && !install()));
  if (failed) throw new Error('npm ci failed in tools/judges: read what it said above');
  return join(folder, 'node_modules');
}

const say = (sentence) => console.error(sentence);

function isInstalled() {
  return existsSync(installedMark) && statSync(installedMark).mtimeMs >= statSync(lockFile).mtimeMs;
}

function install() {
  // No scripts: one of them reports the installation to its makers, and none is needed.
  const args = ['ci', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error'];
  const { status } = spawnSync('npm', args, {
    cwd: folder,
    stdio: ['ignore', 2, 2],
    shell: process.platform === 'win32',
  });
  return status === 0;
}
