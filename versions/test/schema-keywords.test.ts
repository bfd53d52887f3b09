import { createRequire } from 'node:module';
import fc, { type Arbitrary } from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isFullMatrix } from '../../test/support/database/databases.ts';
import {
  type JsonSchema,
  markedMembers,
  type OpenApiContract,
  readOpenApi,
  sampleOf,
  slowPatterns,
  TextShape,
  type Validate,
  validator,
} from '../src/index.ts';
import { arbitraryOf } from '../src/samples/arbitrary-of.ts';
import { limitsOf } from '../src/samples/limits-of.ts';
import { variationsOf } from '../src/samples/variations-of.ts';

const schemas = {
  Known: { type: 'object', properties: { a: { type: 'string' } } },
  Text: { type: 'string' },
};

function reading(schema: unknown): OpenApiContract {
  const content = { 'application/json': { schema } };
  const responses = { 200: { description: 'Good.', content } };
  return readOpenApi(
    {
      openapi: '3.1.0',
      info: { title: 'Keywords', version: '2027-01' },
      paths: { '/all': { post: { operationId: 'all', requestBody: { content }, responses } } },
      components: { schemas },
    },
    {
      errorShape: { name: 'problem', mediaType: 'application/problem+json', schema: {} },
      errors: {},
      wrapEvent: (_kind, data) => data,
      wrapExample: () => ({}),
    },
  );
}

function contractSchema(schema: unknown): JsonSchema {
  const { contract, problems } = reading(schema);
  const read = contract?.operations[0]?.body?.schema;
  if (!read) throw new Error(JSON.stringify({ schema, problems }));
  return read;
}

/** Looks at a value as at the first one, and as at one of many, for which a schema is compiled: both must say the same. */
function firstAndLater(schema: JsonSchema): Validate {
  const later = validator(schema);
  for (const value of VALUES) later(value);
  return (value) => {
    const findings = validator(schema)(value);
    expect({ schema, value, findings: later(value) }).toEqual({ schema, value, findings });
    return findings;
  };
}

/** Everything that is ever made of a schema. */
function useAll(schema: JsonSchema): void {
  const validate = validator(schema);
  for (const value of VALUES) validate(value);
  validate(sampleOf(schema));
  TextShape.of(schema).fits('text');
  markedMembers(schema)?.({ a: 1 });
  const limits = limitsOf([schema]);
  let left = 40;
  for (const value of variationsOf(schema, { limits, names: new Set(['a']) })) {
    if (left-- === 0) break;
    validate(value);
  }
  fc.sample(arbitraryOf(schema, limits), { numRuns: 3, seed: 1 });
}

const VALUES = [null, true, 0, 1.5, '', 'text', [], [1, 1], ['a', {}], {}, { a: 1 }, { a: 'text', b: [] }];

/** All keywords of JSON Schema 2020-12, of the drafts before it, and of OpenAPI 3.0 and 3.1. */
const KEYWORDS = [
  ...['$schema', '$id', '$anchor', '$ref', '$dynamicRef', '$dynamicAnchor', '$vocabulary', '$comment'],
  ...['$defs', 'type', 'enum', 'const', 'multipleOf', 'maximum', 'exclusiveMaximum', 'minimum'],
  ...['exclusiveMinimum', 'maxLength', 'minLength', 'pattern', 'maxItems', 'minItems', 'uniqueItems'],
  ...['maxContains', 'minContains', 'maxProperties', 'minProperties', 'required', 'dependentRequired'],
  ...['allOf', 'anyOf', 'oneOf', 'not', 'if', 'then', 'else', 'dependentSchemas', 'prefixItems', 'items'],
  ...['contains', 'properties', 'patternProperties', 'additionalProperties', 'propertyNames'],
  ...['unevaluatedItems', 'unevaluatedProperties', 'format', 'contentEncoding', 'contentMediaType'],
  ...['contentSchema', 'title', 'description', 'default', 'deprecated', 'readOnly', 'writeOnly', 'examples'],
  ...['definitions', 'dependencies', 'additionalItems', '$recursiveRef', '$recursiveAnchor', 'id'],
  ...['nullable', 'discriminator', 'xml', 'externalDocs', 'example', 'x-own'],
];

const ODD_VALUES: readonly unknown[] = [
  ...[null, true, false, 0, -1, 1.5, 1e308, 5e-324, '', 'text', '(', '#', '#/components/schemas/Known'],
  ...[[], [null], [[]], [1, 1], ['a', 'a'], ['a', 'toString'], ['string', 'null'], [{}], [true, false]],
  ...[[{ type: 'string' }], {}, { a: null }, { a: 1 }, { a: [] }, { a: ['b'] }, { a: {} }, { '(': {} }],
  ...[{ toString: {} }, { hasOwnProperty: ['a'] }, { constructor: true }, { type: 'text' }, { $ref: 1 }],
  ...[{ $ref: '#/nowhere' }, { $ref: '#/components/schemas/Known' }, { propertyName: 1, mapping: [] }],
];

