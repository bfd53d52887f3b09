import type { CompiledApi, CompiledVersion, OpenApiDocument, Operation } from '@dateline/versions';
import { partIn } from '../document/parts.ts';

/** An API with all of its paths below a prefix: so its callers know it, and its documents say so. */
export function mountedApi(api: CompiledApi, mount = ''): CompiledApi {
  if (mount === '') return api;
  return new Map([...api].map(([version, compiled]) => [version, mountedVersion(compiled, mount)]));
}

/** True for paths at or below a prefix; for all where there is none. */
export function isBelow(path: string, mount = ''): boolean {
  return mount === '' || path === mount || path.startsWith(`${mount}/`);
}

function mountedVersion(version: CompiledVersion, mount: string): CompiledVersion {
  const { contract, document } = version;
  const mounted = (operation: Operation): Operation => ({ ...operation, path: `${mount}${operation.path}` });
  return {
    ...version,
    contract: { ...contract, operations: contract.operations.map(mounted) },
    document: mountedDocument(document, mount),
    operations: new Map(
      [...version.operations].map(([id, compiled]) => [
        id,
        { ...compiled, operation: mounted(compiled.operation) },
      ]),
    ),
  };
}

/** References to paths lead to where these are now. */
function mountedDocument(document: OpenApiDocument, mount: string): OpenApiDocument {
  const paths = Object.entries(partIn(document, 'paths')).map(([path, item]) => [
    path.startsWith('x-') ? path : `${mount}${path}`,
    item,
  ]);
  const mounted = { ...document, paths: Object.fromEntries(paths) };
  const text = JSON.stringify(mounted);
  if (!text.includes('"#/paths/')) return mounted;
  return JSON.parse(text.replaceAll('"#/paths/~1', `"#/paths/${mount.replaceAll('/', '~1')}~1`));
}
