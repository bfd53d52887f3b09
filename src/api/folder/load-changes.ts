import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { type ApiVersion, isUndecided, type WrittenChange, type WrittenChangeSet } from '@dateline/versions';
import { CHANGES_FOLDER, MODULE_EXTENSIONS } from './folder-files.ts';
import { FolderError, type FolderProblem, refuse } from './folder-problem.ts';
import { findModule } from './modules/find-module.ts';
import { importModule } from './modules/import-module.ts';

/** The changes between neighbours, oldest first; a step without a folder has no change set. */
export async function loadChangeSets(
  folder: string,
  versions: readonly ApiVersion[],
): Promise<WrittenChangeSet[]> {
  const steps = versions.slice(1).map((newer, index) => ({ newer, older: versions[index] as ApiVersion }));
  const sets = await Promise.all(steps.map((step) => loadChangeSet(folder, step)));
  return sets.filter((set) => set !== null);
}

type Step = Pick<WrittenChangeSet, 'newer' | 'older'>;

async function loadChangeSet(folder: string, step: Step): Promise<WrittenChangeSet | null> {
  const subfolder = `${CHANGES_FOLDER}/${step.newer}-to-${step.older}`;
  if (!existsSync(join(folder, subfolder))) return null;
  const file = findModule(folder, `${subfolder}/index`, MODULE_EXTENSIONS);
  if (file === null) throw refuse(subfolder, `it has no ${indexes()} that exports "changes", a list`);
  const { changes } = await importModule(folder, file);
  const problems = changeShapeProblems(changes);
  if (problems.length > 0) throw new FolderError(problems.map((problem) => ({ file, ...problem })));
  return { ...step, changes: changes as readonly WrittenChange[] };
}

const indexes = (): string => MODULE_EXTENSIONS.map((extension) => `index${extension}`).join(' or ');

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
  if (isUndecided(change)) return [];
  if (!isPart(change)) return [{ reason: 'a change is an object' }];
  if ('by' in change) return writtenProblems(change);
  if (UNFINISHED.some((name) => typeof change[name] === 'function')) return [{ reason: UNFINISHED_REASON }];
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

/** The steps on the way to a change by schema, operation or event. */
const UNFINISHED = ['field', 'added', 'was'];
const UNFINISHED_REASON =
  'it does not say what changed: go on with .added(), .removed(), .renamedFrom(…), .movedFrom(…), .changed(…) or .values(…)';

const SUBJECTS = ['field', 'operation', 'event', 'group'];

/** What `schema`, `operation` and `event` make is right by itself; what else is in it was written by hand. */
function writtenProblems({ by, edit, ...words }: Part): ShapeProblem[] {
  if (!SUBJECTS.includes(String(by)) || (by !== 'group' && !isPart(edit)))
    return [{ reason: 'write it with schema, at, operation or event of @dateline/versions' }];
  const texts = ['name', 'summary', 'why', 'upgradeNote', 'part'].filter(
    (name) => words[name] !== undefined && !isText(words[name]),
  );
  const functions = ['newer', 'older', 'upgrade', 'downgrade'].filter(
    (name) =>
      by === 'field' &&
      isPart(edit) &&
      edit.kind !== 'values' &&
      !['function', 'undefined'].includes(typeof edit[name]),
  );
  return [
    ...texts.map((name) => ({ path: `.${name}`, reason: 'it must be a string' })),
    ...functions.map((name) => ({ path: `.${name}`, reason: 'it must be a function' })),
    ...(words.examples === undefined || (isListOf(words.examples, isExample) && words.examples.length > 0)
      ? []
      : [{ path: '.examples', reason: 'it must be a list of at least one { before, after }' }]),
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