/** Keywords that another one needs, or that it changes the meaning of. */
const BESIDE: readonly JsonSchema[] = [
  {},
  { type: 'array', items: { type: 'integer' }, contains: { const: 1 }, unevaluatedItems: false },
  {
    type: ['object', 'null'],
    properties: { a: { type: 'string', readOnly: true } },
    unevaluatedProperties: false,
  },
  // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
  { nullable: true, minimum: 1, if: { type: 'string' }, then: { minLength: 1 }, required: ['a'] },
];

describe('a keyword of JSON Schema or OpenAPI', () => {
  it.each(KEYWORDS)('[folder 45] %s with any value is compiled, or refused by its name', (keyword) => {
    for (const beside of BESIDE)
      for (const value of ODD_VALUES) {
        const { contract, problems } = reading({ ...beside, [keyword]: value });
        const read = contract?.operations[0]?.body?.schema;
        if (contract === null) {
          for (const { path, reason } of problems)
            expect(`${path}: ${reason}`).toContain(`/schema/${keyword}`);
          expect(problems.length).toBeGreaterThan(0);
        } else if (read) {
          useAll(read);
          slowPatterns({ components: { schemas: { Read: { ...beside, [keyword]: value } } } });
        }
      }
  });

  const unsupported = ['$id', '$anchor', '$dynamicRef', '$dynamicAnchor', '$vocabulary', 'dependencies'];
  it.each([...unsupported, 'additionalItems', '$recursiveRef', 'id', 'divisibleBy', 'minItem'])(
    '[folder 45] %s is refused by its name: nothing checks it',
    (keyword) => {
      const { contract, problems } = reading({ properties: { a: { [keyword]: 'text' } } });
      expect(contract).toBeNull();
      expect(problems).toContainEqual(
        expect.objectContaining({ reason: `the keyword ${keyword} cannot be compiled` }),
      );
    },
  );
});

type Judged = readonly [schema: JsonSchema, fits: readonly unknown[], breaks: readonly unknown[]];

const within = { properties: { a: { type: 'integer' } }, required: ['b'] };
const ifWithin = { if: within, unevaluatedProperties: false };

const JUDGED: readonly Judged[] = [
  [{ const: null }, [null], [0, '', {}]],
  [{ const: { a: [1] } }, [{ a: [1] }], [{ a: [1], b: 1 }, { a: [2] }]],
  [{ enum: [1, 'a', [null]] }, [1, 'a', [null]], [2, 'b', [], null]],
  [{ prefixItems: [{ type: 'string' }], items: false }, [[], ['a'], {}], [[1], ['a', 1]]],
  [{ prefixItems: [{ type: 'string' }] }, [['a', 1]], [[1]]],
  [{ dependentSchemas: { a: { required: ['b'] } } }, [{}, { a: 1, b: 1 }, { b: 1 }], [{ a: 1 }]],
  [{ dependentRequired: { a: ['b'] } }, [{}, { a: 1, b: 1 }], [{ a: 1 }]],
  // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
  [{ if: { type: 'string' }, then: { minLength: 2 }, else: { minimum: 2 } }, ['ab', 2, null], ['a', 1]],
  // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
  [{ then: false, else: false }, [1, 'a'], []],
  [
    { contains: { const: 1 }, minContains: 2, maxContains: 3 },
    [
      [1, 1],
      [1, 2, 1],
    ],
    [[1], [1, 1, 1, 1]],
  ],
  [{ contains: { const: 1 }, minContains: 0 }, [[], [2]], []],
  [{ contains: { const: 1 }, unevaluatedItems: { type: 'string' } }, [[1, 'a']], [[1, 2], ['a']]],
  [{ allOf: [{ properties: { a: {} } }], unevaluatedProperties: false }, [{ a: 1 }, [1], 'a'], [{ b: 1 }]],
  [
    { $ref: '#/components/schemas/Known', unevaluatedProperties: false },
    [{}, { a: 'a' }],
    [{ a: 1 }, { a: 'a', b: 1 }],
  ],
  // What the condition knows counts where it is kept, and not where it is not.
  [{ ...ifWithin, properties: { b: {} } }, [{ a: 1, b: 1 }, { b: 1 }], [{ a: 1 }, { a: 'a', b: 1 }]],
  [{ not: { ...within, required: ['c'] }, unevaluatedProperties: false }, [{}], [{ a: 1 }]],
  // What is known about a property says nothing about the object that has it.
  [
    { unevaluatedProperties: { type: 'object', additionalProperties: { type: 'string' } } },
    [{ a: { c: 'x' } }, { a: { c: 'x' }, c: { a: 'x' } }],
    [{ a: { c: 'x' }, c: null }],
  ],
  [
    { prefixItems: [{}], unevaluatedItems: { prefixItems: [{}, {}, { const: 1 }] } },
    [[1, [1, 2, 1]]],
    [[1, [1, 2, 3]]],
  ],
  [
    { unevaluatedItems: { type: 'array', items: { const: 1 } } },
    [[[1, 1, 1]], [[1], [1]]],
    [[[1, 1, 1], 'a', 'b']],
  ],
  [
    { patternProperties: { '^a': { type: 'string' } }, additionalProperties: false },
    [{ ab: 'a' }],
    [{ b: 'a' }],
  ],
  [{ propertyNames: { maxLength: 2 } }, [{ ab: 1 }], [{ abc: 1 }]],
  [{ type: 'string', nullable: true }, ['a', null], [1]],
  [{ minimum: 1, exclusiveMinimum: true }, [2], [1]],
  [{ exclusiveMaximum: 3 }, [2], [3]],
  [{ multipleOf: 0.1 }, [0.3, 1], [0.25]],
  [{ maxLength: 1 }, ['😀', 'é'], ['ab']],
  [
    { uniqueItems: true },
    [[1, '1', [1]]],
    [
      [
        { a: 1, b: 2 },
        { b: 2, a: 1 },
      ],
    ],
  ],
];

