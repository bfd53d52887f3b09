import { isPart } from '../openapi/plain-data.ts';
import type { Contract, JsonSchema } from './contract.ts';

/** Where two contracts differ: paths that begin with an operation id, an event kind, or `errors`. */
export function contractDifferences(older: Contract, newer: Contract): string[] {
  return differencesBetween(partsOf(older), partsOf(newer)).map(({ path }) => path);
}

function partsOf(contract: Contract): Record<string, unknown> {
  return Object.fromEntries([
    ...contract.operations.map(({ summary: _prose, ...operation }) => [operation.id, operation]),
    ...contract.events.map(({ kind, scopes, schema }) => [kind, { ...withoutVersion(schema), scopes }]),
    ['errors', contract.errorShape],
  ]);
}

/** The frame of an event names its version; that alone is no difference. */
function withoutVersion(schema: JsonSchema): JsonSchema {
  if (!isPart(schema.properties)) return schema;
  const { api_version: _named, ...properties } = schema.properties;
  return { ...schema, properties };
}

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
