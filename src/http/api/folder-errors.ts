import type { IncomingMessage } from 'node:http';
import { createOperationFinder } from '../../api/find-operation.ts';
import { createErrorShaper } from '../../api/folder/errors/shape-error.ts';
import { titleOf } from '../../api/folder/errors/told-errors.ts';
import type { ApiFolder } from '../../api/folder/read-api-folder.ts';
import type { ApiError } from '../../errors/api-error.ts';
import { type ErrorFacts, type ErrorResponse, errorResponse } from '../../errors/error-body.ts';
import { errorMessage } from '../../kernel/error-facts.ts';
import { pathOf, requestContext } from '../edge/request-context.ts';

/** Public facts of an error in Next, and the parts of the request that it is about. */
export type TellableError = ErrorFacts & Partial<Pick<ApiError, 'fields'>>;

/**
 * Writes an error of Dateline's own as the API of the folder does. Null where that gives it no form, or where the address is
 * Dateline's own. The operation is looked up by method and path where it is not given; null says that there is none.
 */
export type FolderErrorWriter = (
  error: TellableError,
  request: IncomingMessage,
  operation?: string | null,
) => ErrorResponse | null;

export interface FolderErrorOptions {
  folder: Pick<ApiFolder, 'errors' | 'api' | 'isReserved'>;
  /** `errors.mjs` has thrown, or has written what its contract does not have. */
  onFailure(facts: { requestId: string; code: string; reason: string }): void;
}

export function createFolderErrorWriter({ folder, onFailure }: FolderErrorOptions): FolderErrorWriter {
  const { errors, api, isReserved } = folder;
  if (errors === null) return () => null;
  const shape = createErrorShaper(errors, api);
  const findOperation = createOperationFinder(api);

  return (error, request, known) => {
    const { version, requestId } = requestContext(request);
    const operation =
      known === undefined ? findOperation(version, request.method ?? '', pathOf(request)) : known;
    const compiled = operation === null ? undefined : api.get(version)?.operations.get(operation);
    if (!compiled && (operation !== null || isReserved(pathOf(request)))) return null;
    const { code, status, detail, fields = [] } = error;
    const about = { requestId, version, operation: compiled?.headOperationId ?? null };
    const told = { status, code, title: titleOf(code), detail, errors: fields, ...about };
    try {
      const shaped = shape(told, { version, operation });
      return shaped && responseOf(error, shaped);
    } catch (failure) {
      // Whoever asks gets an answer all the same.
      onFailure({ requestId, code, reason: errorMessage(failure) });
      return null;
    }
  };
}

/** Like all that comes from the operator's own API, it is no page of our origin. */
function responseOf(
  error: TellableError,
  { status, mediaType, text }: { status: number; mediaType: string; text: string },
): ErrorResponse {
  const { headers } = errorResponse({ ...error, status });
  return { status, headers: { ...headers, ...INERT_HEADERS, 'content-type': mediaType }, body: text };
}

/**
 * An answer of somebody else's server stands on the origin of our console and of the pages where people sign in. Opened in a
 * browser it must be no page of that origin: nothing in it runs, loads or is sent, and no type is guessed.
 */
export const INERT_HEADERS = {
  'x-content-type-options': 'nosniff',
  'content-security-policy':
    "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; sandbox",
} as const;
