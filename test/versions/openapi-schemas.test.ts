import { readFileSync } from 'node:fs';
import {
  type Contract,
  compileApi,
  contractDifferences,
  type JsonSchema,
  readOpenApi,
  sampleOf,
} from '@dateline/versions';
import { describe, expect, it } from 'vitest';
import { ordersOptions, ordersVersion } from './orders-files.ts';

/** A document whose one operation takes a body of this schema, beside other schemas. */
function read(schema: unknown, schemas: Readonly<Record<string, unknown>> = {}) {
  const requestBody = { content: { 'application/json': { schema } } };
  const post = {
    operationId: 'put',
    security: [],
    requestBody,
    responses: { 204: { description: 'Done.' } },
  };
  const info = { title: 'Schemas', version: ordersVersion };
  const document = { openapi: '3.1.0', info, paths: { '/a': { post } }, components: { schemas } };
  return readOpenApi(document, ordersOptions);
}

function contractWith(schema: unknown, schemas: Readonly<Record<string, unknown>> = {}): Contract {
  const { contract, problems } = read(schema, schemas);
  expect(problems).toEqual([]);
  return contract as Contract;
}

const schemaOf = (schema: unknown, schemas: Readonly<Record<string, unknown>> = {}): JsonSchema | undefined =>
  contractWith(schema, schemas).operations[0]?.body?.schema;

function checkOf(schema: unknown, schemas: Readonly<Record<string, unknown>> = {}) {
  const contract = contractWith(schema, schemas);
  const api = compileApi({ documents: [{}], changeSets: [], read: () => contract });
  const validate = api.get(ordersVersion)?.operations.get('put')?.validateBody;
  return (value: unknown): boolean => validate?.(value).length === 0;
}

const problemsOf = (schema: unknown, schemas: Readonly<Record<string, unknown>> = {}) =>
  read(schema, schemas).problems;
const BODY = '/paths/~1a/post/requestBody/content/application~1json/schema';

const text = { type: 'string' };
const cases: readonly (readonly [schema: unknown, fits: unknown, doesNot: unknown])[] = [
  [{ type: 'integer' }, 1, 1.5],
  [{ type: ['string', 'null'] }, null, 1],
  [{ const: { a: [1] } }, { a: [1] }, { a: [2] }],
  [{ enum: ['a', { b: 1 }] }, { b: 1 }, 'b'],
  [{ multipleOf: 0.01 }, 1.13, 1.131],
  [{ minimum: 1 }, 1, 0],
  [{ maximum: 1 }, 1, 2],
  [{ exclusiveMinimum: 0 }, 1, 0],
  [{ exclusiveMaximum: 0 }, -1, 0],
  [{ minLength: 2 }, 'ab', 'a'],
  [{ maxLength: 2 }, '😀😀', 'abc'],
  [{ pattern: '^\\p{Lu}$' }, 'Ä', 'ä'],
  [{ format: 'date-time' }, '2026-11-16T12:00:00Z', '2026-11-16'],
  [{ items: text }, ['a'], [1]],
  [{ prefixItems: [text], items: false }, ['a'], ['a', 'b']],
  [{ minItems: 1 }, [1], []],
  [{ maxItems: 1 }, [1], [1, 2]],
  [{ uniqueItems: true }, [{ a: 1 }, { a: 2 }], [{ a: 1 }, { a: 1 }]],
  [{ contains: text }, [1, 'a'], [1]],
  [{ contains: text, minContains: 2, maxContains: 2 }, ['a', 1, 'b'], ['a', 'b', 'c']],
  [{ unevaluatedItems: false, allOf: [{ prefixItems: [text] }] }, ['a'], ['a', 'b']],
  [{ properties: { a: text } }, { a: 'a' }, { a: 1 }],
  [{ required: ['a'] }, { a: 1 }, {}],
  [{ minProperties: 1 }, { a: 1 }, {}],
  [{ maxProperties: 1 }, { a: 1 }, { a: 1, b: 1 }],
  [{ patternProperties: { '^x': text } }, { x1: 'a', y: 1 }, { x1: 1 }],
  [{ properties: { a: {} }, additionalProperties: text }, { a: 1, b: 'b' }, { b: 1 }],
  [{ propertyNames: { maxLength: 1 } }, { a: 1 }, { ab: 1 }],
  [{ dependentRequired: { a: ['b'] } }, { a: 1, b: 1 }, { a: 1 }],
  [{ dependentSchemas: { a: { required: ['b'] } } }, { b: 1 }, { a: 1 }],
  [{ type: 'object', unevaluatedProperties: false, allOf: [{ properties: { a: {} } }] }, { a: 1 }, { b: 1 }],
  [{ unevaluatedProperties: false, $ref: '#/components/schemas/WithA' }, { a: 'a' }, { a: 'a', b: 1 }],
  [
    { unevaluatedProperties: false, anyOf: [{ $ref: '#/components/schemas/WithA' }, { type: 'array' }] },
    [1],
    { b: 1 },
  ],
  [{ allOf: [{ required: ['a'] }, { required: ['b'] }] }, { a: 1, b: 1 }, { a: 1 }],
  [{ anyOf: [text, { type: 'null' }] }, null, 1],
  [{ oneOf: [{ minimum: 1 }, { maximum: 1 }] }, 2, 1],
  [{ not: text }, 1, 'a'],
  // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
  [{ if: text, then: { minLength: 2 }, else: { minimum: 2 } }, 'ab', 1],
  [true, 'anything', undefined],
  [{ properties: { a: false } }, {}, { a: 1 }],
  [{ $ref: '#/components/schemas/WithA' }, { a: 'a' }, { a: 1 }],
  [{ $ref: '#/components/schemas/WithA', required: ['a'] }, { a: 'a' }, {}],
  [{ $ref: '#/components/schemas/WithA/properties/a' }, 'a', 1],
  [{ properties: { constructor: text }, additionalProperties: false }, {}, { constructor: 1 }],
];

