// `npm run tape -- <version>`: records how a frozen version behaves, next to its contract. Refused where it is recorded.
import { spawnSync } from 'node:child_process';
import { cpSync } from 'node:fs';
import { join } from 'node:path';
import { copyData, root, setup } from './setup.mjs';

process.chdir(root);
setup();
console.error('Building the player');
const compiler = join(root, 'node_modules', 'typescript', 'bin', 'tsc');
const { status } = spawnSync(process.execPath, [compiler, '-p', join('test', 'tape', 'tsconfig.json')], {
  cwd: root,
  stdio: 'inherit',
});
if (status !== 0) process.exit(1);
copyData(join(root, 'dist', 'tape', 'src'));
// The build reads its own version there.
cpSync(join(root, 'package.json'), join(root, 'dist', 'tape', 'package.json'));
const { main } = await import('../dist/tape/test/tape/record.js');
try {
  console.log(await main(process.argv.slice(2), root));
} catch (error) {
  console.error(`tape: ${error.message}`);
  process.exitCode = 1;
}
