import type { Contract, JsonSchema } from '../contract/contract.ts';
import { definitionIn, referenceToDefinition } from '../schema/schema-definitions.ts';

/** A component of a contract, with the definitions that it refers to. */
export interface NamedDefinition {
  name: string;
  schema: unknown;
  $defs: unknown;
}

/** Requests and answers have definitions of their own where properties are `readOnly` or `writeOnly`. */
export function definitionsNamed(name: string, contract: Contract): NamedDefinition[] {
  const reference = referenceToDefinition(name);
  return [...definitionsOf(contract)]
    .map(($defs) => ({ name, schema: definitionIn($defs, reference), $defs }))
    .filter(({ schema }) => schema !== undefined);
}

const known = new WeakMap<Contract, ReadonlySet<unknown>>();

function definitionsOf(contract: Contract): ReadonlySet<unknown> {
  const found = known.get(contract) ?? new Set(schemasOf(contract).flatMap((schema) => schema?.$defs ?? []));
  known.set(contract, found);
  return found;
}

function schemasOf({ operations, events }: Contract): (JsonSchema | null | undefined)[] {
  return [
    ...operations.flatMap(({ body, query, headers, params, responses, ranges, errorBodies }) => [
      ...[query, headers, params, body?.schema],
      ...[responses, ranges, errorBodies].flatMap((bodies) =>
        Object.values(bodies ?? {}).map((one) => one?.schema),
      ),
    ]),
    ...events.map(({ schema }) => schema),
  ];
}
