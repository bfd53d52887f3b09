import {
  apiProblems,
  type CompiledOperation,
  compileApi,
  contractDifferences,
  type JsonSchema,
} from '@dateline/versions';
import { describe, expect, it } from 'vitest';
import { body, contract, newer, older, operation, source, text } from './two-versions.ts';

const problemsOf = (...given: Parameters<typeof source>): string[] => apiProblems(source(...given));
const compiledOf = (...given: Parameters<typeof source>): CompiledOperation =>
  compileApi(source(...given))
    .get(older)
    ?.operations.get('books:create') as CompiledOperation;

const request = { params: {}, query: {}, headers: {}, body: {}, command: {} };

describe('the differences between two contracts', () => {
  const differences = (one: JsonSchema, other: JsonSchema): string[] =>
    contractDifferences(
      contract(older, [operation({ body: body(one) })]),
      contract(newer, [operation({ body: body(other) })]),
    ).map((path) => path.replace('books:create.body.schema.', ''));

  it('[folder 7] are found by property below one allOf, oneOf or anyOf, and in items', () => {
    for (const keyword of ['allOf', 'oneOf', 'anyOf']) {
      const part = (name: string, type: string) => ({ properties: { [name]: { type }, same: text } });
      const one = { [keyword]: [part('a', 'string'), { items: part('b', 'string') }, part('c', 'string')] };
      const other = { [keyword]: [part('a', 'integer'), { items: part('b', 'null') }, part('c', 'number')] };
      expect(differences(one, other)).toEqual([
        `${keyword}.0.properties.a.type`,
        `${keyword}.1.items.properties.b.type`,
        `${keyword}.2.properties.c.type`,
      ]);
    }
  });

  it('[folder 7] are found behind references, also of schemas that lead back to each other', () => {
    const definitions = (type: string) => ({
      A: { properties: { b: { $ref: '#/$defs/B' } } },
      B: { properties: { a: { $ref: '#/$defs/A' }, own: { type } } },
    });
    const referring = (name: string, type: string) => ({ $ref: `#/$defs/${name}`, $defs: definitions(type) });
    const [one, other] = ['A', 'B'].map((name) =>
      differences(referring(name, 'string'), referring(name, 'integer')),
    );
    expect(one).toEqual(['properties.b.properties.own.type']);
    expect(other).toEqual(['properties.own.type']);
    const parts = (type: string) => [
      operation({ body: body(referring('A', type)) }),
      operation({ id: 'books:read', body: body(referring('B', type)) }),
    ];
    // What was compared for one operation is not left out for the next.
    expect(contractDifferences(contract(older, parts('string')), contract(newer, parts('integer')))).toEqual([
      'books:create.body.schema.properties.b.properties.own.type',
      'books:read.body.schema.properties.own.type',
    ]);
  });

  it('[folder 7] are of the part that was added or edited, wherever the others stand', () => {
    const [a, b, c] = ['a', 'b', 'c'].map((name) => ({ required: [name] }));
    expect(differences({ anyOf: [a, b] }, { anyOf: [c, a, b] })).toEqual(['anyOf.0']);
    expect(differences({ anyOf: [a, b] }, { anyOf: [b] })).toEqual(['anyOf.1']);
  });

  it('are none between a schema and a reference to the same', () => {
    const inline = { properties: { a: text } };
    const named = { properties: { a: { $ref: '#/$defs/Text' } }, $defs: { Text: text } };
    expect(differences(inline, named)).toEqual([]);
  });
});

