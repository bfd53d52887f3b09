import { mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, parse, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { errorMessage } from '../../../kernel/error-facts.ts';
import { FolderError, type FolderProblem } from '../folder-problem.ts';
import { locationAt } from '../locations/code-frame.ts';
import { bundleModule } from './bundle-module.ts';
import { thrownAt } from './thrown-at.ts';

/** The exports of a module. */
export type Exports = Readonly<Record<string, unknown>>;

/** The last module of each file: one that did not change is not run again. */
const loaded = new Map<string, { text: string; exports: Exports }>();

/**
 * Loads a module of a folder, in TypeScript or JavaScript, with the files that it imports: what was edited is another module, also in a
 * process that has read it before.
 */
export async function importModule(folder: string, file: string): Promise<Exports> {
  // Stacks have no symbolic links.
  const temporary = realpathSync(mkdtempSync(join(tmpdir(), 'dateline-module-')));
  try {
    return await importBundled({ folder, file, runAs: join(temporary, `${parse(file).name}.mjs`) });
  } finally {
    rmSync(temporary, { recursive: true, force: true });
  }
}

interface Bundled {
  folder: string;
  file: string;
  /** It is run from a file, so that a stack can be read. */
  runAs: string;
}

async function importBundled(bundled: Bundled): Promise<Exports> {
  const { folder, file, runAs } = bundled;
  const path = resolve(folder, file);
  const text = await bundleModule(folder, file, runAs);
  const known = loaded.get(path);
  if (known?.text === text) return known.exports;
  try {
    writeFileSync(runAs, text);
    const exports: Exports = await import(pathToFileURL(runAs).href);
    loaded.set(path, { text, exports });
    return exports;
  } catch (error) {
    throw new FolderError([thrownProblem(error, bundled, text)]);
  }
}

function thrownProblem(error: unknown, { folder, file, runAs }: Bundled, text: string): FolderProblem {
  const reason = `it cannot be loaded (${errorMessage(error)})`;
  const at = thrownAt(error, { folder, runAs, text });
  if (at === null) return { file, reason };
  const source = readFileSync(join(folder, at.file), 'utf8');
  return { file: at.file, reason, location: locationAt(source, at) };
}
