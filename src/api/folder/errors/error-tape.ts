import {
  type ApiSource,
  type ApiVersion,
  apiVersion,
  type CompiledApi,
  compileApi,
  type Exchange,
  type Tape,
  tapeDifferences,
} from '@dateline/versions';
import { ERRORS_FILE } from '../folder-files.ts';
import type { FolderProblem } from '../folder-problem.ts';
import { createHeadOf } from '../head-of.ts';
import { type FolderErrors, loadErrors, type ToldError } from './load-errors.ts';
import { createErrorOutline } from './shape-error.ts';
import { type ErrorKind, errorsWithoutOperation, sampleOfError, toldErrorsOf } from './told-errors.ts';

export interface WrittenErrors {
  errors: FolderErrors | null;
  api: CompiledApi;
}

/** The same tape with the errors that its version answers: `errors.mjs` may be edited for as long as they stay the same. */
export async function withErrors(tape: Tape, folder: string, source: ApiSource): Promise<Tape> {
  const errors = await loadErrors(folder);
  if (errors === null) return tape;
  const recorded = recordErrors({ errors, api: compileApi(source) }, apiVersion(tape.version));
  return { ...tape, exchanges: [...tape.exchanges, ...recorded] };
}

/** Where a frozen version would answer another error than when it was frozen. */
export function errorTapeProblems(tape: Tape, written: WrittenErrors, file: string): FolderProblem[] {
  const before = tape.exchanges.filter(({ as }) => as === CALLER);
  if (before.length === 0) return [];
  if (written.errors === null) return [{ file, reason: `${ERRORS_FILE} was removed; ${NEVER}` }];
  const again = recordErrors(written, apiVersion(tape.version), namesOf(before));
  // Kinds of errors that Dateline no longer has are nobody's edit.
  const known = namesOf(again);
  const kept = before.filter(({ name }) => known.has(name));
  const found = tapeDifferences({ ...tape, exchanges: kept }, { ...tape, exchanges: again });
  const [first] = found;
  // An edit is often one of all errors alike.
  const others = new Set(found.map(({ exchange }) => exchange)).size - 1;
  const more = others > 0 ? `, and so were ${others} more errors` : '';
  return first === undefined
    ? []
    : [
        {
          file,
          path: `"${first.exchange}" ${first.path}`,
          reason: `it was ${first.kind} by an edit of ${ERRORS_FILE} or of a downgradeErrorBody${more}; ${NEVER}`,
        },
      ];
}

const NEVER = 'what frozen versions answer never changes';
const CALLER = 'caller';

const namesOf = (exchanges: readonly Exchange[]): Set<string> => new Set(exchanges.map(({ name }) => name));

/** One exchange for each kind of error, and one more for each operation that answers it in another way than those before. */
function recordErrors(
  { errors, api }: WrittenErrors,
  version: ApiVersion,
  names?: ReadonlySet<string>,
): Exchange[] {
  if (errors === null) return [];
  const outline = createErrorOutline(errors, api);
  const seen = new Set<string>();
  return kindsIn(api, version).flatMap(({ kind, operation, headId }) => {
    const name = `the error ${kind.code} of ${operation ?? 'no operation'} in ${version}`;
    if (names && !names.has(name)) return [];
    const told = fixed(sampleOfError(kind, { version, operation: headId }));
    const shaped = outline(told, { version, operation });
    const answer = shaped
      ? { status: shaped.status, headers: { 'content-type': shaped.mediaType }, body: bodyOf(shaped.text) }
      : { status: kind.status, headers: {}, body: null };
    const key = JSON.stringify([kind.code, operation === null, answer]);
    if (!names && seen.has(key)) return [];
    seen.add(key);
    return [{ name, operation, as: CALLER, method: 'GET', path: '', body: { json: told }, answer }];
  });
}

interface KindOf {
  kind: ErrorKind;
  operation: string | null;
  headId: string | null;
}

function kindsIn(api: CompiledApi, version: ApiVersion): KindOf[] {
  const headOf = createHeadOf(api);
  const operations = [...(api.get(version)?.operations.values() ?? [])];
  return [
    ...errorsWithoutOperation.map((kind) => ({ kind, operation: null, headId: null })),
    ...operations.flatMap((compiled) =>
      toldErrorsOf(headOf(compiled).operation).map((kind) => ({
        kind,
        operation: compiled.operation.id,
        headId: compiled.headOperationId,
      })),
    ),
  ];
}

/** Dateline's own words may be mended. */
function fixed(told: ToldError): ToldError {
  return { ...told, title: 'What went wrong.', detail: 'What went wrong here.' };
}

function bodyOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
