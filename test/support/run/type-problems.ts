import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';

const compiler = resolve('node_modules', 'typescript', 'bin', 'tsc');

/** The compiler's messages for the programs in a folder, one text per problem. */
export function typeProblems(
  folder: string,
  options: object = {},
  include: readonly string[] = ['*.ts', '*.mts', '*.cts'],
): string[] {
  const compilerOptions = {
    target: 'ES2022',
    lib: ['ES2023', 'DOM', 'DOM.Iterable'],
    module: 'NodeNext',
    moduleResolution: 'NodeNext',
    types: [],
    strict: true,
    noEmit: true,
    allowImportingTsExtensions: true,
    skipLibCheck: true,
    ...options,
  };
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions, include }));
  const { stdout } = spawnSync(
    process.execPath,
    [compiler, '-p', folder, '--pretty', 'false', '--singleThreaded'],
    {
      encoding: 'utf8',
    },
  );
  return stdout.split(/\n(?=\S)/).filter((line) => line.includes('error TS'));
}
