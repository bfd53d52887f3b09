// Builds the package: dist/esm and dist/cjs, each with its types, by the TypeScript compiler alone.
import { spawnSync } from 'node:child_process';
import { rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const folder = dirname(fileURLToPath(import.meta.url));
const compiler = join(
  dirname(createRequire(import.meta.url).resolve('typescript/package.json')),
  'bin',
  'tsc',
);

rmSync(join(folder, 'dist'), { recursive: true, force: true });
for (const [format, type] of [
  ['esm', 'module'],
  ['cjs', 'commonjs'],
]) {
  const args = [compiler, '-p', join(folder, `tsconfig.${format}.json`)];
  const { status } = spawnSync(process.execPath, args, { cwd: folder, stdio: 'inherit' });
  if (status !== 0) process.exit(1);
  writeFileSync(join(folder, 'dist', format, 'package.json'), `{"type":"${type}"}\n`);
}
