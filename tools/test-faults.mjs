// `npm run test:faults`: builds the harness of test/faults/ and runs it. docs/guarantees.md says what it is.
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { exitIfNodeIsTooOld } from './check-node.mjs';

exitIfNodeIsTooOld();
void import('./setup.mjs').then(async ({ compiler, copyData, root, setup }) => {
  process.chdir(root);
  setup((sentence) => console.error(sentence));
  const { status } = spawnSync(process.execPath, [compiler, '-p', join('test', 'faults', 'tsconfig.json')], {
    stdio: 'inherit',
  });
  if (status !== 0) process.exit(1);
  copyData(join(root, 'dist', 'faults', 'src'));
  const { main } = await import('../dist/faults/test/faults/main.js');
  process.exit(await main(process.argv.slice(2)));
});
