import type { ApiVersion, CompiledApi } from '@dateline/versions';

/** Finds the operation that a method and a path call in a version; null if there is none, or this build lacks the version. */
export type OperationFinder = (version: string, method: string, path: string) => string | null;

interface Pattern {
  id: string;
  /** Null where any text matches. */
  segments: readonly (string | null)[];
}

/**
 * For the record only: requests are routed by the web framework. The patterns of a version are made when they are first asked
 * for, which is after a release at the earliest.
 */
export function createOperationFinder(api: CompiledApi): OperationFinder {
  const known = new Map<string, ReadonlyMap<string, readonly Pattern[]>>();

  function patternsOf(version: string): ReadonlyMap<string, readonly Pattern[]> {
    const made = known.get(version) ?? patternsIn(api, version as ApiVersion);
    known.set(version, made);
    return made;
  }

  return (version, method, path) => {
    if (!api.has(version as ApiVersion)) return null;
    const segments = segmentsOf(path);
    const candidates = patternsOf(version).get(keyOf(method, segments)) ?? [];
    return candidates.find((pattern) => matches(pattern, segments))?.id ?? null;
  };
}

/** By method and number of segments; a literal segment goes before one that matches any text. */
function patternsIn(api: CompiledApi, version: ApiVersion): ReadonlyMap<string, readonly Pattern[]> {
  const patterns = new Map<string, Pattern[]>();
  for (const { id, method, path } of api.get(version)?.contract.operations ?? []) {
    const segments = segmentsOf(path).map((segment) => (segment.includes('{') ? null : segment));
    const key = keyOf(method, segments);
    patterns.set(key, [...(patterns.get(key) ?? []), { id, segments }]);
  }
  const openness = ({ segments }: Pattern): number => segments.filter((segment) => segment === null).length;
  for (const list of patterns.values()) list.sort((one, other) => openness(one) - openness(other));
  return patterns;
}

function keyOf(method: string, { length }: readonly unknown[]): string {
  return `${method === 'HEAD' ? 'GET' : method} ${length}`;
}

/** A slash at the end makes no difference. */
function segmentsOf(path: string): string[] {
  return path.split('/').filter((segment) => segment !== '');
}

function matches({ segments: wanted }: Pattern, segments: readonly string[]): boolean {
  return wanted.every((segment, index) => segment === null || segment === segments[index]);
}
