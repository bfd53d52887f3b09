import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, symlinkSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { root } from '../setup.mjs';

/** Installed and built folders, which Git does not know. */
const INSTALLED = ['node_modules', 'tools/client-generator/node_modules'];
const BUILT = ['dist', 'versions/dist', 'client/dist'];

/** Copies the tree as it is on disk, so that nobody's work is touched. What is installed is only linked. */
export function copyTree(folder) {
  const listed = execFileSync('git', ['ls-files', '-co', '--exclude-standard', '-z'], {
    cwd: root,
    encoding: 'utf8',
  });
  for (const path of [...listed.split('\0').filter(Boolean), ...BUILT]) {
    const from = join(root, path);
    // Times too: by them the launcher knows that nothing is to be built.
    if (existsSync(from)) cpSync(from, join(folder, path), { recursive: true, preserveTimestamps: true });
  }
  for (const path of INSTALLED.filter((one) => existsSync(join(root, one)))) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    symlinkSync(join(root, path), join(folder, path));
  }
}
