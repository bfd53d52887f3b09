// `npm run bench [-- name …]`: builds the benches and runs them. Ratios within one run are what counts.
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { copyData, root, setup } from './setup.mjs';

process.chdir(root);
setup();
console.error('Building the benches');
const compiler = join(root, 'node_modules', 'typescript', 'bin', 'tsc');
const { status } = spawnSync(process.execPath, [compiler, '-p', join('bench', 'tsconfig.json')], {
  cwd: root,
  stdio: 'inherit',
});
if (status !== 0) process.exit(1);
copyData(join(root, 'dist', 'bench', 'src'));
const { main } = await import('../dist/bench/bench/run.js');
process.exitCode = await main(process.argv.slice(2), root);
