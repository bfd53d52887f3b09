import type { FolderProblem } from './folder-problem.ts';

const TEXTS = ['name', 'why', 'upgradeNote'];
const KINDS = ['added', 'changed', 'removed'];
/** Functions by operation id or event kind. */
const BRIDGES = ['upgradeRequest', 'downgradeResponse', 'downgradeEvent'];

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

function isExample(value: unknown): boolean {
  return isPart(value) && 'before' in value && 'after' in value;
}

function isListOf(value: unknown, isItem: (item: unknown) => boolean): value is unknown[] {
  return Array.isArray(value) && value.every(isItem);
}

function isTableOf(value: unknown, isEntry: (entry: unknown) => boolean): boolean {
  return value === undefined || (isPart(value) && Object.values(value).every(isEntry));
}
