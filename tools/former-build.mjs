// Former builds of this repository, from its history, kept outside of the work tree.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, renameSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { root } from './setup.mjs';

/** True if the history of this clone has the commit: a packed release and a shallow clone have none. */
export function hasCommit(commit) {
  return (
    spawnSync('git', ['cat-file', '-e', `${commit}^{commit}`], { cwd: root, stdio: 'ignore' }).status === 0
  );
}

/** Installs and builds a former commit, once, and answers with its folder. */
export function formerBuild(commit) {
  const folder = join(root, 'node_modules', '.cache', 'dateline', `build-${commit}`);
  if (existsSync(folder)) return folder;
  // Not below node_modules: there the compiler takes the sources for those of a package.
  const draft = mkdtempSync(join(tmpdir(), `dateline-build-${commit}-`));
  const { stdout } = spawnSync('git', ['archive', commit], { cwd: root, maxBuffer: 1024 ** 3 });
  run(draft, 'tar', ['-x'], stdout);
  run(draft, 'npm', ['ci', '--no-audit', '--no-fund', '--loglevel=error']);
  run(draft, 'npm', ['run', 'build']);
  mkdirSync(dirname(folder), { recursive: true });
  const unfinished = `${folder}.unfinished`;
  run(dirname(folder), 'rm', ['-rf', unfinished]);
  // It may be on another disk.
  run(dirname(folder), 'mv', [draft, unfinished]);
  renameSync(unfinished, folder);
  return folder;
}

function run(cwd, program, args, input) {
  const stdin = input === undefined ? 'ignore' : 'pipe';
  const { status } = spawnSync(program, args, { cwd, input, stdio: [stdin, 2, 2] });
  if (status !== 0) throw new Error(`${program} ${args[0]} failed in ${cwd}`);
}
