import type { IncomingMessage } from 'node:http';
import type { CompiledApi, CompiledVersion } from '@dateline/versions';
import { type IsApiPath, pathMatcher } from '../../api/paths.ts';
import { isForPeople } from '../../contracts/head/operation-parts.ts';
import type { ApiError } from '../../errors/api-error.ts';
import { type ErrorResponse, type ErrorShape, errorResponse, isErrorShape } from '../../errors/error-body.ts';
import type { EdgeErrorWriter } from '../edge/answer-error.ts';
import { pathOf, requestContext } from '../edge/request-context.ts';

/** The error shape of an address: its operation's, also where the method is wrong. */
export type ErrorShapes = (path: string) => ErrorShape;

export function errorShapesOf({ version, contract, operations }: RoutedVersion): ErrorShapes {
  const known = (name: string): ErrorShape => {
    if (isErrorShape(name)) return name;
    throw new Error(`the contract of ${version} names an error shape ${name}, which is not known`);
  };
  const usual = known(contract.errorShape.name);
  const own = [...operations.values()].flatMap(({ operation: { path, errorShape } }) =>
    errorShape ? [{ matches: pathMatcher(path), shape: known(errorShape.name) }] : [],
  );
  return (asked) => own.find(({ matches }) => matches(asked))?.shape ?? usual;
}

/** Errors of an API folder come first, where that writes them. */
export function createEdgeErrorWriter(
  api: CompiledApi,
  isApiPath: IsApiPath,
  writeFolderError: EdgeFolderErrorWriter,
): EdgeErrorWriter {
  const shapes = new Map(
    [...api].map(([version, compiled]) => [version, errorShapesOf(withoutPages(compiled))]),
  );
  return (error, request) => {
    const path = pathOf(request);
    const shape = isApiPath(path) ? shapes.get(requestContext(request).version)?.(path) : 'plain';
    return writeFolderError(error, request) ?? errorResponse(error, shape);
  };
}

export type EdgeFolderErrorWriter = (error: ApiError, request: IncomingMessage) => ErrorResponse | null;

/** Pages for people have an app of their own. */
export function withoutPages({
  version,
  contract,
  operations,
  downgradeError,
}: CompiledVersion): RoutedVersion {
  const forPrograms = [...operations].filter(([, { operation }]) => !isForPeople(operation));
  return { version, contract, operations: new Map(forPrograms), downgradeError };
}

/** A version as its routes need it. */
export type RoutedVersion = Pick<CompiledVersion, 'version' | 'contract' | 'operations' | 'downgradeError'>;
