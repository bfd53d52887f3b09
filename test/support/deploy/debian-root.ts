import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { copyFileSync, cpSync, existsSync, mkdirSync, renameSync, symlinkSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';

const cache = resolve('node_modules', '.cache', 'dateline');
const NODE = 24;

const { installNode } = (await import('../../../tools/install-node.mjs' as string)) as {
  installNode(major: number): string;
};

/** A tree of Debian 12 with these packages, as a tar file. It is made once, from Debian's archive. */
export function debianRoot(variant: 'extract' | 'minbase', packages: readonly string[]): string {
  const id = createHash('sha256')
    .update(`${variant} ${packages.join(' ')}`)
    .digest('hex')
    .slice(0, 12);
  const file = join(cache, `debian-${id}.tar`);
  if (existsSync(file)) return file;
  mkdirSync(cache, { recursive: true });
  const draft = join(cache, `draft-${id}.tar`);
  const args = [`--variant=${variant}`, `--include=${packages.join(',')}`, 'bookworm', draft];
  execFileSync('mmdebstrap', args, { stdio: ['ignore', 'ignore', 'inherit'] });
  renameSync(draft, file);
  return file;
}

/** Puts Node from npm, and the npm of this machine, where Node's own installer puts them. */
export function addNode(root: string): void {
  const local = join(root, 'usr', 'local');
  const modules = join(local, 'lib', 'node_modules');
  mkdirSync(join(local, 'bin'), { recursive: true });
  mkdirSync(modules, { recursive: true });
  copyFileSync(installNode(NODE), join(local, 'bin', 'node'));
  const npm = execFileSync('bash', ['-c', 'readlink -f "$(command -v npm)"'], { encoding: 'utf8' }).trim();
  cpSync(dirname(dirname(npm)), join(modules, 'npm'), { recursive: true });
  symlinkSync('../lib/node_modules/npm/bin/npm-cli.js', join(local, 'bin', 'npm'));
}
