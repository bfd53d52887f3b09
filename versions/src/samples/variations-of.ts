import type { JsonSchema } from '../contract/contract.ts';
import { valueBelow } from '../openapi/json-pointer.ts';
import { type Alternative, alternativesOf } from '../schema/schema-alternatives.ts';
import type { Limits } from './limits-of.ts';
import { ANYTHING, createSampler, isAnything, likelyTypes, propertiesOf, statedIn } from './sample-of.ts';
import { scalarSamples } from './scalar-samples.ts';

export interface VariationRules {
  limits: Limits;
  /** Names of properties that are worth every value; of others one is enough. */
  names: ReadonlySet<string>;
}

const ALTERNATIVES_MAX = 12;
const REFERENCES_MAX = 12;
const LENGTH_MAX = 2_000;

/**
 * Values of a schema, each of which differs from a usual one in one place: every allowed value of an `enum`, both sides of every
 * limit, each property left out. Some may not fit. What chance would rarely meet is met here.
 */
export function variationsOf(schema: JsonSchema, { limits, names }: VariationRules): Generator<unknown> {
  const definitions = valueBelow(schema, '$defs');
  const sample = createSampler(definitions);

  function* variations(part: unknown, passed: readonly string[]): Generator<unknown> {
    if (isAnything(part)) return yield* ANYTHING;
    const usual = sample(part, passed);
    if (usual !== undefined) yield usual;
    yield* statedIn(part);
    if (passed.length > REFERENCES_MAX) return;
    let left = ALTERNATIVES_MAX;
    for (const alternative of alternativesOf(part, definitions, passed)) {
      if (left-- === 0) return;
      yield* statedIn(alternative.schema);
      yield* inTurn(likelyTypes(alternative.schema).map((type) => ofType(type, alternative)));
    }
  }

  function ofType(type: string, alternative: Alternative): Generator<unknown> {
    if (type === 'object') return objects(alternative);
    if (type === 'array') return lists(alternative);
    return scalars(type, alternative.schema);
  }

  function* objects(alternative: Alternative): Generator<unknown> {
    const { schema: own, passed } = alternative;
    const usual = usualObject(alternative);
    yield usual;
    yield { ...usual, undeclared: 'text' };
    const properties = Object.entries(propertiesOf(own)).toSorted(
      ([one], [other]) => rank(one) - rank(other),
    );
    for (const [name] of properties) yield without(usual, name);
    yield* inTurn(
      properties
        .filter(([name]) => names.has(name))
        .map(([name, part]) => mapped(variations(part, passed), (value) => ({ ...usual, [name]: value }))),
    );
    if (own.additionalProperties !== undefined)
      yield* mapped(variations(own.additionalProperties, passed), (value) => ({ ...usual, named: value }));
  }

  const rank = (name: string): number => (names.has(name) ? 0 : 1);

  function usualObject({ schema: own, passed }: Alternative): Record<string, unknown> {
    const fields = Object.entries(propertiesOf(own)).map(
      ([name, part]) => [name, sample(part, passed)] as const,
    );
    return Object.fromEntries(fields.filter(([, value]) => value !== undefined));
  }

  function* lists({ schema: own, passed }: Alternative): Generator<unknown> {
    yield [];
    const item = sample(own.items ?? true, passed);
    // Two that are the same, for what has to be unique in one of the versions.
    for (const length of [2, ...limits.lengths])
      if (item !== undefined && length <= LENGTH_MAX) yield Array.from({ length }, () => item);
    yield* mapped(variations(own.items ?? true, passed), (value) => [value]);
  }

  function* scalars(type: string, own: JsonSchema): Generator<unknown> {
    yield* scalarSamples(type, own);
    if (type === 'string')
      for (const length of limits.lengths) if (length <= LENGTH_MAX) yield 'x'.repeat(length);
    if (type === 'integer' || type === 'number') yield* limits.numbers;
  }

  return variations(schema, []);
}

function without(value: Readonly<Record<string, unknown>>, name: string): Record<string, unknown> {
  const { [name]: _left, ...others } = value;
  return others;
}

function* mapped<Value, Other>(values: Iterable<Value>, map: (value: Value) => Other): Generator<Other> {
  for (const value of values) yield map(value);
}

/** One of each, again and again: however many the first has, the last has its turn. */
function* inTurn(generators: readonly Generator<unknown>[]): Generator<unknown> {
  let left = generators;
  while (left.length > 0) {
    const going: Generator<unknown>[] = [];
    for (const generator of left) {
      const { done, value } = generator.next();
      if (done) continue;
      yield value;
      going.push(generator);
    }
    left = going;
  }
}