const formats: readonly (readonly [format: string, fits: string, doesNot: string])[] = [
  ['date-time', '2026-11-16T12:00:00Z', '2026-11-16'],
  ['date', '2026-02-28', '2026-02-30'],
  ['time', '12:00:00Z', '12:00'],
  ['duration', 'P1D', '1 day'],
  ['email', 'a@example.com', 'a'],
  ['hostname', 'example.com', '-'],
  ['ipv4', '192.0.2.1', '192.0.2'],
  ['ipv6', '2001:db8::1', '2001'],
  ['uri', 'https://example.com/', 'example'],
  ['uuid', '00000000-0000-4000-8000-000000000000', '0'],
  ['json-pointer', '/a', 'a'],
  ['regex', '^a$', '('],
  ['idn-email', 'ä@example.com', 'a'],
  ['idn-hostname', 'ä.example.com', '-'],
  ['uri-reference', '/a', '\\\\a'],
  ['uri-template', '/{a}', '/{a'],
  ['url', 'https://example.com/', 'example'],
  ['iri', 'https://example.com/ä', 'ä'],
  ['iri-reference', '/ä', '\\\\a'],
  ['json-pointer-uri-fragment', '#/a', '/a'],
  ['relative-json-pointer', '1/a', '/a'],
];

describe('a keyword that is compiled', () => {
  it.each(cases)('checks values: %j', (schema, fits, doesNot) => {
    const check = checkOf(schema, { WithA: { type: 'object', properties: { a: text } } });
    expect(check(fits)).toBe(true);
    if (schema !== true) expect(check(doesNot)).toBe(false);
  });

  it.each(formats)('checks the format %s', (format, fits, doesNot) => {
    const check = checkOf({ type: 'string', format });
    expect([check(fits), check(doesNot)]).toEqual([true, false]);
  });

  it.each(['int32', 'password', 'binary', 'toString'])(
    'keeps the format %s, which says nothing to check',
    (format) => {
      expect(schemaOf({ type: 'string', format })).toEqual({ type: 'string', format });
      expect(checkOf({ type: 'string', format })('anything')).toBe(true);
    },
  );
});

const dropped = {
  title: 'A',
  description: 'A.',
  default: 'a',
  example: 'a',
  examples: ['a'],
  deprecated: true,
  readOnly: true,
  writeOnly: true,
  externalDocs: { url: 'https://example.com/' },
  xml: { name: 'a' },
  discriminator: { propertyName: 'a' },
  contentEncoding: 'base64',
  contentMediaType: 'image/png',
  contentSchema: {},
  $comment: 'A.',
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  $defs: { A: { unknown: true } },
  definitions: { A: { unknown: true } },
  'x-anything': { $ref: 'nowhere' },
};

