import type { JsonSchema } from '../contract/contract.ts';
import { valueBelow } from '../openapi/json-pointer.ts';
import { isPart, type Part } from '../openapi/plain-data.ts';
import { type Alternative, alternativesOf } from '../schema/schema-alternatives.ts';
import { reachedIn } from '../schema/schema-definitions.ts';
import { isMarkAlone } from '../schema/schema-marks.ts';
import { typesOf } from '../schema/schema-types.ts';
import { createFits } from '../schema/validator.ts';
import { scalarSamples } from './scalar-samples.ts';

/**
 * A value that fits a schema, always the same one: what the schema gives as an example, as its default or as one of
 * its only values, else one made by its keywords. Undefined where none is found that fits.
 */
export function sampleOf(schema: JsonSchema): unknown {
  const { $defs: definitions, ...own } = schema;
  return createSampler(definitions)(own, []);
}

/** The reference of a schema that is nothing but one. */
function referenceOf(schema: unknown): string | null {
  return isPart(schema) && typeof schema.$ref === 'string' && Object.keys(schema).length === 1
    ? schema.$ref
    : null;
}

/** The references that were passed on the way are not followed again: so what recurs comes to an end. */
export type Sampler = (schema: unknown, passed: readonly string[]) => unknown;

const TRIES_MAX = 50;
const CHECKS_MAX = 10_000;
const ITEMS_MAX = 100;
const REFERENCES_MAX = 50;
/** Behind so many references, and after so many samples, an object has what is required alone: what is optional may lead to all of a document. */
const OPTIONAL_REFERENCES_MAX = 2;
const OPTIONAL_SAMPLES_MAX = 5_000;
/** Each counted wherever it stands: a sample of many references to the same thing would be larger than any memory. */
const VALUES_MAX = 10_000;

/** Samples of schemas that share their definitions. */
export function createSampler(definitions: unknown): Sampler {
  return createSamplers(definitions).sample;
}

function createSamplers(definitions: unknown): Record<'sample' | 'ownSample', Sampler> {
  const known = new Map<unknown, Map<string, unknown>>();
  const fits = createFits(definitions);
  let checks = 0;
  let begun = 0;

  function sample(schema: unknown, passed: readonly string[]): unknown {
    const reference = referenceOf(schema);
    if (reference === null || !isPart(definitions)) return ownSample(schema, passed);
    const shared = sharedSamples(definitions);
    return shared.isFree(reference, passed) ? shared.sample(reference, passed) : ownSample(schema, passed);
  }

  function ownSample(schema: unknown, passed: readonly string[]): unknown {
    const samples = known.get(schema) ?? new Map<string, unknown>();
    known.set(schema, samples);
    const key = passed.join();
    if (!samples.has(key)) samples.set(key, firstThatFits(schema, passed));
    return samples.get(key);
  }

  function firstThatFits(schema: unknown, passed: readonly string[]): unknown {
    let tries = 0;
    begun += 1;
    for (const value of candidates(schema, passed)) {
      if (++tries > TRIES_MAX || ++checks > CHECKS_MAX) return undefined;
      if (sizeOf(value) <= VALUES_MAX && fits(schema, value)) return value;
    }
    return undefined;
  }

  function* candidates(schema: unknown, passed: readonly string[]): Generator<unknown> {
    yield* statedIn(schema);
    if (passed.length > REFERENCES_MAX) return;
    for (const alternative of alternativesOf(schema, definitions, passed)) {
      yield* statedIn(alternative.schema);
      for (const type of likelyTypes(alternative.schema)) yield* valuesOf(type, alternative);
    }
  }

  function* valuesOf(type: string, alternative: Alternative): Generator<unknown> {
    if (type === 'object') {
      if (alternative.passed.length <= OPTIONAL_REFERENCES_MAX && begun <= OPTIONAL_SAMPLES_MAX)
        yield objectWith(Object.keys(propertiesOf(alternative.schema)), alternative);
      yield objectWith([], alternative);
    } else if (type === 'array') {
      yield listOf(alternative, 1);
      yield listOf(alternative, 0);
    } else yield* scalarSamples(type, alternative.schema);
  }

  /** An object with what is required, and what else has a sample. */
  function objectWith(wanted: readonly string[], { schema, passed }: Alternative): unknown {
    const required = Array.isArray(schema.required) ? schema.required.map(String) : [];
    const { additionalProperties, minProperties } = schema;
    const properties = propertiesOf(schema);
    const schemaOf = (name: string): unknown => valueBelow(properties, name) ?? additionalProperties ?? true;
    const names = new Set([...wanted, ...required]);
    const fewest = Math.min(Number(minProperties ?? 0), ITEMS_MAX);
    for (let number = 1; names.size < fewest; number++) names.add(`name_${number}`);
    const fields = [...names].map((name) => [name, sample(schemaOf(name), passed)] as const);
    return Object.fromEntries(fields.filter(([, value]) => value !== undefined));
  }

  /** A list with as many items as are needed, and a few that would be nice. */
  function listOf({ schema, passed }: Alternative, wanted: number): unknown {
    const first = Array.isArray(schema.prefixItems) ? schema.prefixItems : [];
    const contained = schema.contains === undefined ? [] : [schema.contains];
    const leading = [...first, ...contained].map((item) => sample(item, passed));
    const item = sample(schema.items ?? true, passed);
    const fewest = Math.max(
      Number(schema.minItems ?? 0),
      Math.min(wanted, Number(schema.maxItems ?? wanted)),
    );
    const missing = item === undefined ? 0 : Math.min(fewest, ITEMS_MAX) - leading.length;
    const more = Array.from({ length: Math.max(missing, 0) }, (_none, index) =>
      schema.uniqueItems === true ? another(schema.items, item, index) : item,
    );
    return [...leading, ...more].filter((value) => value !== undefined);
  }

  return { sample, ownSample };
}

