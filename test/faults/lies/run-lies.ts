import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { READS_FROM_STANDBYS } from '../deployment/deployment.ts';
import { allKinds } from '../kinds/all-kinds.ts';
import { runPart } from '../run/run-part.ts';
import { edited, type Lie, lies } from './lies.ts';

/** Plants each lie in a copy of the tree, runs the copy under the faults that show it, and wants it to be found. */
export async function runLies(named: readonly string[], say: (line: string) => void): Promise<number> {
  const told = lies
    .filter(({ needs }) => needs === undefined || READS_FROM_STANDBYS)
    .filter(({ name }) => named.length === 0 || named.some((some) => name.includes(some)));
  if (told.length === 0) throw new Error(`no lie has any of these in its name: ${named.join(', ')}`);
  let missed = 0;
  for (const lie of told) {
    const found = await run(lie, say);
    const isCaught = lie.finds.some((kind) => found.includes(kind));
    if (!isCaught) missed += 1;
    say(`${lie.name}: ${isCaught ? 'caught' : 'NOT caught'} (${summary(found)})`);
  }
  return missed === 0 ? 0 : 1;
}

async function run(lie: Lie, say: (line: string) => void): Promise<string[]> {
  const checkout = mkdtempSync(join(tmpdir(), 'dateline-lie-'));
  try {
    await plant(lie, checkout);
    const kinds = allKinds.filter(({ name }) => lie.under.some((some) => name.includes(some)));
    const plan = Array.from({ length: lie.faults }, (_, index) => ({
      number: index + 1,
      part: 1,
      kind: kinds[index % kinds.length]?.name ?? '',
    }));
    const seed = lie.name.replaceAll(' ', '-');
    const { anomalies } = await runPart({ seed, part: 1, plan, kinds, checkout, say });
    return anomalies.map(({ kind }) => kind);
  } finally {
    rmSync(checkout, { recursive: true, force: true });
  }
}

async function plant({ edits }: Lie, checkout: string): Promise<void> {
  const { copyTree } = (await import(resolve('tools', 'mutants', 'copy-tree.mjs'))) as {
    copyTree(folder: string): void;
  };
  copyTree(checkout);
  for (const edit of edits) {
    const file = join(checkout, edit.file);
    writeFileSync(file, edited(readFileSync(file, 'utf8'), edit));
  }
  build(checkout);
}

/** What the service runs, and no more: the console stays as it was copied. */
function build(checkout: string): void {
  const run = (...args: string[]): unknown => execFileSync(process.execPath, args, { cwd: checkout });
  run(join('node_modules', 'typescript', 'bin', 'tsc'), '-p', 'tsconfig.build.json');
  const setup = pathToFileURL(join(checkout, 'tools', 'setup.mjs')).href;
  run('--input-type=module', '-e', `(await import('${setup}')).copyData('${join(checkout, 'dist')}')`);
  run(join('tools', 'bundle.mjs'), 'dist');
  // Without sources the launcher takes what is built, as in an installed package.
  renameSync(join(checkout, 'src'), join(checkout, 'src-with-a-lie'));
}

function summary(found: readonly string[]): string {
  const kinds = [...new Set(found)].map((kind) => `${kind} ${found.filter((one) => one === kind).length}`);
  return kinds.join(', ') || 'nothing found';
}
