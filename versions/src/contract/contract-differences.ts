import { isPart } from '../openapi/plain-data.ts';
import type { Contract, JsonSchema } from './contract.ts';
import { differencesBetween } from './differences.ts';

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