const sizes = new WeakMap<object, number>();

/** The number of values in one, each counted wherever it stands. */
function sizeOf(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 1;
  const size = sizes.get(value) ?? Object.values(value).reduce((sum, item) => sum + sizeOf(item), 1);
  sizes.set(value, size);
  return size;
}

interface SharedSamples {
  /** True where nothing that was passed on the way comes again. */
  isFree(reference: string, passed: readonly string[]): boolean;
  sample(reference: string, passed: readonly string[]): unknown;
}

const shared = new WeakMap<Part, SharedSamples>();

/** The samples of references are the same wherever in a document they stand, so each is made once. */
function sharedSamples(definitions: Part): SharedSamples {
  const found = shared.get(definitions) ?? createSharedSamples(definitions);
  shared.set(definitions, found);
  return found;
}

function createSharedSamples(definitions: Part): SharedSamples {
  const known = new Map<string, unknown>();
  const reachedFrom = reachedIn(definitions);
  return {
    isFree: (reference, passed) => !passed.some((name) => reachedFrom(reference).has(name)),
    sample(reference, passed) {
      // So many decide whether there is what is optional.
      const counted = passed.slice(0, OPTIONAL_REFERENCES_MAX + 1);
      const key = `${counted.length} ${reference}`;
      if (!known.has(key))
        known.set(key, createSamplers(definitions).ownSample({ $ref: reference }, counted));
      return known.get(key);
    },
  };
}

/** Values that a schema itself gives. */
export function statedIn(schema: unknown): readonly unknown[] {
  if (!isPart(schema)) return [];
  const { examples, example, default: usual, const: only, enum: several } = schema;
  return [
    ...(Array.isArray(examples) ? examples : []),
    ...[example, usual, only].filter((value) => value !== undefined),
    ...(Array.isArray(several) ? several : []),
  ];
}

/** True for a schema that says nothing. */
export function isAnything(schema: unknown): boolean {
  return schema === true || (isPart(schema) && Object.keys(schema).length === 0);
}

/** Values of such a schema: one of each type. */
export const ANYTHING: readonly unknown[] = ['text', 1, true, null, {}, []];

const hints: readonly (readonly [type: string, ...keywords: string[]])[] = [
  ['object', 'properties', 'required', 'additionalProperties', 'minProperties'],
  ['array', 'items', 'prefixItems', 'minItems', 'contains'],
  ['string', 'minLength', 'maxLength', 'format', 'pattern'],
  ['integer', 'minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum', 'multipleOf'],
  ['number', 'minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum', 'multipleOf'],
  ['boolean'],
  ['null'],
];

/** The types that a schema allows: those first that its keywords are about. */
export function likelyTypes(schema: JsonSchema): string[] {
  const allowed = typesOf(schema);
  const types = hints.filter(([type]) => allowed.has(type));
  const isHinted = ([, ...keywords]: readonly string[]): boolean =>
    keywords.some((keyword) => keyword in schema);
  return [...types.filter(isHinted), ...types.filter((hint) => !isHinted(hint))].map(([type]) => type);
}

export function propertiesOf({ properties }: JsonSchema): JsonSchema {
  if (!isPart(properties)) return {};
  const entries = Object.entries(properties);
  // What has no place in a request or an answer has none in a sample of it.
  return entries.some(([, part]) => isMarkAlone(part))
    ? Object.fromEntries(entries.filter(([, part]) => !isMarkAlone(part)))
    : properties;
}

/** A value that differs from a sample, and from others of the same kind. */
function another(schema: unknown, value: unknown, number: number): unknown {
  const several = valueBelow(schema, 'enum');
  if (Array.isArray(several)) return several[number];
  if (typeof value === 'number') return value + number * Number(valueBelow(schema, 'multipleOf') ?? 1);
  return typeof value === 'string' && number > 0 ? `${value}${number}` : value;
}
