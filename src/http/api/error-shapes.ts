import type { CompiledApi, CompiledVersion } from '@dateline/versions';
import type { IsApiPath } from '../../api/paths.ts';
import { isForPeople } from '../../contracts/head/operation-parts.ts';
import { type ErrorShape, errorResponse, isErrorShape } from '../../errors/error-body.ts';
import type { EdgeErrorWriter } from '../edge/answer-error.ts';

/** The error shape of an address: its operation's, also where the method is wrong. */
export type ErrorShapes = (path: string) => ErrorShape;

export function errorShapesOf({ version, contract, operations }: CompiledVersion): ErrorShapes {
  const known = (name: string): ErrorShape => {
    if (isErrorShape(name)) return name;
    throw new Error(`the contract of ${version} names an error shape ${name}, which is not known`);
  };
  const usual = known(contract.errorShape.name);
  const own = [...operations.values()].flatMap(({ operation: { path, errorShape } }) =>
    errorShape ? [{ path: pathPattern(path), shape: known(errorShape.name) }] : [],
  );
  return (asked) => own.find(({ path }) => path.test(asked))?.shape ?? usual;
}

function pathPattern(path: string): RegExp {
  const texts = path.split(/\{[^{}]*\}/).map((text) => text.replaceAll(/[$()+.]/g, '\\$&'));
  return new RegExp(`^${texts.join('[^/]+')}/?$`);
}

export function createEdgeErrorWriter(api: CompiledApi, isApiPath: IsApiPath): EdgeErrorWriter {
  const shapes = new Map(
    [...api].map(([version, compiled]) => [version, errorShapesOf(withoutPages(compiled))]),
  );
  return (error, version, path) =>
    errorResponse(error, isApiPath(path) ? shapes.get(version)?.(path) : 'plain');
}

/** Pages for people have an app of their own. */
export function withoutPages(version: CompiledVersion): CompiledVersion {
  const forPrograms = [...version.operations].filter(([, { operation }]) => !isForPeople(operation));
  return { ...version, operations: new Map(forPrograms) };
}
