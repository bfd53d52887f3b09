import fc, { type Arbitrary } from 'fast-check';
import type { JsonSchema } from '../contract/contract.ts';
import { valueBelow } from '../openapi/json-pointer.ts';
import { type Alternative, alternativesOf } from '../schema/schema-alternatives.ts';
import type { Limits } from './limits-of.ts';
import { ANYTHING, isAnything, likelyTypes, propertiesOf, statedIn } from './sample-of.ts';
import { formatSamples, scalarSamples } from './scalar-samples.ts';

const ALTERNATIVES_MAX = 12;
const REFERENCES_MAX = 6;
/** Behind so many references, and after so many parts, there is only what is required: what is optional may lead to all of a document. */
const OPTIONAL_REFERENCES_MAX = 2;
const PARTS_MAX = 2_000;
const ITEMS_MAX = 3;
const LENGTH_MAX = 2_000;
const INTEGER_MAX = 2 ** 31;

/** Values that a schema describes. Not all of them fit: whoever takes one checks it. */
export function arbitraryOf(schema: JsonSchema, limits: Limits): Arbitrary<unknown> {
  const definitions = valueBelow(schema, '$defs');
  let parts = 0;

  /** Null where there is none: references that lead to themselves end somewhere. */
  function valuesFor(part: unknown, passed: readonly string[]): Arbitrary<unknown> | null {
    parts += 1;
    if (isAnything(part)) return fc.constantFrom(...ANYTHING);
    const stated = statedIn(part);
    if (isClosed(part)) return fc.constantFrom(...stated);
    if (passed.length > REFERENCES_MAX) return stated.length > 0 ? fc.constantFrom(...stated) : null;
    const made: Arbitrary<unknown>[] = [];
    for (const alternative of alternativesOf(part, definitions, passed)) {
      if (made.length >= ALTERNATIVES_MAX) break;
      made.push(...ofAlternative(alternative));
    }
    if (made.length === 0) return null;
    return fc.oneof(...made, ...(stated.length > 0 ? [fc.constantFrom(...stated)] : []));
  }

  /** None where it contradicts itself. */
  function ofAlternative(alternative: Alternative): Arbitrary<unknown>[] {
    const { schema: own } = alternative;
    const stated = statedIn(own);
    if (isClosed(own)) return [fc.constantFrom(...stated)];
    const types = likelyTypes(own).map((type) => ofType(type, alternative));
    return [...types, ...(stated.length > 0 ? [fc.constantFrom(...stated)] : [])];
  }

  function ofType(type: string, alternative: Alternative): Arbitrary<unknown> {
    if (type === 'object') return objects(alternative);
    if (type === 'array') return lists(alternative);
    if (type === 'string') return texts(alternative.schema, limits);
    if (type === 'integer' || type === 'number') return numbers(type, alternative.schema, limits);
    return fc.constantFrom(...scalarSamples(type, alternative.schema));
  }

  function objects({ schema: own, passed }: Alternative): Arbitrary<unknown> {
    const names = new Set(Array.isArray(own.required) ? own.required : []);
    const isWhole = passed.length <= OPTIONAL_REFERENCES_MAX && parts <= PARTS_MAX;
    const known = Object.entries(propertiesOf(own)).flatMap(([name, part]) => {
      const value = isWhole || names.has(name) ? valuesFor(part, passed) : null;
      return value === null ? [] : [[name, value] as const];
    });
    const required = known.map(([name]) => name).filter((name) => names.has(name));
    const record = fc.record(Object.fromEntries(known), { requiredKeys: required });
    const other =
      own.additionalProperties === false ? null : valuesFor(own.additionalProperties ?? true, passed);
    if (other === null) return record;
    const others = fc.dictionary(fc.constantFrom('undeclared', 'named'), other, {
      maxKeys: 1,
      noNullPrototype: true,
    });
    return fc.tuple(others, record).map(([more, declared]) => ({ ...more, ...declared }));
  }

  function lists({ schema: own, passed }: Alternative): Arbitrary<unknown> {
    const first = (Array.isArray(own.prefixItems) ? own.prefixItems : []).map((part) =>
      valuesFor(part, passed),
    );
    const item = valuesFor(own.items ?? true, passed);
    const leading = fc.tuple(...first.filter((part) => part !== null));
    if (item === null) return leading;
    const fewest = Math.min(Number(own.minItems ?? 0), LENGTH_MAX);
    const most = Math.min(Number(own.maxItems ?? Number.POSITIVE_INFINITY), fewest + ITEMS_MAX);
    const rest = fc.array(item, { minLength: fewest, maxLength: Math.max(fewest, most) });
    return fc.tuple(leading, rest).map(([one, other]) => [...one, ...other]);
  }

  return valuesFor(schema, []) ?? fc.constant(undefined);
}

/** True where the only values are those that are written down. */
function isClosed(schema: unknown): boolean {
  return valueBelow(schema, 'const') !== undefined || Array.isArray(valueBelow(schema, 'enum'));
}

function texts(schema: JsonSchema, { lengths }: Limits): Arbitrary<string> {
  const { format, pattern, minLength, maxLength } = schema;
  const known = formatSamples(format);
  if (known.length > 0) return fc.constantFrom(...known);
  const matching = typeof pattern === 'string' ? matchingTexts(pattern) : null;
  if (matching) return matching;
  const fewest = Math.min(Number(minLength ?? 0), LENGTH_MAX);
  const most = Math.min(Number(maxLength ?? Number.POSITIVE_INFINITY), LENGTH_MAX);
  const limit = lengths.filter((length) => length >= fewest && length <= most);
  const any = fc.string({ minLength: fewest, maxLength: Math.max(fewest, Math.min(most, fewest + 12)) });
  return limit.length === 0
    ? any
    : fc.oneof(
        any,
        fc.constantFrom(...limit).map((length) => 'x'.repeat(length)),
      );
}

/** Null where the expression has something that the generator does not know. */
function matchingTexts(pattern: string): Arbitrary<string> | null {
  try {
    return fc.stringMatching(new RegExp(pattern, 'u'));
  } catch {
    return null;
  }
}

function numbers(
  type: 'integer' | 'number',
  schema: JsonSchema,
  { numbers: limits }: Limits,
): Arbitrary<number> {
  const { minimum, maximum, multipleOf } = schema;
  const [fewest, most] = [Number(minimum ?? -INTEGER_MAX), Number(maximum ?? INTEGER_MAX)];
  const near = [...scalarSamples(type, schema).map(Number), ...limits];
  const [least, greatest] = [
    Math.ceil(Math.max(fewest, -INTEGER_MAX)),
    Math.floor(Math.min(most, INTEGER_MAX)),
  ];
  const whole = least <= greatest ? [fc.integer({ min: least, max: greatest })] : [];
  const step = Number(multipleOf ?? 0);
  const any = fc.oneof(fc.constantFrom(...near), ...whole);
  return step > 0 ? any.map((value) => Math.round(value / step) * step) : any;
}
