import type { ApiVersion, CompiledApi, CompiledVersion } from '@dateline/versions';
import { type PathMatcher, pathMatcher } from './paths.ts';

/** Finds the operation that a method and a path call in a version; null if there is none, or the version is not known. */
export type OperationFinder = (version: string, method: string, path: string) => string | null;

interface Candidate {
  id: string;
  matches: PathMatcher;
  /** Sorts as routers choose: from the left, literal text before what any text matches. */
  rank: string;
}

/** By method and number of segments, so that few are tried for a path. */
type Candidates = ReadonlyMap<string, readonly Candidate[]>;

/**
 * For what is refused or recorded without a route: all else is routed by the web framework. The candidates of a version are
 * made when they are first asked for.
 */
export function createOperationFinder(api: CompiledApi): OperationFinder {
  const known = new Map<CompiledVersion, Candidates>();

  function candidatesIn(compiled: CompiledVersion): Candidates {
    const made = known.get(compiled) ?? candidatesOf(compiled);
    known.set(compiled, made);
    return made;
  }

  return (version, method, path) => {
    const compiled = api.get(version as ApiVersion);
    if (!compiled) return null;
    const candidates = candidatesIn(compiled);
    // The head of what has none is that of its GET.
    const methods = method === 'HEAD' ? ['HEAD', 'GET'] : [method];
    for (const one of methods) {
      const found = candidates.get(keyOf(one, path))?.find(({ matches }) => matches(path));
      if (found) return found.id;
    }
    return null;
  };
}

function candidatesOf({ operations }: CompiledVersion): Candidates {
  const candidates = new Map<string, Candidate[]>();
  for (const { operation } of operations.values()) {
    const { id, method, path } = operation;
    const key = keyOf(method, path);
    const alike = candidates.get(key) ?? [];
    candidates.set(key, alike);
    alike.push({ id, matches: pathMatcher(path), rank: rankOf(path) });
  }
  for (const alike of candidates.values()) alike.sort((one, other) => (one.rank < other.rank ? -1 : 1));
  return candidates;
}

/** A slash at the end makes no difference. */
function keyOf(method: string, path: string): string {
  return `${method} ${path.replace(/\/$/, '').split('/').length}`;
}

function rankOf(path: string): string {
  return path
    .split('/')
    .map((segment) => (/^\{[^{}]*\}$/.test(segment) ? '2' : segment.includes('{') ? '1' : '0'))
    .join('');
}
