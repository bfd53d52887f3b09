import { bundleOpenApi, openApiProblemText, readOpenApi, referencedFiles } from '@dateline/versions';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ordersDocument, ordersFiles, ordersOptions } from './orders-files.ts';

/** An entry whose one schema is given, beside other files. */
function bundleOf(schema: unknown, files: Readonly<Record<string, unknown>> = {}) {
  const entry = { components: { schemas: { Entry: schema } } };
  return bundleOpenApi('next.yaml', new Map(Object.entries({ 'next.yaml': entry, ...files })));
}
const schemasOf = (schema: unknown, files: Readonly<Record<string, unknown>> = {}) => {
  const { document, problems } = bundleOf(schema, files);
  expect(problems).toEqual([]);
  return (document as { components: { schemas: Record<string, unknown> } } | null)?.components.schemas;
};
const files = { 'other.yaml': {}, 'loop.yaml': { $ref: 'again.yaml' }, 'again.yaml': { $ref: 'loop.yaml' } };
const reasonOf = (reference: string): string | undefined => {
  const { document, problems } = bundleOf({ properties: { a: { $ref: reference } } }, files);
  expect(document).toBeNull();
  expect(problems).toMatchObject([
    { file: 'next.yaml', path: '/components/schemas/Entry/properties/a/$ref' },
  ]);
  return problems[0]?.reason;
};

