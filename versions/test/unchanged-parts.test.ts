import {
  contractDifferences,
  type OpenApiDocument,
  type OpenApiOptions,
  readOpenApi,
} from '@dateline/versions';
import { describe, expect, it } from 'vitest';

const options: OpenApiOptions = {
  errorShape: { name: 'plain', mediaType: 'application/json', schema: { type: 'object' } },
  errors: {},
  examples: 'later',
  wrapEvent: (_kind, data) => data,
  wrapExample: (_kind, data) => data as Readonly<Record<string, unknown>>,
};

const to = (name: string) => ({ $ref: `#/components/schemas/${name}` });
const content = (schema: object) => ({ 'application/json': { schema } });
const answer = (schema: object) => ({ responses: { 200: { description: 'ok', content: content(schema) } } });

/** Where something else stands, and what. */
type Edit = readonly [keys: readonly string[], value: unknown];

function set(root: object, keys: readonly string[], value: unknown): void {
  const part = keys.slice(0, -1).reduce((found, key) => Reflect.get(found, key) as object, root);
  Reflect.set(part, keys.at(-1) ?? '', value);
}

/** Books have an author, whose friends are authors; a shelf has nothing to do with them. */
function library(version: string, edits: readonly Edit[] = []): OpenApiDocument {
  const document = {
    openapi: '3.1.0',
    info: { title: 'Library', version },
    security: [{ token: ['read'] }],
    paths: {
      '/books': { get: { operationId: 'books', ...answer(to('Book')) } },
      '/shelves': {
        parameters: [{ $ref: '#/components/parameters/Floor' }],
        get: { operationId: 'shelves', ...answer(to('Shelf')) },
        post: {
          operationId: 'build',
          requestBody: { content: content(to('Shelf')) },
          ...answer(to('Shelf')),
        },
      },
      '/things': { get: { operationId: 'things', ...answer(to('Thing')) } },
    },
    webhooks: {
      'book.lent': { post: { requestBody: { content: content(to('Book')) } } },
      'shelf.built': { post: { requestBody: { content: content(to('Shelf')) } } },
    },
    components: {
      parameters: { Floor: { name: 'floor', in: 'query', schema: to('Floor') } },
      securitySchemes: {
        token: {
          type: 'oauth2',
          flows: { clientCredentials: { tokenUrl: 'https://a.example', scopes: { read: '' } } },
        },
      },
      schemas: {
        Book: { type: 'object', properties: { author: to('Author') } },
        Author: {
          type: 'object',
          properties: { friends: { type: 'array', items: to('Author') }, home: to('Home') },
        },
        Home: { type: 'string' },
        Floor: { type: 'integer' },
        Shelf: { type: 'object', properties: { width: { type: 'integer' } } },
        Thing: {
          oneOf: [to('Shelf')],
          discriminator: { propertyName: 'kind', mapping: { a: 'Book', b: '#/components/schemas/Shelf' } },
        },
      },
    },
  };
  for (const [pointer, value] of edits) set(document, pointer, value);
  return document;
}

const read = (document: OpenApiDocument, earlier?: OpenApiOptions['earlier']) => {
  const { contract, problems } = readOpenApi(document, { ...options, earlier });
  expect(problems).toEqual([]);
  if (!contract) throw new Error('there is no contract');
  return contract;
};

/** Ids and kinds of what is taken over from the earlier document, as it was read then. */
function sharedBy(edits: readonly Edit[]): string[] {
  const [older, newer] = [library('2026-10'), library('2027-01', edits)];
  const earlier = { document: older, contract: read(older) };
  const contract = read(newer, earlier);
  const whole = read(newer);
  // Whatever is taken over, it is the contract that the document promises.
  expect(contractDifferences(contract, whole)).toEqual([]);
  expect(contractDifferences(earlier.contract, contract)).toEqual(
    contractDifferences(earlier.contract, whole),
  );
  expect(contract.version).toBe('2027-01');
  const known = new Set<unknown>([...earlier.contract.operations, ...earlier.contract.events]);
  return [
    ...contract.operations.filter((one) => known.has(one)).map(({ id }) => id),
    ...contract.events.filter((one) => known.has(one)).map(({ kind }) => kind),
  ];
}

