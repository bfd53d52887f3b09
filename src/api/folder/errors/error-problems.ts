import type { ApiVersion, CompiledApi } from '@dateline/versions';
import { errorMessage } from '../../../kernel/error-facts.ts';
import { partIn } from '../../document/parts.ts';
import { ERRORS_FILE, NEXT_FILE } from '../folder-files.ts';
import type { FolderProblem } from '../folder-problem.ts';
import { createHeadOf } from '../head-of.ts';
import type { FolderErrors } from './load-errors.ts';
import { createErrorShaper, type ErrorLocation, type ErrorShaper } from './shape-error.ts';
import { type ErrorKind, errorsWithoutOperation, sampleOfError, toldErrorsOf } from './told-errors.ts';

interface ErrorsOf {
  errors: FolderErrors | null;
  api: CompiledApi;
  next: ApiVersion;
}

/** A schema that is named and not there. */
export function errorSchemaProblems({ errors, api, next }: ErrorsOf): FolderProblem[] {
  const { schema = null } = errors ?? {};
  const components = partIn(api.get(next)?.document ?? {}, 'components');
  if (schema === null || Object.hasOwn(partIn(components, 'schemas'), schema)) return [];
  const reason = `${NEXT_FILE} has no ${schema} among the schemas of its components`;
  return [{ file: ERRORS_FILE, path: 'schema', reason }];
}

const PROBLEMS_MAX = 20;
const SHOWN_MAX = 5;

/** Tries `errors.mjs` with one error of each kind, for all operations of all versions: what it writes must fit their contracts. */
export function errorProblems({ errors, api, next }: ErrorsOf): FolderProblem[] {
  if (errors === null) return [];
  const shape = createErrorShaper(errors, api);
  const tried = trials(api, next).map((trial) => ({ ...trial, outcome: outcomeOf(shape, trial) }));
  const failures = groupsOf(tried.filter(({ outcome }) => typeof outcome === 'string'));
  // Frozen versions cannot be given a form that they do not have: there it stays Dateline's.
  const formless = tried.filter(
    ({ outcome, version, operation }) => outcome === null && operation !== null && version === next,
  );
  return [
    ...failures.slice(0, PROBLEMS_MAX).map(failureProblem),
    ...(formless.length > 0 ? [formlessProblem(formless)] : []),
  ];
}

interface Trial extends ErrorLocation {
  kind: ErrorKind;
  /** The id that it has in Next. */
  headId: string | null;
}

/** Newest version first: the same problem is one of the newest version that has it. The one after Next is the same. */
function trials(api: CompiledApi, next: ApiVersion): Trial[] {
  const headOf = createHeadOf(api);
  const versions = [...api.values()].filter(({ version }) => version <= next).toReversed();
  return versions.flatMap(({ version, operations }) => [
    ...errorsWithoutOperation.map((kind) => ({ kind, version, operation: null, headId: null })),
    ...[...operations.values()].flatMap((compiled) => {
      const { id: operation } = compiled.operation;
      const { headOperationId: headId } = compiled;
      return toldErrorsOf(headOf(compiled).operation).map((kind) => ({ kind, version, operation, headId }));
    }),
  ]);
}

/** What went wrong, as a text; null where there is no form for it, and undefined where it fits. */
function outcomeOf(
  shape: ErrorShaper,
  { kind, version, operation, headId }: Trial,
): string | null | undefined {
  try {
    const shaped = shape(sampleOfError(kind, { version, operation: headId }), { version, operation });
    return shaped === null ? null : undefined;
  } catch (error) {
    return errorMessage(error);
  }
}

interface Tried extends Trial {
  outcome: string | null | undefined;
}

/** Those that fail alike. */
function groupsOf(tried: readonly Tried[]): [Tried, ...Tried[]][] {
  const groups = new Map<string, [Tried, ...Tried[]]>();
  for (const one of tried) {
    const key = String(one.outcome);
    const known = groups.get(key);
    if (known) known.push(one);
    else groups.set(key, [one]);
  }
  return [...groups.values()];
}

function failureProblem(failed: readonly [Tried, ...Tried[]]): FolderProblem {
  const [{ version, outcome }] = failed;
  const kinds = shown(failed.map(({ kind: { code, status } }) => `${code} (${status})`));
  const where = operationsIn(failed) || 'addresses without an operation';
  return { file: ERRORS_FILE, reason: `${kinds} of ${where} cannot be answered in ${version}: ${outcome}` };
}

function formlessProblem(formless: readonly Trial[]): FolderProblem {
  const statuses = [...new Set(formless.map(({ kind }) => kind.status))].sort((one, other) => one - other);
  return {
    file: ERRORS_FILE,
    reason:
      `${NEXT_FILE} has no form for ${statuses.join(', ')} of ${operationsIn(formless)}: declare those statuses there, ` +
      `or default, or name the component that describes them with "export const schema = '…'"`,
  };
}

function operationsIn(trials: readonly Trial[]): string {
  return shown(trials.flatMap(({ operation }) => operation ?? []));
}

/** The first of them, each once. */
function shown(names: readonly string[]): string {
  const all = [...new Set(names)];
  const left = all.length - SHOWN_MAX;
  return [...all.slice(0, SHOWN_MAX), ...(left > 0 ? [`${left.toLocaleString('en')} more`] : [])].join(', ');
}