const FORMATS: Readonly<Record<string, readonly [fits: string, breaks: string]>> = {
  'date-time': ['2026-02-28T12:00:00Z', '2026-02-30T12:00:00Z'],
  date: ['2024-02-29', '2026-02-29'],
  time: ['12:00:00Z', '25:00:00Z'],
  duration: ['P1DT2H', 'P'],
  email: ['name@example.com', 'name'],
  hostname: ['www.example.com', '-a-.example'],
  ipv4: ['192.0.2.1', '192.0.2.256'],
  ipv6: ['2001:db8::1', '2001:db8::1::2'],
  uri: ['https://example.com/a', '/a'],
  'uri-reference': ['/a', '\\a'],
  'uri-template': ['/a/{b}', '/a/{b'],
  uuid: ['00000000-0000-4000-8000-000000000000', '0000'],
  'json-pointer': ['/a/~0', '/a/~2'],
  'relative-json-pointer': ['1/a', '/a'],
  regex: ['^a$', '('],
};

const DRAWN = isFullMatrix ? 3_000 : 300;

describe('what is compiled', () => {
  it.each(JUDGED)('[folder 45] %j tells values that fit from those that do not', (schema, fits, breaks) => {
    const validate = firstAndLater(contractSchema(schema));
    for (const value of fits) expect([value, validate(value)]).toEqual([value, []]);
    for (const value of breaks) expect([value, validate(value)]).not.toEqual([value, []]);
  });

  it.each(Object.entries(FORMATS))('[folder 45] checks the format %s', (format, [fits, breaks]) => {
    const validate = firstAndLater(contractSchema({ type: 'string', format }));
    expect(validate(fits)).toEqual([]);
    expect(validate(breaks)).toMatchObject([{ keyword: 'format' }]);
    expect(validate(sampleOf(contractSchema({ type: 'string', format })))).toEqual([]);
  });

  it.each(['int32', 'int64', 'float', 'double', 'byte', 'binary', 'password', 'made-up', 'toString'])(
    '[folder 45] takes the format %s for a word for people, as JSON Schema says of formats that it does not have',
    (format) => {
      const validate = firstAndLater(contractSchema({ format }));
      for (const value of VALUES) expect(validate(value)).toEqual([]);
    },
  );

  it('[folder 45] judges values of schemas drawn by chance as another validator does, and throws at none', () => {
    let compared = 0;
    const compileOther = otherValidator();
    fc.assert(
      fc.property(
        drawnSchema(),
        fc.array(drawnValue(), { minLength: 12, maxLength: 12 }),
        (schema, values) => {
          const read = contractSchema(schema);
          useAll(read);
          const [validate, isValid] = [firstAndLater(read), compileOther(schema)];
          for (const value of values) {
            expect({ schema, value, fits: validate(value).length === 0 }).toEqual({
              schema,
              value,
              fits: isValid(value),
            });
            compared += 1;
          }
        },
      ),
      { seed: 45, numRuns: DRAWN },
    );
    expect(compared).toBe(DRAWN * 12);
  });
});

type OtherValidator = new (options: object) => { compile(schema: object): (value: unknown) => boolean };

