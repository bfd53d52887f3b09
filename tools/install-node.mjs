// Other versions of Node, from npm's `node` package, kept outside of the work tree's own dependencies.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './setup.mjs';

/** Installs the newest Node of a major version, once, and answers with the path of its binary. */
export function installNode(major) {
  const folder = join(root, 'node_modules', '.cache', 'dateline', `node-${major}`);
  const binary = join(folder, 'node_modules', 'node', 'bin', 'node');
  if (existsSync(binary)) return binary;
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'package.json'), '{"private":true}');
  const args = ['install', `node@${major}`, '--no-audit', '--no-fund', '--loglevel=error', '--no-save'];
  const { status } = spawnSync('npm', args, { cwd: folder, stdio: ['ignore', 2, 2] });
  if (status !== 0 || !existsSync(binary)) throw new Error(`npm could not install node@${major}`);
  return binary;
}