describe('a keyword that is not compiled', () => {
  it('is dropped where it is for people and generators', () => {
    expect(schemaOf({ type: 'string', ...dropped })).toEqual({ type: 'string' });
  });

  it.each([
    ['$id', 'https://example.com/order', 'the keyword $id cannot be compiled'],
    ['$anchor', 'order', 'the keyword $anchor cannot be compiled'],
    ['$dynamicRef', '#order', 'the keyword $dynamicRef cannot be compiled'],
    ['additionalItems', false, 'the keyword additionalItems cannot be compiled'],
    ['dependencies', {}, 'the keyword dependencies cannot be compiled'],
    ['reqired', ['a'], 'the keyword reqired cannot be compiled'],
    ['$schema', 'http://json-schema.org/draft-04/schema#', 'the dialect of JSON Schema 2020-12'],
    ['type', 'text', 'a type, or a list of types'],
    ['type', [], 'a type, or a list of types'],
    ['items', [{}], 'a schema'],
    ['items', null, 'a schema'],
    ['enum', [], 'a list of values'],
    ['pattern', '[', 'a regular expression'],
    ['pattern', '\\-', 'a regular expression'],
    ['patternProperties', { '[': {} }, 'by regular expressions'],
    ['multipleOf', 0, 'a number above 0'],
    ['minLength', -1, 'a whole number'],
    ['minLength', 2 ** 31, 'a whole number'],
    ['maxItems', 1.5, 'a whole number'],
    ['minimum', '1', 'a number'],
    ['required', 'a', 'a list of names'],
    ['required', ['toString'], 'every object of JavaScript has'],
    ['properties', [], 'schemas by names'],
    ['properties', { valueOf: {} }, 'every object of JavaScript has'],
    ['dependentRequired', { a: 'b' }, 'lists of names'],
    ['allOf', {}, 'a list of schemas'],
    ['anyOf', [], 'a list of schemas'],
    ['nullable', 'yes', 'true or false'],
    ['$ref', 7, 'text'],
  ])('is refused: %s as %j', (keyword, value, reason) => {
    expect(problemsOf({ properties: { a: { [keyword]: value } } })).toEqual([
      { path: `${BODY}/properties/a/${keyword}`, reason: expect.stringContaining(reason) },
    ]);
  });

  it('is refused where it stands, once, whoever refers to it', () => {
    const list = { type: 'array', items: { $ref: '#/components/schemas/Bad' } };
    expect(problemsOf({ anyOf: [list, { $ref: '#/components/schemas/Bad' }] }, { Bad: { bad: 1 } })).toEqual([
      { path: '/components/schemas/Bad/bad', reason: 'the keyword bad cannot be compiled' },
    ]);
  });
});

describe('what OpenAPI 3.0 says in its own way', () => {
  const named = {
    Name: { type: 'string' },
    Tree: { properties: { left: { $ref: '#/components/schemas/Tree' } } },
  };

  it.each([
    [{ type: 'string', nullable: true }, { type: ['null', 'string'] }],
    [
      { type: 'string', enum: ['a'], nullable: true },
      { type: ['null', 'string'], enum: ['a', null] },
    ],
    [{ enum: ['a', null], nullable: true }, { enum: ['a', null] }],
    [{ type: 'string', nullable: false }, { type: 'string' }],
    [
      { type: 'object', required: ['b', 'a'], nullable: true },
      { type: ['null', 'object'], required: ['a', 'b'] },
    ],
    [{ minimum: 1, exclusiveMinimum: true }, { exclusiveMinimum: 1 }],
    [{ minimum: 1, exclusiveMinimum: false }, { minimum: 1 }],
    [
      { maximum: 1, exclusiveMaximum: true, minimum: 0 },
      { exclusiveMaximum: 1, minimum: 0 },
    ],
    [{ exclusiveMaximum: true }, {}],
  ])('is read as JSON Schema: %j', (older, newer) => {
    expect(schemaOf(older, named)).toEqual(newer);
  });

  it('allows null beside a reference', () => {
    const check = checkOf({ $ref: '#/components/schemas/Tree', type: 'object', nullable: true }, named);
    expect([check(null), check({ left: {} }), check('a')]).toEqual([true, true, false]);
    const name = { $ref: '#/components/schemas/Name' };
    for (const schema of [name, { ...name, minLength: 1 }, { allOf: [name] }]) {
      const check = checkOf({ ...schema, nullable: true }, named);
      expect([check(null), check('a'), check(1)]).toEqual([true, true, false]);
    }
  });
});

