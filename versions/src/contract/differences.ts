import { isPart } from '../openapi/plain-data.ts';

/** One difference between two documents. */
export interface Difference {
  /** Such as `paths./v1/things/.get.responses.200`. */
  path: string;
  kind: 'added' | 'removed' | 'changed';
}

/** Where the second of two plain values differs from the first. */
export function differencesBetween(one: unknown, other: unknown, path: readonly string[] = []): Difference[] {
  if (isPart(one) && isPart(other)) {
    const keys = [...new Set([...Object.keys(one), ...Object.keys(other)])].sort();
    return keys.flatMap((key) => {
      const here = [...path, key];
      if (!(key in other)) return [{ path: here.join('.'), kind: 'removed' as const }];
      if (!(key in one)) return [{ path: here.join('.'), kind: 'added' as const }];
      return differencesBetween(one[key], other[key], here);
    });
  }
  return JSON.stringify(one) === JSON.stringify(other) ? [] : [{ path: path.join('.'), kind: 'changed' }];
}
