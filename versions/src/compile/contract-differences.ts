import type { Contract, JsonSchema } from '../contract/contract.ts';
import { isPart, type Part } from '../openapi/plain-data.ts';
import { createComparison } from './compare-values.ts';

/**
 * Where two contracts differ: paths that begin with an operation id, an event kind, or `errors`. References are followed, and
 * the parts of `allOf`, `anyOf` and `oneOf` are compared one by one, so that each property that differs is named.
 */
export function contractDifferences(older: Contract, newer: Contract): string[] {
  const compare = createComparison();
  return compare({ value: partsOf(older) }, { value: partsOf(newer) });
}

function partsOf(contract: Contract): Part {
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