describe('a bundle of OpenAPI files', () => {
  it('is one document, whose references all lead to something in it', () => {
    const document = ordersDocument();
    const references = [...JSON.stringify(document).matchAll(/"\$ref":"([^"]*)"/g)].map(([, text]) => text);
    expect(references.length).toBeGreaterThan(10);
    for (const reference of references) {
      expect(reference).toMatch(/^#\/components\//);
      const keys = reference?.split('/').slice(1) ?? [];
      expect(document, reference).toHaveProperty(keys);
    }
  });

  it('has what other files hold as components, and path items where they are referred to', () => {
    const { paths, components } = ordersDocument() as Record<string, Record<string, Record<string, unknown>>>;
    expect(Object.keys(components?.schemas ?? {})).toEqual([
      'Order',
      'Failure',
      'NewOrder',
      'Number',
      'Line',
    ]);
    expect(Object.keys(components?.parameters ?? {})).toEqual(['Limit']);
    expect(paths?.['/orders/{number}']).toMatchObject({
      get: { responses: { 200: { $ref: '#/components/responses/Order' } } },
    });
  });

  it('keeps a schema that recurs, in one file or over several, as a reference', () => {
    const node = { properties: { left: { $ref: '#' }, right: { $ref: 'leaf.yaml' } } };
    expect(
      schemasOf({ $ref: 'node.yaml' }, { 'node.yaml': node, 'leaf.yaml': { $ref: 'node.yaml' } }),
    ).toEqual({
      Entry: {
        properties: {
          left: { $ref: '#/components/schemas/Entry' },
          right: { $ref: '#/components/schemas/Entry' },
        },
      },
    });
  });

  it('leads back to the entry from another file, over what is nothing but a reference there too', () => {
    const other = {
      properties: { a: { $ref: '#/Alias' } },
      Alias: { $ref: 'next.yaml#/components/schemas/Entry' },
    };
    expect(schemasOf({ items: { $ref: 'other.yaml' } }, { 'other.yaml': other })).toMatchObject({
      Other: { properties: { a: { $ref: '#/components/schemas/Entry' } } },
    });
  });

  it('gives names that do not clash', () => {
    const files = {
      'a/entry.yaml': { type: 'string' },
      'b/entry.yaml': { type: 'null' },
      'c.yaml': [{ type: 'array' }],
    };
    const anyOf = [
      { $ref: 'a/entry.yaml' },
      { $ref: 'b/entry.yaml#' },
      { $ref: 'c.yaml#/0' },
      { $ref: './a/entry.yaml' },
    ];
    expect(schemasOf({ anyOf }, files)).toEqual({
      Entry: {
        anyOf: ['Entry2', 'Entry3', 'C0', 'Entry2'].map((name) => ({ $ref: `#/components/schemas/${name}` })),
      },
      Entry2: { type: 'string' },
      Entry3: { type: 'null' },
      C0: { type: 'array' },
    });
  });

  it('takes a property, an example or a constant that is called $ref for what it is', () => {
    const schema = {
      properties: { $ref: { type: 'string' } },
      const: { $ref: 'nowhere.yaml' },
      example: { $ref: 'nowhere.yaml' },
    };
    expect(schemasOf(schema)).toEqual({ Entry: schema });
  });

  it('takes names that begin with x- for names, but for paths and answers, where they are extensions', () => {
    const { document } = bundleOpenApi(
      'next.yaml',
      new Map<string, unknown>([
        [
          'next.yaml',
          {
            paths: { 'x-notes': { $ref: 'no.yaml' } },
            components: { schemas: { 'x-a': { $ref: 'a.yaml' } } },
          },
        ],
        ['a.yaml', { properties: { 'x-b': { $ref: '#/properties/c' }, c: {} } }],
      ]),
    );
    expect(document).toEqual({
      paths: { 'x-notes': { $ref: 'no.yaml' } },
      components: {
        schemas: { 'x-a': { properties: { 'x-b': { $ref: '#/components/schemas/C' }, c: {} } }, C: {} },
      },
    });
  });

  it('follows the mapping of a discriminator, and leaves names of schemas in it', () => {
    const discriminator = { propertyName: 'kind', mapping: { cat: './cat.yaml', dog: 'Dog' } };
    expect(schemasOf({ discriminator }, { 'cat.yaml': { type: 'object' } })).toEqual({
      Entry: {
        discriminator: { propertyName: 'kind', mapping: { cat: '#/components/schemas/Cat', dog: 'Dog' } },
      },
      Cat: { type: 'object' },
    });
  });

  it.each([
    ['https://example.com/order.yaml', 'it is a URL'],
    ['//example.com/order.yaml', 'it is a URL'],
    ['/etc/passwd', 'it is an absolute path'],
    ['../order.yaml', 'it leads out of the folder'],
    ['a/../../order.yaml', 'it leads out of the folder'],
    ['a\\order.yaml', 'it has a backslash'],
    ['missing.yaml', 'there is no file missing.yaml'],
    ['other.yaml#/Order', 'other.yaml has nothing at /Order'],
    ['#/components/schemas/toString', 'next.yaml has nothing at /components/schemas/toString'],
    ['#Order', 'it names the anchor "Order"'],
    ['loop.yaml', 'it leads back to itself'],
    ['other.yaml#/%', 'a % in it is not followed'],
    ['', 'it is empty'],
  ])('refuses the reference "%s": %s', (reference, reason) => {
    expect(reasonOf(reference)).toContain(`the reference "${reference}" is refused: ${reason}`);
  });

  it.each([
    ['paths', { paths: { $ref: 'other.yaml' } }, '/paths/$ref'],
    ['components', { components: { $ref: 'other.yaml' } }, '/components/$ref'],
    ['an operation', { paths: { '/a': { get: { $ref: 'other.yaml' } } } }, '/paths/~1a/get/$ref'],
    ['a path item that is its own', { paths: { '/a': { $ref: '#/paths/~1a' } } }, '/paths/~1a'],
    ['a path item with two gets', { paths: { '/a': { $ref: 'other.yaml', get: {} } } }, '/paths/~1a/get'],
  ])('refuses a reference for %s', (_what, entry, path) => {
    const { problems } = bundleOpenApi(
      'next.yaml',
      new Map<string, unknown>([
        ['next.yaml', entry],
        ['other.yaml', { get: {} }],
      ]),
    );
    expect(problems).toMatchObject([{ file: 'next.yaml', path }]);
  });

  it('names the file of a problem: one of its own, and one of what is read from it', () => {
    const files = ordersFiles();
    files.set('schemas/shared.yaml', { Number: { type: 'integer', minimun: 1 }, parameters: {} });
    const { problems, document } = bundleOpenApi('next.yaml', files);
    expect(document).toBeNull();
    expect(problems.map((problem) => openApiProblemText(problem, 'next.yaml'))).toEqual([
      'next.yaml#/paths/~1orders/get/parameters/0/$ref: the reference "schemas/shared.yaml#/parameters/limit" is refused: ' +
        'schemas/shared.yaml has nothing at /parameters/limit',
    ]);
    (files.get('schemas/shared.yaml') as { parameters: object }).parameters = {
      limit: { name: 'limit', in: 'query', schema: { type: 'integer' } },
    };
    const bundle = bundleOpenApi('next.yaml', files);
    const read = readOpenApi(bundle.document ?? {}, ordersOptions);
    expect(read.problems.map((problem) => openApiProblemText(bundle.locate(problem), 'next.yaml'))).toEqual([
      'schemas/shared.yaml#/Number/minimun: the keyword minimun cannot be compiled',
    ]);
  });

  it('refuses what is no plain data, such as a date or a file that contains itself', () => {
    const loop: Record<string, unknown> = {};
    loop.again = loop;
    for (const value of [
      { a: new Date() },
      loop,
      { a: Number.NaN },
      { a: undefined },
      [JSON.parse('{"__proto__":1}')],
      new Array(2),
    ])
      expect(bundleOf({}, { 'other.yaml': value }).problems).toMatchObject([{ file: 'other.yaml' }]);
    expect(bundleOpenApi('next.yaml', new Map()).problems).toEqual([
      { file: 'next.yaml', path: '', reason: 'there is no such file' },
    ]);
  });

  it('never throws, whatever the files hold', () => {
    const keys = fc.constantFrom(
      '$ref',
      'components',
      'schemas',
      'paths',
      '/a',
      'properties',
      'get',
      'allOf',
    );
    const texts = fc.constantFrom('#', '#/paths/~1a', 'b.yaml', 'b.yaml#/get', '../a', '%');
    const { tree } = fc.letrec((tie) => ({
      tree: fc.oneof(
        { depthSize: 'small' },
        texts,
        fc.dictionary(keys, tie('tree'), { noNullPrototype: true }),
        fc.array(tie('tree')),
      ),
    }));
    fc.assert(
      fc.property(tree, tree, (one, other) => {
        const files = new Map([
          ['a.yaml', one],
          ['b.yaml', other],
        ]);
        const { document, problems } = bundleOpenApi('a.yaml', files);
        expect(document === null).toBe(problems.length > 0);
      }),
      { numRuns: 300 },
    );
  });
});

describe('the files that a file refers to', () => {
  it('are named by their paths in the folder, each once', () => {
    const files = ordersFiles();
    expect(referencedFiles('next.yaml', files.get('next.yaml'))).toEqual([
      'paths/order.yaml',
      'schemas/order.yaml',
      'schemas/shared.yaml',
    ]);
    expect(referencedFiles('paths/order.yaml', files.get('paths/order.yaml'))).toEqual([
      'next.yaml',
      'schemas/shared.yaml',
    ]);
  });

  it('are none that could not be loaded from the folder', () => {
    const texts = ['https://example.com/a.yaml', '/a.yaml', '../a.yaml', '#/a', '', 'a.yaml#/x'];
    expect(
      referencedFiles(
        'next.yaml',
        texts.map(($ref) => ({ $ref })),
      ),
    ).toEqual(['a.yaml']);
  });
});