describe('a document that is read after another one', () => {
  const all = ['books', 'shelves', 'build', 'things', 'book.lent', 'shelf.built'];

  const without = (...names: string[]) => all.filter((name) => !names.includes(name));
  const scopes = ['components', 'securitySchemes', 'token', 'flows', 'clientCredentials', 'scopes'];

  it.each<[string, Edit[], string[]]>([
    ['nothing but its version', [], all],
    ['an operation', [[['paths', '/books', 'get', 'tags'], ['new']]], without('books')],
    ['the parameters of a path', [[['paths', '/shelves', 'parameters'], []]], without('shelves', 'build')],
    [
      'a schema that others refer to, in a circle and by a discriminator',
      [[['components', 'schemas', 'Home', 'maxLength'], 4]],
      ['shelves', 'build', 'shelf.built'],
    ],
    [
      'a schema of a parameter',
      [[['components', 'schemas', 'Floor', 'minimum'], 0]],
      without('shelves', 'build'),
    ],
    ['a webhook', [[['webhooks', 'book.lent', 'post', 'summary'], 'Lent']], without('book.lent')],
    [
      'an operation more, and a schema for it',
      [
        [['components', 'schemas', 'Room'], { type: 'object' }],
        [['paths', '/rooms'], { get: { operationId: 'rooms', ...answer(to('Room')) } }],
      ],
      all,
    ],
    ['who may call it all', [[[...scopes, 'write'], '']], []],
    ['what all of it needs', [[['security'], [{ token: [] }]]], []],
  ])('and differs from it in %s, has the rest from there', (_what, edits, expected) => {
    expect(sharedBy(edits)).toEqual(expected);
  });

  it('reads again what refers to a place that is no component', () => {
    const schema = '/paths/~1shelves/get/responses/200/content/application~1json/schema';
    const elsewhere: Edit = [['components', 'schemas', 'Home'], { $ref: `#${schema}` }];
    expect(sharedBy([elsewhere])).toEqual(['shelves', 'build', 'shelf.built']);
    const older = library('2026-10', [elsewhere]);
    const earlier = { document: older, contract: read(older) };
    const newer = library('2027-01', [elsewhere, [['components', 'schemas', 'Shelf', 'minProperties'], 1]]);
    expect(contractDifferences(read(newer, earlier), read(newer))).toEqual([]);
  });

  it('takes nothing over where what callers need stands in another place', () => {
    const scheme = ['components', 'securitySchemes', 'token'];
    const flows = (read: string) => ({
      type: 'oauth2',
      flows: { clientCredentials: { tokenUrl: 'https://a.example', scopes: { read } } },
    });
    const edits: Edit[] = [
      [scheme, { $ref: '#/x-schemes/token' }],
      [['x-schemes'], { token: flows('') }],
    ];
    const older = library('2026-10', edits);
    const newer = library('2027-01', [
      ...edits,
      [['x-schemes', 'token'], { type: 'http', scheme: 'bearer' }],
    ]);
    for (const [first, second] of [
      [older, newer],
      [newer, older],
    ] as const) {
      const earlier = { document: first, contract: read(first) };
      const contract = read(second, earlier);
      expect(contract).toEqual(read(second));
      expect(contract.operations.some((one) => earlier.contract.operations.includes(one))).toBe(false);
    }
  });

  it('finds a component gone that the earlier one had', () => {
    const older = library('2026-10');
    const newer = library('2027-01');
    Reflect.deleteProperty(Reflect.get(newer.components as object, 'schemas') as object, 'Home');
    const earlier = { document: older, contract: read(older) };
    const { problems } = readOpenApi(newer, options);
    expect(problems.length).toBeGreaterThan(0);
    expect(readOpenApi(newer, { ...options, earlier }).problems).toEqual(problems);
  });

  it('refuses what is no document, also after one', () => {
    const older = library('2026-10');
    const earlier = { document: older, contract: read(older) };
    for (const nothing of [null, 'text', [], 7]) {
      const { contract, problems } = readOpenApi(nothing as unknown as OpenApiDocument, {
        ...options,
        earlier,
      });
      expect([contract, problems.length]).toEqual([null, 1]);
    }
  });
});
