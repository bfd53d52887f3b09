import type { FieldError } from '../../../errors/api-error.ts';
import { ERRORS_FILE, ERRORS_MODULE, MARKED_EXTENSIONS } from '../folder-files.ts';
import { refuse } from '../folder-problem.ts';
import { findModule } from '../modules/find-module.ts';
import { importModule } from '../modules/import-module.ts';

/** An error that Dateline answers itself, as `errors.mjs` gets it. */
export interface ToldError {
  status: number;
  /** As in docs/errors.md, or one of the contract's own. */
  code: string;
  /** The usual text of the code. */
  title: string;
  /** What is wrong with this request. */
  detail: string;
  /** The parts of an invalid request that are wrong; else empty. */
  errors: readonly FieldError[];
  requestId: string;
  /** The version of the caller. */
  version: string;
  /** The id of the operation of Next; null where the address or the method leads to none. */
  operation: string | null;
}

/** What it makes of it. Types are checked where it is used: others have written it. */
export type WriteError = (error: ToldError) => unknown;

/** `errors.mjs` or `.ts`: the API's own form of errors that Dateline answers. */
export interface FolderErrors {
  write: WriteError;
  /** The component of the contract that describes them where an operation declares no form for a status. */
  schema: string | null;
}

/** Null where the folder has none. */
export async function loadErrors(folder: string): Promise<FolderErrors | null> {
  const file = findModule(folder, ERRORS_MODULE, MARKED_EXTENSIONS);
  if (file === null) return null;
  const { default: write, schema = null } = await importModule(folder, file);
  if (typeof write !== 'function')
    throw refuse(ERRORS_FILE, 'it must export a function as its default, from an error to { body }');
  if (schema !== null && typeof schema !== 'string')
    throw refuse(ERRORS_FILE, 'it must be the name of a schema in components of the contract', 'schema');
  return { write: write as WriteError, schema };
}
