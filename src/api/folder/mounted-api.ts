import type { CompiledApi, CompiledVersion, OpenApiDocument, Operation } from '@dateline/versions';
import { partIn } from '../document/parts.ts';

/** An API with all of its paths below a prefix: so its callers know it. Its documents stay as they are written. */
export function mountedApi(api: CompiledApi, mount = ''): CompiledApi {
  if (mount === '') return api;
  return new Map([...api].map(([version, compiled]) => [version, mountedVersion(compiled, mount)]));
}

/** True for paths at or below a prefix; for all where there is none. */
export function isBelow(path: string, mount = ''): boolean {
  return mount === '' || path === mount || path.startsWith(`${mount}/`);
}

function mountedVersion(version: CompiledVersion, mount: string): CompiledVersion {
  const { contract } = version;
  const mounted = (operation: Operation): Operation => ({ ...operation, path: `${mount}${operation.path}` });
  return {
    ...version,
    contract: { ...contract, operations: contract.operations.map(mounted) },
    operations: new Map(
      [...version.operations].map(([id, compiled]) => [
        id,
        { ...compiled, operation: mounted(compiled.operation) },
      ]),
    ),
  };
}

/** A document with the same prefix. References to paths lead to where these are then. */
export function mountedDocument(document: OpenApiDocument, mount = ''): OpenApiDocument {
  if (mount === '') return document;
  const paths = Object.entries(partIn(document, 'paths')).map(([path, item]) => [
    path.startsWith('x-') ? path : `${mount}${path}`,
    item,
  ]);
  const mounted = { ...document, paths: Object.fromEntries(paths) };
  const text = JSON.stringify(mounted);
  if (!text.includes('"#/paths/')) return mounted;
  return JSON.parse(text.replaceAll('"#/paths/~1', `"#/paths/${mount.replaceAll('/', '~1')}~1`));
}
