import type { CompiledVersion } from '@dateline/versions';
import { PAGE } from '../../contracts/head/operation-parts.ts';

/** What people go through in a browser is the same in all versions, and has an app of its own. */
export function withoutPages(version: CompiledVersion): CompiledVersion {
  const forPrograms = [...version.operations].filter(
    ([, { operation }]) => operation.responses[200]?.mediaType !== PAGE,
  );
  return { ...version, operations: new Map(forPrograms) };
}
