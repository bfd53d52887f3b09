import type { Contract, JsonSchema } from '../contract/contract.ts';
import { isPart } from '../openapi/plain-data.ts';
import { createComparison, type FoundDifference } from './compare-values.ts';

/**
 * Where two contracts differ: paths that begin with an operation id, an event kind, or `errors`. References are followed, and
 * the parts of `allOf`, `anyOf` and `oneOf` are compared one by one, so that each property that differs is named.
 */
export function contractDifferences(older: Contract, newer: Contract): string[] {
  return [...differencesByName(older, newer).values()].flat();
}

/** The same by the operation id, event kind, or `errors` that the paths begin with. Only what differs is in it. */
export function differencesByName(older: Contract, newer: Contract): ReadonlyMap<string, readonly string[]> {
  const found = foundDifferences(older, newer);
  return new Map([...found].map(([name, differences]) => [name, differences.map(({ path }) => path)]));
}

type Found = ReadonlyMap<string, readonly FoundDifference[]>;
const known = new WeakMap<Contract, WeakMap<Contract, Found>>();

/** The same, and where each of them is written. Compared once: a contract never changes, and each of several sources may hold it. */
export function foundDifferences(older: Contract, newer: Contract): Found {
  const ofOlder = known.get(older) ?? new WeakMap<Contract, Found>();
  known.set(older, ofOlder);
  const found = ofOlder.get(newer) ?? findDifferences(older, newer);
  ofOlder.set(newer, found);
  return found;
}

function findDifferences(older: Contract, newer: Contract): Found {
  const compare = createComparison();
  const [before, after] = [partsOf(older), partsOf(newer)];
  const names = [...new Set([...before.keys(), ...after.keys()])].sort();
  const found = names.map((name): [string, readonly FoundDifference[]] => {
    const [one = [], other = []] = [before.get(name), after.get(name)];
    if (one.length !== other.length)
      return [name, [{ path: name, local: name, definitions: NOWHERE, around: [] }]];
    const differences = one.flatMap((value, index) => compare({ value }, { value: other[index] }));
    return [name, differences.map((difference) => ({ ...difference, path: `${name}.${difference.path}` }))];
  });
  return new Map(found.filter(([, differences]) => differences.length > 0));
}

const NOWHERE = { older: null, newer: null };

/** The parts of a contract by name. What stands beside the schema of an event is compared apart: it is no keyword. */
function partsOf({ operations, events, errorShape }: Contract): Map<string, readonly unknown[]> {
  return new Map<string, readonly unknown[]>([
    ...operations.map(({ summary: _prose, ...operation }) => [operation.id, [operation]] as const),
    ...events.map(({ kind, scopes, schema }) => [kind, [withoutVersion(schema), { scopes }]] as const),
    ['errors', [errorShape]],
  ]);
}

/** The frame of an event names its version; that alone is no difference. */
function withoutVersion(schema: JsonSchema): JsonSchema {
  if (!isPart(schema.properties)) return schema;
  const { api_version: _named, ...properties } = schema.properties;
  return { ...schema, properties };
}