describe('a difference that needs code', () => {
  const [created, ok] = [operation({ responses: { 201: null } }), operation()];

  it('[folder 8] [folder 9] is a status: without downgradeStatus it is refused', () => {
    expect(problemsOf([ok], [created])).toEqual([expect.stringContaining('books:create answers 201')]);
    const compiled = compiledOf([ok], [created], { downgradeStatus: { 'books:create': { 201: 200 } } });
    expect([compiled.downgradeStatus?.(201), compiled.downgradeStatus?.(404)]).toEqual([200, 404]);
  });

  it('[folder 8] [folder 11] is a header that answers no longer have', () => {
    const [one, other] = [
      operation({ answerHeaders: ['x-count'] }),
      operation({ answerHeaders: ['x-total'] }),
    ];
    expect(problemsOf([one], [other])).toEqual([expect.stringContaining('the header x-count')]);
    const compiled = compiledOf([one], [other], {
      downgradeHeaders: { 'books:create': ({ 'x-total': count = '' }) => ({ 'x-count': count }) },
    });
    const context = { request, status: 200, extras: {} };
    expect(compiled.downgradeHeaders?.({ 'x-total': '3' }, context)).toEqual({ 'x-count': '3' });
  });

  it('[folder 8] [folder 12] is a media type that is no longer taken, or not known', () => {
    const takes = (mediaType: string) => operation({ body: body({}, mediaType) });
    expect(problemsOf([takes('text/csv')], [takes('application/json')])).toEqual([
      expect.stringContaining('no longer takes text/csv'),
    ]);
    const answers = (mediaType: string) => operation({ responses: { 200: body({}, mediaType) } });
    expect(problemsOf([answers('application/json')], [answers('text/csv')])).toEqual([
      expect.stringContaining('may answer with text/csv'),
    ]);
    const compiled = compiledOf([takes('text/csv')], [takes('application/json')], {
      upgradeContent: { 'books:create': ({ bytes }) => ({ mediaType: 'application/json', bytes }) },
    });
    expect(compiled.upgradeContent?.({ mediaType: 'text/csv', bytes: Buffer.from('a') }).mediaType).toBe(
      'application/json',
    );
  });

  it('[folder 8] needs none where the newer version only adds', () => {
    const more = operation({ answerHeaders: ['x-total'], query: { properties: { page: text } } });
    expect(problemsOf([ok], [more, operation({ id: 'books:read' })])).toEqual([]);
  });
});

describe('an operation that the newer version lacks', () => {
  const [gone, other] = [operation(), operation({ id: 'books:put', method: 'PUT' })];

  it('[folder 13] is refused unless it is redirected, kept, or answered beside the contract', () => {
    expect(problemsOf([gone], [other])).toEqual([
      expect.stringMatching(
        /^books:create is not in 2026-07, and nothing serves it .*redirects.*kept.*handler/,
      ),
    ]);
    const redirected = compiledOf([gone], [other], { redirects: { 'books:create': 'books:put' } });
    expect([redirected.headOperationId, redirected.isKept]).toEqual(['books:put', false]);
    const kept = compiledOf([gone], [other], { kept: ['books:create'] });
    expect([kept.headOperationId, kept.isKept]).toEqual(['books:create', true]);
    expect(apiProblems({ ...source([gone], [other]), answered: new Set(['books:create']) })).toEqual([]);
  });

  it('[folder 14] is not redirected from what writes to what reads, nor back', () => {
    const read = operation({ id: 'books:put', method: 'GET' });
    expect(problemsOf([gone], [read], { redirects: { 'books:create': 'books:put' } })).toEqual([
      expect.stringContaining('books:create (POST) becomes books:put (GET)'),
    ]);
    expect(problemsOf([operation({ method: 'GET' })], [gone])).toEqual([
      expect.stringContaining('books:create (GET) becomes books:create (POST)'),
    ]);
  });
});

describe('a request on its way up', () => {
  it('keeps the parts that a change leaves out, and a body of any type', () => {
    const compiled = compiledOf([operation({ body: body({}) })], [operation({ body: body(text) })], {
      upgradeRequest: { 'books:create': () => ({ headers: { 'x-new': '1' } }) },
    });
    const list = [1] as unknown as typeof request.body;
    expect(compiled.upgradeRequest?.({ ...request, params: { id: 'a' }, body: list })).toEqual({
      ...request,
      params: { id: 'a' },
      headers: { 'x-new': '1' },
      body: [1],
    });
  });
});
