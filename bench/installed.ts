import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { resolve } from 'node:path';

/** The folder of a project with a package in it: from npm, once, beside our own dependencies. Null where npm cannot install it, which it says. */
export function installed(
  name: string,
  packages: readonly string[],
  flags: readonly string[] = [],
): string | null {
  const folder = resolve('node_modules', '.cache', 'dateline', name);
  const isThere = packages.every((spec) => existsSync(resolve(folder, 'node_modules', nameOf(spec))));
  if (isThere) return folder;
  mkdirSync(folder, { recursive: true });
  writeFileSync(resolve(folder, 'package.json'), '{"private":true}');
  const args = ['install', ...packages, '--no-audit', '--no-fund', '--loglevel=error', '--no-save', ...flags];
  const { status } = spawnSync('npm', args, { cwd: folder, stdio: ['ignore', 2, 2] });
  if (status === 0) return folder;
  console.error(`npm could not install ${packages.join(' and ')}; what is compared with it is left out`);
  return null;
}

/** `@scope/name@1` without its version. */
function nameOf(spec: string): string {
  return spec.replace(/(?<=.)@.*$/, '');
}
