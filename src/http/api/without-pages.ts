import type { CompiledVersion } from '@dateline/versions';
import { PAGE } from '../../contracts/head/operation-parts.ts';

/** Pages for people are the same in all versions, and have an app of their own. */
export function withoutPages(version: CompiledVersion): CompiledVersion {
  const forPrograms = [...version.operations].filter(
    ([, { operation }]) => operation.responses[200]?.mediaType !== PAGE,
  );
  return { ...version, operations: new Map(forPrograms) };
}
