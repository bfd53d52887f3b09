// Builds the package by the TypeScript compiler alone.
import { spawnSync } from 'node:child_process';
import { rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const folder = dirname(fileURLToPath(import.meta.url));
const typescript = createRequire(import.meta.url).resolve('typescript/package.json');

rmSync(join(folder, 'dist'), { recursive: true, force: true });
const { status } = spawnSync(process.execPath, [join(dirname(typescript), 'bin', 'tsc'), '-p', folder], {
  cwd: folder,
  stdio: 'inherit',
});
process.exitCode = status === 0 ? 0 : 1;
