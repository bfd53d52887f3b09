import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { basename, dirname, join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { ApiVersion, Change, ChangeSet } from '@dateline/versions';
import { type BuildFailure, build } from 'esbuild';
import { errorMessage } from '../../kernel/error-facts.ts';
import { CHANGES_FOLDER } from './folder-files.ts';
import { FolderError, type FolderProblem, refuse } from './folder-problem.ts';

/** The changes between neighbours, oldest first; a step without a folder has no change set. */
export async function loadChangeSets(folder: string, versions: readonly ApiVersion[]): Promise<ChangeSet[]> {
  const steps = versions.slice(1).map((newer, index) => ({ newer, older: versions[index] as ApiVersion }));
  const sets = await Promise.all(steps.map((step) => loadChangeSet(folder, step)));
  return sets.filter((set) => set !== null);
}

type Step = Pick<ChangeSet, 'newer' | 'older'>;

const INDEXES = ['index.ts', 'index.mts', 'index.js', 'index.mjs'];

async function loadChangeSet(folder: string, step: Step): Promise<ChangeSet | null> {
  const subfolder = `${CHANGES_FOLDER}/${step.newer}-to-${step.older}`;
  if (!existsSync(join(folder, subfolder))) return null;
  const index = INDEXES.find((name) => existsSync(join(folder, subfolder, name)));
  if (!index) throw refuse(subfolder, `it has no ${INDEXES.join(' or ')} that exports "changes", a list`);
  const file = `${subfolder}/${index}`;
  const { changes } = await importModule(folder, file);
  const problems = changeShapeProblems(changes);
  if (problems.length > 0) throw new FolderError(problems.map((problem) => ({ file, ...problem })));
  return { ...step, changes: changes as readonly Change[] };
}

/** The last ones: what was not edited is the same module, since Node keeps every module that it has loaded. */
const imported = new Map<string, { text: string; module: { changes?: unknown } }>();

/** Modules are bundled, so that TypeScript runs on every Node, and an edited file is another module. */
async function importModule(folder: string, file: string): Promise<{ changes?: unknown }> {
  const path = resolve(folder, file);
  const text = await bundle(folder, file);
  const known = imported.get(path);
  if (known?.text === text) return known.module;
  try {
    const module = await importText(text, basename(dirname(file)));
    imported.set(path, { text, module });
    return module;
  } catch (error) {
    throw refuse(file, `it cannot be loaded (${errorMessage(error)})`);
  }
}

/** From a file, so that a stack can be read; it is gone once it is loaded. */
async function importText(text: string, name: string): Promise<{ changes?: unknown }> {
  const folder = mkdtempSync(join(tmpdir(), 'dateline-changes-'));
  try {
    const path = join(folder, `${name}.mjs`);
    writeFileSync(path, text);
    return await import(pathToFileURL(path).href);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

// Whatever copy the folder has: changes are typed by it, and run with ours.
const engine = (): string => createRequire(import.meta.url).resolve('dateline/versions');

async function bundle(folder: string, file: string): Promise<string> {
  try {
    const { outputFiles } = await build({
      entryPoints: [resolve(folder, file)],
      absWorkingDir: resolve(folder),
      bundle: true,
      write: false,
      format: 'esm',
      platform: 'node',
      target: 'node20',
      sourcemap: 'inline',
      alias: { '@dateline/versions': engine() },
      logLevel: 'silent',
    });
    return outputFiles[0]?.text ?? '';
  } catch (error) {
    throw new FolderError(buildProblems(error as BuildFailure, file));
  }
}

function buildProblems({ errors = [], message }: BuildFailure, file: string) {
  if (errors.length === 0) return [{ file, reason: message }];
  return errors.map(({ text, location }) => ({
    file: location ? `${location.file}:${location.line}` : file,
    reason: text.replace(/\.$/, ''),
  }));
}

const TEXTS = ['name', 'why', 'upgradeNote'];
const KINDS = ['added', 'changed', 'removed'];
/** Functions by operation id or event kind. */
const BRIDGES = [
  ...['upgradeRequest', 'upgradeContent', 'downgradeResponse', 'downgradeContent'],
  ...['downgradeHeaders', 'downgradeErrorBody', 'downgradeEvent'],
];

type ShapeProblem = Omit<FolderProblem, 'file'>;
type Part = Readonly<Record<string, unknown>>;

/** Where what a module exports is not a list of changes. TypeScript says the same earlier; plain JavaScript does not. */
export function changeShapeProblems(changes: unknown): ShapeProblem[] {
  if (!Array.isArray(changes)) return [{ path: 'changes', reason: 'it must export a list of this name' }];
  return changes.flatMap((change: unknown, index) =>
    oneProblems(change).map(({ path, reason }) => ({ path: `changes[${index}]${path ?? ''}`, reason })),
  );
}

function oneProblems(change: unknown): ShapeProblem[] {
  if (!isPart(change)) return [{ reason: 'a change is an object' }];
  const wrong = (name: string, reason: string): ShapeProblem => ({ path: `.${name}`, reason });
  return [
    ...TEXTS.filter((name) => !isText(change[name])).map((name) => wrong(name, 'it must be a string')),
    // `says` is its name of before.
    ...(isText(change.summary ?? change.says) ? [] : [wrong('summary', 'it must be a string')]),
    ...(KINDS.includes(String(change.kind)) ? [] : [wrong('kind', `it must be one of ${KINDS.join(', ')}`)]),
    ...(isListOf(change.touches, isText) ? [] : [wrong('touches', 'it must be a list of strings')]),
    ...(isListOf(change.examples, isExample) && change.examples.length > 0
      ? []
      : [wrong('examples', 'it must be a list of at least one { before, after }')]),
    ...BRIDGES.filter((name) => !isTableOf(change[name], (value) => typeof value === 'function')).map(
      (name) => wrong(name, 'it must be an object of functions'),
    ),
    ...(isTableOf(change.downgradeStatus, (value) => isTableOf(value, isStatus))
      ? []
      : [wrong('downgradeStatus', 'it must be an object of statuses by status, by operation')]),
    ...(isListOf(change.kept ?? [], isText) ? [] : [wrong('kept', 'it must be a list of operation ids')]),
    ...(isTableOf(change.redirects, isText) ? [] : [wrong('redirects', 'it must be an object of strings')]),
    ...(['function', 'undefined'].includes(typeof change.downgradeError)
      ? []
      : [wrong('downgradeError', 'it must be a function')]),
  ];
}

function isPart(value: unknown): value is Part {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function isText(value: unknown): value is string {
  return typeof value === 'string' && value.trim() !== '';
}

function isStatus(value: unknown): boolean {
  return Number.isInteger(value) && Number(value) >= 200 && Number(value) <= 599;
}

function isExample(value: unknown): boolean {
  return isPart(value) && 'before' in value && 'after' in value;
}

function isListOf(value: unknown, isItem: (item: unknown) => boolean): value is unknown[] {
  return Array.isArray(value) && value.every(isItem);
}

function isTableOf(value: unknown, isEntry: (entry: unknown) => boolean): boolean {
  return value === undefined || (isPart(value) && Object.values(value).every(isEntry));
}
