import type { Contract, JsonSchema } from '../../contract/contract.ts';
import { definitionIn, referenceToDefinition } from '../../schema/schema-definitions.ts';

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
  const found =
    known.get(contract) ?? new Set(bodySchemas(contract).flatMap(({ schema }) => schema.$defs ?? []));
  known.set(contract, found);
  return found;
}

export interface BodySchema {
  schema: JsonSchema;
  /** As paths of differences have it. */
  path: string;
}

/** The schemas of a contract with their definitions: of queries, headers, bodies, answers and events. */
export function bodySchemas({ operations, events }: Contract): BodySchema[] {
  const found = [
    ...operations.flatMap(({ id, body, query, headers, params, responses, ranges, errorBodies }) => [
      ...Object.entries({ query, headers, params }).map(([part, schema]) => ({
        path: `${id}.${part}`,
        schema,
      })),
      { path: `${id}.body.schema`, schema: body?.schema },
      ...Object.entries({ responses, ranges, errorBodies }).flatMap(([part, bodies]) =>
        Object.entries(bodies ?? {}).map(([status, one]) => ({
          path: `${id}.${part}.${status}.schema`,
          schema: one?.schema,
        })),
      ),
    ]),
    ...events.map(({ kind, schema }) => ({ path: kind, schema })),
  ];
  return found.flatMap(({ path, schema }) => (schema ? [{ path, schema }] : []));
}
