import { type CompiledOperation, declaredBody, isJsonType, type Operation } from '@dateline/versions';
import { type Part, type Parts, partIn, partsIn } from '../document/parts.ts';
import type { FolderErrors } from '../folder/errors/load-errors.ts';
import { createErrorOutline, type ErrorLocation, type ShapedError } from '../folder/errors/shape-error.ts';
import { type ErrorKind, sampleOfError, titleOf, toldErrorsOf } from '../folder/errors/told-errors.ts';
import { createHeadOf } from '../folder/head-of.ts';
import type { ApiFolder } from '../folder/read-api-folder.ts';

/** The errors of an operation for its document: by status, each with its codes. */
export type DocumentedErrors = (compiled: CompiledOperation, written: Parts) => Parts;

/**
 * Describes all errors that an operation may answer with: those of its author, and those that Dateline answers itself, in the API's own
 * form where it has one. What is left in Dateline's form is named by its codes under `x-dateline-codes`; which form that is depends on
 * the version.
 */
export function createDocumentedErrors(
  { errors, api }: Pick<ApiFolder, 'errors' | 'api'>,
  version: ErrorLocation['version'],
): DocumentedErrors {
  const headOf = createHeadOf(api);
  const told = createTold({ errors, api }, version);
  return (compiled, written) => {
    const { operation } = compiled;
    const kinds = toldErrorsOf(headOf(compiled).operation).map((kind) => told(kind, compiled));
    const statuses = [...kinds.map(({ status }) => status), ...Object.keys(written).map(Number)];
    const errors = [...new Set(statuses)].filter((status) => status >= 400).sort();
    return Object.fromEntries(
      errors.map((status) => [
        status,
        errorPart({
          operation,
          status,
          written,
          kinds: kinds.filter((kind) => kind.status === status),
        }),
      ]),
    );
  };
}

/** An error in the version of a document. */
interface DocumentedError extends ErrorKind {
  /** The content that describes it, where that is not what the operation declares; null where it is Dateline's form. */
  content: Part | null;
}

function createTold(
  { errors, api }: { errors: FolderErrors | null; api: ApiFolder['api'] },
  version: ErrorLocation['version'],
) {
  const outline = errors && createErrorOutline(errors, api);
  const named = { $ref: `#/components/schemas/${errors?.schema}` };
  return (kind: ErrorKind, compiled: CompiledOperation): DocumentedError => {
    const { code, status } = compiled.downgradeError({ ...kind, detail: '' });
    const sample = sampleOfError(kind, { version, operation: compiled.headOperationId });
    const shaped = outline?.(sample, { version, operation: compiled.operation.id });
    if (!shaped) return { code, status, content: null };
    const content = shaped.isNamed
      ? { [shaped.mediaType]: { schema: named, example: exampleIn(shaped) } }
      : {};
    return { code, status: shaped.status, content };
  };
}

function exampleIn({ mediaType, text }: ShapedError): unknown {
  return isJsonType(mediaType) ? JSON.parse(text) : text;
}

interface ErrorsOfStatus {
  operation: Operation;
  status: number;
  written: Parts;
  kinds: readonly DocumentedError[];
}

function errorPart({ operation, status, written, kinds }: ErrorsOfStatus): Part {
  const own = written[status];
  const declared = declaredBody(operation, status) ? (own ?? rangeOf(written, status)) : own;
  // Those that its author names, and for which the contract has no form, are told by Dateline.
  const named = own ? (operation.errors[status] ?? []) : [];
  const isFormless = !declaredBody(operation, status) && kinds.every(({ content }) => content === null);
  const codes = [...new Set([...kinds.map(({ code }) => code), ...named])].sort();
  const inOurs = kinds.filter(({ content }) => content === null).map(({ code }) => code);
  return {
    description: own?.description || codes.map((code) => `\`${code}\`: ${titleOf(code)}`).join('\n\n'),
    headers: partIn(declared ?? {}, 'headers'),
    content: Object.assign({}, ...kinds.map(({ content }) => content), partsIn(declared ?? {}, 'content')),
    'x-error-codes': codes,
    'x-dateline-codes': isFormless ? codes : [...new Set(inOurs)].sort(),
  };
}

function rangeOf(written: Parts, status: number): Part | undefined {
  return written[`${Math.floor(status / 100)}XX`] ?? written.default;
}