describe('a schema that recurs', () => {
  const tree = {
    Tree: {
      type: 'object',
      required: ['name'],
      properties: { name: { type: 'string' }, children: { $ref: '#/components/schemas/Forest' } },
    },
    Forest: { type: 'array', items: { $ref: '#/components/schemas/Tree' } },
  };

  it('refers to its definition, which comes along', () => {
    const schema = { type: 'object', properties: { tree: { $ref: '#/components/schemas/Tree' } } };
    expect(schemaOf(schema, tree)).toEqual({
      ...{ type: 'object', properties: { tree: { $ref: '#/$defs/Tree' } } },
      $defs: {
        Forest: { type: 'array', items: { $ref: '#/$defs/Tree' } },
        Tree: {
          type: 'object',
          required: ['name'],
          properties: { name: { type: 'string' }, children: { $ref: '#/$defs/Forest' } },
        },
      },
    });
    const check = checkOf(schema, tree);
    const grown = (name: unknown) => ({
      tree: { name: 'a', children: [{ name: 'b', children: [{ name }] }] },
    });
    expect([check(grown('c')), check(grown(1))]).toEqual([true, false]);
  });

  it('may point into itself', () => {
    const properties = { a: { items: { $ref: '#/components/schemas/Nest/properties/a' }, maxItems: 1 } };
    const check = checkOf({ $ref: '#/components/schemas/Nest' }, { Nest: { properties } });
    expect([check({ a: [[[]]] }), check({ a: [[[1, 2]]] })]).toEqual([true, false]);
  });

  it('may have a name that the compiler does not follow', () => {
    const recurs = { maxProperties: 1, properties: { a: { $ref: '#/components/schemas/constructor' } } };
    const check = checkOf({ $ref: '#/components/schemas/constructor' }, { constructor: recurs });
    expect([check({ a: { a: {} } }), check({ a: { a: {}, b: {} } })]).toEqual([true, false]);
  });

  it.each([
    ['at once', { A: { $ref: '#/components/schemas/A' } }],
    [
      'over others',
      { A: { allOf: [{ $ref: '#/components/schemas/B' }] }, B: { not: { $ref: '#/components/schemas/A' } } },
    ],
  ])('is refused where no check of it would end: %s', (_how, schemas) => {
    expect(problemsOf({ $ref: '#/components/schemas/A' }, schemas)).toContainEqual({
      path: `${BODY}/$ref`,
      reason: 'it leads back to itself for one and the same value',
    });
  });
});

describe('a schema that would be large if it were written out', () => {
  const doubling = Object.fromEntries(
    Array.from({ length: 60 }, (_none, index) => {
      const $ref = `#/components/schemas/S${index - 1}`;
      return [`S${index}`, index === 0 ? { type: 'string' } : { properties: { a: { $ref }, b: { $ref } } }];
    }),
  );
  const S59 = { $ref: '#/components/schemas/S59' };
  const nested = (levels: number, value: unknown): unknown =>
    levels === 0 ? value : { a: nested(levels - 1, value) };

  it('is read, checked and compared as often as it is named', () => {
    const check = checkOf(S59, doubling);
    expect([check(nested(59, 'a')), check(nested(59, 1))]).toEqual([true, false]);
    const other = { ...doubling, S0: { type: 'integer' } };
    const differences = contractDifferences(contractWith(S59, doubling), contractWith(S59, other));
    expect(differences.length).toBe(20);
    expect(differences[0]).toMatch(/^put\.body\.schema(\.properties\.a){59}\.type$/);
    expect(contractDifferences(contractWith(S59, doubling), contractWith(S59, doubling))).toEqual([]);
  });

  it('has no sample that is larger than anybody would read', () => {
    expect(
      JSON.stringify(sampleOf(contractWith(S59, doubling).operations[0]?.body?.schema ?? {})).length,
    ).toBeLessThan(100_000);
  });

  it('may lead from one to the next, for a value inside of a value', () => {
    const chain = Object.fromEntries(
      Array.from({ length: 5000 }, (_none, index) => [
        `S${index}`,
        { items: { $ref: `#/components/schemas/S${index + 1}` } },
      ]),
    );
    const check = checkOf({ $ref: '#/components/schemas/S0' }, { ...chain, S5000: false });
    expect(check([[[]]])).toBe(true);
  });

  it('is refused if the way to what is said about one value is too long', () => {
    const chain = Object.fromEntries(
      Array.from({ length: 5000 }, (_none, index) => [
        `S${index}`,
        { allOf: [{ $ref: `#/components/schemas/S${index + 1}` }] },
      ]),
    );
    const tooLong = {
      path: `${BODY}/$ref`,
      reason: 'more than 100 references follow each other for one and the same value',
    };
    expect(problemsOf({ $ref: '#/components/schemas/S0' }, { ...chain, S5000: {} })).toContainEqual(tooLong);
    expect(problemsOf({ $ref: '#/components/schemas/S4990' }, { ...chain, S5000: {} })).toEqual([]);
  });
});

describe('the README of the engine', () => {
  const readme = readFileSync('versions/README.md', 'utf8');
  const wordsOf = (line: RegExp): string[] =>
    [...(line.exec(readme)?.[1] ?? '').matchAll(/`([^`]+)`/g)].map(([, word]) => word as string).sort();

  it('lists the keywords that are compiled and those that are dropped, as tested here', () => {
    const tested = cases.flatMap(([schema]) => (schema === true ? [] : Object.keys(schema as object)));
    expect(wordsOf(/^\| (.*) \| compiled \|$/m)).toEqual([...new Set(tested)].sort());
    const named = Object.keys(dropped).filter((keyword) => !keyword.startsWith('x-'));
    expect(wordsOf(/^\| (.*) and extensions \| dropped;/m)).toEqual(named.sort());
  });

  it('lists the formats that are checked', () => {
    expect(wordsOf(/^The formats ([^;]*)are\schecked/m)).toEqual(formats.map(([format]) => format).sort());
  });
});
