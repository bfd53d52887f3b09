import { type JsonSchema, sampleOf } from '@dateline/versions';
import { describe, expect, it } from 'vitest';

const tree = {
  Tree: {
    type: 'object',
    required: ['name'],
    properties: {
      name: { type: 'string' },
      parent: { $ref: '#/$defs/Tree' },
      children: { type: 'array', items: { $ref: '#/$defs/Tree' } },
      next: { anyOf: [{ $ref: '#/$defs/Tree' }, { type: 'null' }] },
    },
  },
};

describe('a sample of a schema', () => {
  const cases: readonly (readonly [schema: JsonSchema, sample: unknown])[] = [
    // What the schema gives as a value comes first, if it fits.
    [{ type: 'string', examples: [1, 'given'], default: 'usual' }, 'given'],
    [{ type: 'string', example: 'given' }, 'given'],
    [{ type: 'string', default: 'usual' }, 'usual'],
    [{ const: 7 }, 7],
    [{ enum: ['a', 'b'], minLength: 1 }, 'a'],
    [{ type: 'integer', example: 'wrong' }, 1],
    [{ example: 'outer', anyOf: [{ type: 'string', example: 'inner' }] }, 'outer'],
    // Texts and numbers
    [{ type: 'string' }, 'text'],
    [{ type: 'string', minLength: 6 }, 'textxx'],
    [{ type: 'string', maxLength: 2 }, 'te'],
    [{ type: 'string', format: 'date-time' }, '2026-01-01T12:00:00Z'],
    [{ type: 'string', format: 'date' }, '2026-01-01'],
    [{ type: 'string', format: 'email' }, 'name@example.com'],
    [{ type: 'string', format: 'uuid' }, '00000000-0000-4000-8000-000000000000'],
    [{ type: 'string', format: 'uri' }, 'https://www.example.com/'],
    [{ type: 'string', format: 'unheard-of' }, 'text'],
    [{ type: 'integer', minimum: 10 }, 10],
    [{ type: 'integer', exclusiveMinimum: 10, multipleOf: 4 }, 12],
    [{ type: 'integer', maximum: -10 }, -10],
    [{ type: 'number', exclusiveMinimum: 0, exclusiveMaximum: 1 }, 0.5],
    [{ type: ['null', 'boolean'] }, true],
    [{ minimum: 5 }, 5],
    // Lists
    [{ type: 'array', items: { type: 'integer' } }, [1]],
    [{ type: 'array', items: { type: 'integer' }, minItems: 3 }, [1, 1, 1]],
    [{ type: 'array', items: { type: 'integer' }, minItems: 3, uniqueItems: true }, [1, 2, 3]],
    [{ type: 'array', items: { type: 'string' }, minItems: 2, uniqueItems: true }, ['text', 'text1']],
    [{ type: 'array', items: { enum: ['a', 'b'] }, minItems: 2, uniqueItems: true }, ['a', 'b']],
    [{ type: 'array', items: { type: 'string' }, maxItems: 0 }, []],
    [{ type: 'array', prefixItems: [{ const: 'x' }, { type: 'null' }], items: false }, ['x', null]],
    [{ type: 'array', items: { type: ['string', 'integer'] }, contains: { const: 7 } }, [7]],
    [{ type: 'array', items: false }, []],
    // Objects
    [
      { type: 'object', required: ['a'], properties: { a: { type: 'null' }, b: { type: 'boolean' } } },
      { a: null, b: true },
    ],
    [{ type: 'object', required: ['a'], properties: { a: {}, b: {} }, maxProperties: 1 }, { a: {} }],
    [{ type: 'object', properties: { a: false } }, {}],
    [
      { type: 'object', minProperties: 2, additionalProperties: { const: 1 } },
      { name_1: 1, name_2: 1 },
    ],
    [{ required: ['a'] }, { a: {} }],
    // Choices
    [
      {
        allOf: [
          { properties: { a: { type: 'string' } } },
          { required: ['a'], properties: { a: { minLength: 5 } } },
        ],
      },
      { a: 'textx' },
    ],
    [{ type: 'number', allOf: [{ type: ['integer', 'string'] }, { minimum: 3 }] }, 3],
    [
      {
        oneOf: [
          { type: 'string', not: {} },
          { type: 'integer', minimum: 2 },
        ],
      },
      2,
    ],
    [{ anyOf: [false, { const: 'b' }] }, 'b'],
    [
      {
        type: 'object',
        properties: { a: { const: 1 } },
        oneOf: [{ required: ['b'], properties: { b: { const: 2 } } }],
      },
      { a: 1, b: 2 },
    ],
    // Recursion ends where it can.
    [
      { $ref: '#/$defs/Tree', $defs: tree },
      { name: 'text', children: [], next: null },
    ],
  ];

  it.each(cases)('%j', (schema, sample) => {
    expect(sampleOf(schema)).toEqual(sample);
  });

  it('follows a condition', () => {
    const conditional = { type: 'object', required: ['a'], properties: { a: { enum: [1, 2] } } };
    // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
    const branch = { if: { properties: { a: { const: 1 } } }, then: { required: ['b'] } };
    expect(sampleOf({ ...conditional, ...branch })).toEqual({ a: 1, b: {} });
  });

  it.each([
    { not: {} },
    { type: 'string', pattern: '^x{9}$' },
    { type: 'string', minLength: 1_000_000_000 },
    { type: 'object', required: ['a'], properties: { a: false } },
    {
      $ref: '#/$defs/Endless',
      $defs: { Endless: { required: ['a'], properties: { a: { $ref: '#/$defs/Endless' } }, type: 'object' } },
    },
  ])('is undefined where none is found: %j', (schema) => {
    expect(sampleOf(schema)).toBeUndefined();
  });
});