/** Ajv comes with the linter of documents. */
function otherValidator(): (schema: JsonSchema | boolean) => (value: unknown) => boolean {
  const require = createRequire(createRequire(import.meta.url).resolve('@stoplight/spectral-core'));
  const { default: Ajv }: { default: OtherValidator } = require('ajv/dist/2020');
  const other = new Ajv({ strict: false, logger: false, validateSchema: false });
  return (schema) => {
    const root = typeof schema === 'boolean' ? { allOf: [schema] } : schema;
    return other.compile({ ...root, components: { schemas } });
  };
}

const names = fc.constantFrom('a', 'b', 'c', 'ab');
const named = <Value>(values: Arbitrary<Value>): Arbitrary<Record<string, Value>> =>
  fc.dictionary(names, values, { maxKeys: 2, noNullPrototype: true });
const listed = <Value>(values: Arbitrary<Value>): Arbitrary<Value[]> =>
  fc.array(values, { minLength: 1, maxLength: 2 });

function drawnValue(): Arbitrary<unknown> {
  const plain = fc.constantFrom<unknown>(
    null,
    true,
    false,
    0,
    1,
    -1,
    1.5,
    2,
    3,
    '',
    'a',
    'b',
    'ab',
    'é',
    '😀',
  );
  return fc.letrec((tie) => ({
    value: fc.oneof({ maxDepth: 2 }, plain, fc.array(tie('value'), { maxLength: 3 }), named(tie('value'))),
  })).value;
}

const REFERENCES = [{ $ref: '#/components/schemas/Known' }, { $ref: '#/components/schemas/Text' }];

/** One to four keywords, nested. */
function drawnSchema(): Arbitrary<JsonSchema | boolean> {
  const plain = fc.constantFrom<unknown>(true, false, { type: 'string' }, { type: 'number' }, ...REFERENCES);
  const { schema } = fc.letrec<{ schema: unknown }>((tie) => {
    const keywords = Object.entries(drawnKeywords(tie('schema')));
    const drawn = fc.oneof(...keywords.map(([keyword, value]) => fc.tuple(fc.constant(keyword), value)));
    const several = fc.uniqueArray(drawn, { minLength: 1, maxLength: 4, selector: ([keyword]) => keyword });
    return {
      schema: fc.oneof(
        { maxDepth: 2 },
        plain,
        several.map((entries) => comparable(Object.fromEntries(entries))),
      ),
    };
  });
  return schema as Arbitrary<JsonSchema | boolean>;
}

function drawnKeywords(schema: Arbitrary<unknown>): Record<string, Arbitrary<unknown>> {
  const type = fc.constantFrom('array', 'boolean', 'integer', 'null', 'number', 'object', 'string');
  const count = fc.integer({ min: 0, max: 3 });
  const pattern = fc.constantFrom('^a', 'b$', '^.{2}$', '^[a-c]*$');
  const counted = ['maximum', 'minimum', 'exclusiveMaximum', 'exclusiveMinimum', 'maxLength', 'minLength'];
  const sized = ['maxItems', 'minItems', 'maxProperties', 'minProperties', 'minContains', 'maxContains'];
  const single = ['items', 'contains', 'unevaluatedItems', 'additionalProperties', 'propertyNames', 'not'];
  const each = (keywords: readonly string[], values: Arbitrary<unknown>) =>
    Object.fromEntries(keywords.map((keyword) => [keyword, values]));
  return {
    ...each([...counted, ...sized], count),
    ...each([...single, 'unevaluatedProperties', 'if', 'then', 'else'], schema),
    ...each(['prefixItems', 'allOf', 'anyOf', 'oneOf'], listed(schema)),
    ...each(['properties', 'dependentSchemas'], named(schema)),
    type: fc.oneof(type, fc.uniqueArray(type, { minLength: 1, maxLength: 3 })),
    enum: listed(drawnValue()),
    const: drawnValue(),
    multipleOf: fc.constantFrom(0.5, 1, 2),
    uniqueItems: fc.boolean(),
    pattern,
    patternProperties: fc.dictionary(pattern, schema, { maxKeys: 2, noNullPrototype: true }),
    required: fc.uniqueArray(names, { maxLength: 2 }),
    dependentRequired: named(fc.uniqueArray(names, { maxLength: 2 })),
  };
}

/**
 * Ajv differs from the specification in what `if` and `contains` know about items and properties, and in an empty list beside
 * `prefixItems`: the table above has those. It also throws at some `if` beside `patternProperties`.
 */
function comparable(schema: JsonSchema): JsonSchema {
  const { unevaluatedItems, unevaluatedProperties, ...own } = schema;
  if ('if' in own || 'contains' in own) {
    const { prefixItems: _, patternProperties, ...others } = own;
    return 'if' in own ? others : { ...others, ...defined({ patternProperties }) };
  }
  return { ...own, ...defined({ unevaluatedItems, unevaluatedProperties }) };
}

function defined(schema: JsonSchema): JsonSchema {
  return Object.fromEntries(Object.entries(schema).filter(([, value]) => value !== undefined));
}
