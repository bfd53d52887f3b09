import type { CompiledVersion } from '@dateline/versions';
import { isForPeople } from '../../contracts/head/operation-parts.ts';

/** Pages for people have an app of their own. */
export function withoutPages(version: CompiledVersion): CompiledVersion {
  const forPrograms = [...version.operations].filter(([, { operation }]) => !isForPeople(operation));
  return { ...version, operations: new Map(forPrograms) };
}
