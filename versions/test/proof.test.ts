import {
  apiSteps,
  type Change,
  type Contract,
  type EventKind,
  type JsonSchema,
  type Operation,
  stepProofProblems,
  testChange,
} from '@dateline/versions';
import { describe, expect, it } from 'vitest';
import { body, contract, newer, older, operation, source, text } from './two-versions.ts';

const id = 'books:create';
const object = (properties: JsonSchema, required: readonly string[] = Object.keys(properties)) => ({
  type: 'object',
  properties,
  required,
});

function problemsOf(before: Partial<Operation>, after: Partial<Operation>, parts: Partial<Change> = {}) {
  return apiSteps(source([operation(before)], [operation(after)], parts)).flatMap(stepProofProblems);
}

function eventProblems(before: JsonSchema, after: JsonSchema, parts: Partial<Change> = {}): string[] {
  const event = (schema: JsonSchema): EventKind => ({ kind: 'book.made', summary: '', schema, example: {} });
  const withEvent = (version: Contract['version'], schema: JsonSchema): Contract => ({
    ...contract(version, []),
    events: [event(schema)],
  });
  const given = source([], [], { touches: ['book.made'], ...parts });
  const contracts = [withEvent(older, before), withEvent(newer, after)];
  const read = ({ version }: JsonSchema) => contracts.find((one) => one.version === version) as Contract;
  return apiSteps({ ...given, read }).flatMap(stepProofProblems);
}

const accepting = (schema: JsonSchema): Partial<Operation> => ({ body: body(schema) });
const answering = (schema: JsonSchema): Partial<Operation> => ({ responses: { 200: body(schema) } });
const upgrading = (upgrade: (sent: Record<string, unknown>) => unknown): Partial<Change> => ({
  upgradeRequest: { [id]: (request) => ({ body: upgrade({ ...request.body }) as Record<string, unknown> }) },
});
const downgrading = (downgrade: (given: Record<string, unknown>) => unknown): Partial<Change> => ({
  downgradeResponse: { [id]: (given) => downgrade({ ...given }) as Record<string, unknown> },
});

const change = (parts: Partial<Change>): Change => ({
  ...{ name: 'renameTitle', kind: 'changed', summary: 'It.', why: 'So.', upgradeNote: 'Do.' },
  ...{ touches: ['books:**'], examples: [{ before: null, after: null }] },
  ...parts,
});

describe('a module that is wrong', () => {
  const [titled, named] = [object({ title: text }), object({ name: text })];

  it('[folder 2] and writes a wrong name is told with module, operation, version and a sample', () => {
    const right = upgrading(({ title }) => ({ name: title }));
    expect(problemsOf(accepting(titled), accepting(named), right)).toEqual([]);
    const [problem, ...more] = problemsOf(
      accepting(titled),
      accepting(named),
      upgrading(({ title }) => ({ naem: title })),
    );
    expect(more).toEqual([]);
    expect(problem).toMatch(
      /^books:create: a request of 2026-04, \{.*"body":\{"title":".*"\}.*\}, becomes \{.*"naem".*\}, and its body must have required properties name, so it does not fit 2026-07; correct upgradeRequest of it in the change set 2026-07-to-2026-04\.$/,
    );
  });

  it('is not one that writes undefined, which is not sent', () => {
    const closed = (schema: JsonSchema) => ({ ...schema, additionalProperties: false });
    const writes = upgrading(({ title }) => ({ name: title, other: undefined }));
    expect(problemsOf(accepting(titled), accepting(closed(named)), writes)).toEqual([]);
    const answers = downgrading(({ name }) => ({ title: name, other: undefined }));
    expect(problemsOf(answering(closed(titled)), answering(named), answers)).toEqual([]);
  });

  it('[folder 2] and leaves out a required field of an answer is told the same way', () => {
    expect(
      problemsOf(
        answering(titled),
        answering(named),
        downgrading(({ name }) => ({ title: name })),
      ),
    ).toEqual([]);
    const [problem] = problemsOf(
      answering(titled),
      answering(named),
      downgrading(() => ({})),
    );
    expect(problem).toMatch(
      /^books:create: an answer 200 of 2026-07, \{"name":".*"\}, becomes \{\}, and its body must have required properties title, so it does not fit 2026-04; correct downgradeResponse of it/,
    );
  });

  it('[folder 2] and throws is told with what it throws and the smallest sample that makes it', () => {
    const lists = object({ tags: { type: 'array', items: text }, title: text }, []);
    const thrower = downgrading(({ tags, ...rest }) => {
      if (Array.isArray(tags) && tags.length > 1) throw new RangeError('too many tags');
      return { ...rest, tags };
    });
    const [problem] = problemsOf(answering(lists), answering(lists), thrower);
    expect(problem).toMatch(
      /an answer 200 of 2026-07, \{"tags":\["[^"]*","[^"]*"\]\}, the change throws RangeError: too many tags, so/,
    );
  });

  it('[folder 2] and answers with nothing, or with no object where the contract has one, is told', () => {
    expect(
      problemsOf(
        answering(titled),
        answering(named),
        downgrading(() => undefined),
      ),
    ).toHaveLength(1);
    expect(
      problemsOf(
        accepting(titled),
        accepting(named),
        upgrading(() => 'text'),
      ),
    ).toHaveLength(1);
  });

  it('names all modules that translate the same thing, and the other operation of a redirection', () => {
    const [made] = problemsOf(accepting(titled), accepting(named), {
      upgradeRequest: { [id]: () => ({}) },
    });
    expect(made).toContain('correct upgradeRequest of it');
    const removed = source(
      [operation({ body: body(titled) })],
      [operation({ id: 'books:put', method: 'PUT', path: '/books/new', body: body(named) })],
      { redirects: { [id]: 'books:put' } },
    );
    expect(apiSteps(removed).flatMap(stepProofProblems)).toEqual([
      expect.stringContaining("no change translates it: write upgradeRequest for 'books:create'"),
    ]);
  });

  it('[folder 2] and whose query, headers or path parameters do not fit is told with the part', () => {
    const limited = (maximum: number) => ({ query: object({ limit: { type: 'integer', maximum } }, []) });
    expect(problemsOf(limited(100), limited(50))).toEqual([
      expect.stringMatching(/"query":\{"limit":\d+\}.*its query at \/limit must be <= 50/),
    ]);
    const header = (name: string) => ({ headers: object({ [name]: { type: 'integer' } }) });
    const renamed = (to: string): Partial<Change> => ({
      upgradeRequest: { [id]: ({ headers }) => ({ headers: { [to]: String(headers['x-shop']) } }) },
    });
    expect(problemsOf(header('X-Shop'), header('X-Store'), renamed('x-store'))).toEqual([]);
    expect(problemsOf(header('X-Shop'), header('X-Store'), renamed('x-stroe'))).toHaveLength(1);
    const path = (schema: JsonSchema) => ({ path: '/books/{book}', params: object({ book: schema }) });
    expect(problemsOf(path(text), path({ type: 'integer' }))).toEqual([
      expect.stringContaining('its path parameters at /book'),
    ]);
    expect(problemsOf(path({ type: 'integer' }), path(text))).toEqual([]);
  });

  it('[folder 2] and whose answer headers have names that no version declares is told', () => {
    const [one, other] = [{ answerHeaders: ['x-count'] }, { answerHeaders: ['x-total'] }];
    const to = (name: string): Partial<Change> => ({
      downgradeHeaders: { [id]: ({ 'x-total': count = '' }) => ({ [name]: count }) },
    });
    expect(problemsOf(one, other, to('x-count'))).toEqual([]);
    expect(problemsOf(one, other, to('x-cuont'))).toEqual([
      expect.stringContaining('no version declares the header x-cuont'),
    ]);
  });

  it('[folder 2] is found in the bodies of errors, also of ranges of statuses', () => {
    const [one, other] = [object({ message: text }), object({ detail: text })];
    for (const key of ['errorBodies', 'ranges'] as const) {
      const declared = (schema: JsonSchema) => ({
        [key]: { [key === 'ranges' ? '4XX' : 404]: body(schema) },
      });
      const parts = (name: string): Partial<Change> => ({
        downgradeErrorBody: { [id]: ({ detail }) => ({ [name]: detail }) },
      });
      expect(problemsOf(declared(one), declared(other), parts('message'))).toEqual([]);
      expect(problemsOf(declared(one), declared(other), parts('mesage'))).toEqual([
        expect.stringMatching(/an answer 40\d of 2026-07.*correct downgradeErrorBody of it/),
      ]);
    }
  });

  it('[folder 16] [folder 2] is found in events, which may also be left out for the older version', () => {
    const to = (made: (data: unknown) => unknown): Partial<Change> => ({
      downgradeEvent: { 'book.made': ({ data: { name } }) => made(name) as null },
    });
    const right = to((name) => ({ kind: 'book.made', data: { title: name } }));
    const none = to(() => null);
    expect([eventProblems(titled, named, right), eventProblems(titled, named, none)]).toEqual([[], []]);
    expect(
      eventProblems(
        titled,
        named,
        to((name) => ({ kind: 'book.made', data: { name } })),
      ),
    ).toEqual([expect.stringMatching(/^book.made: an event of 2026-07, .*correct downgradeEvent of it/)]);
    expect(
      eventProblems(
        titled,
        named,
        to((name) => ({ kind: 'book.mad', data: { title: name } })),
      ),
    ).toEqual([expect.stringContaining('there is no event book.mad')]);
    expect(eventProblems(titled, named)).toEqual([expect.stringContaining('no change translates it')]);
  });
});

describe('the samples', () => {
  /** The bodies that a module gets from older callers. */
  function samplesOf(schema: JsonSchema): unknown[] {
    const seen: unknown[] = [];
    const parts: Partial<Change> = {
      upgradeRequest: {
        [id]: (request) => {
          seen.push(request.body);
          return {};
        },
      },
    };
    expect(problemsOf(accepting(schema), accepting(schema), parts)).toEqual([]);
    return seen;
  }

  const many = object(
    { a: text, b: { type: 'integer' }, c: { type: 'boolean' }, d: { enum: ['x', 'y'] } },
    [],
  );

  it('[folder 3] are at least 50 for a schema, and the same at every check', () => {
    const [one, other] = [samplesOf(many), samplesOf(many)];
    expect(one.length).toBeGreaterThanOrEqual(50);
    expect(other).toEqual(one);
    expect(new Set(one.map((value) => JSON.stringify(value))).size).toBeGreaterThan(25);
  });

  it('[folder 3] have the examples of the document among them, wherever they stand', () => {
    const values = ['of the media type', 'named', 'referred to', 'of the schema', 'of a property'];
    const [one, named, referred, whole, property] = values;
    const book = object({ title: { ...text, examples: [property] } });
    const document = {
      openapi: '3.1.0',
      info: { title: 'Books', version: older },
      paths: {
        '/books/{shelf}': {
          parameters: [
            { name: 'shelf', in: 'path', required: true, schema: text, example: 'of a parameter' },
          ],
          post: {
            operationId: id,
            requestBody: {
              content: {
                'application/json': {
                  schema: { $ref: '#/components/schemas/Book' },
                  examples: {
                    one: { value: { title: named } },
                    other: { $ref: '#/components/examples/Other' },
                  },
                },
                'application/x-other': { example: { title: one } },
              },
            },
            responses: { 204: { description: 'Made' } },
          },
        },
      },
      components: {
        schemas: { Book: { ...book, example: { title: whole } } },
        examples: { Other: { value: { title: referred } } },
      },
    };
    const seen: unknown[] = [];
    const spy: Partial<Change> = {
      upgradeRequest: {
        [id]: (request) => {
          seen.push(request.body.title, request.params.shelf);
          return {};
        },
      },
    };
    testChange(change(spy), {
      older: document,
      newer: { ...document, info: { title: 'Books', version: newer } },
    });
    expect(seen).toEqual(expect.arrayContaining([named, referred, whole, 'of a parameter']));
    expect(seen).not.toContain(one);
  });

  it('fit their schema, also with references that recur, choices, patterns and conditions', () => {
    const tree = {
      $ref: '#/$defs/Node',
      $defs: {
        Node: object({ name: text, nodes: { type: 'array', items: { $ref: '#/$defs/Node' } } }, ['name']),
      },
    };
    expect(samplesOf(tree).length).toBeGreaterThan(50);
    const pattern = object({ code: { ...text, pattern: '^[A-Z]{3}-\\d+$' } });
    expect(
      samplesOf(pattern).every((value) => /^[A-Z]{3}-\d+$/.test(String((value as { code: string }).code))),
    ).toBe(true);
    const choice = {
      oneOf: [object({ kind: { const: 'a' }, a: text }), object({ kind: { const: 'b' }, b: text })],
    };
    const kinds = new Set(samplesOf(choice).map((value) => (value as { kind: string }).kind));
    expect(kinds).toEqual(new Set(['a', 'b']));
  });

  it('[folder 15] are also lists, texts, numbers and null, where the contract has them', () => {
    for (const schema of [
      { type: 'array', items: text },
      text,
      { type: 'number' },
      { type: ['null', 'boolean'] },
    ])
      expect(samplesOf(schema).length, JSON.stringify(schema)).toBeGreaterThanOrEqual(2);
  });
});

/** A rule of one field, and the same rule more strictly. */
const stricter: readonly [rule: string, loose: JsonSchema, strict: JsonSchema, mended: unknown][] = [
  ['pattern', text, { ...text, pattern: '^[a-z]+$' }, 'a'],
  ['a narrower pattern', { ...text, pattern: '^[a-z0-9]+$' }, { ...text, pattern: '^[a-z]+$' }, 'a'],
  ['enum', { enum: ['a', 'b', 'c', 'd'] }, { enum: ['a', 'b', 'c'] }, 'a'],
  ['maximum', { type: 'integer' }, { type: 'integer', maximum: 4_711_000 }, 1],
  ['a lower maximum', { type: 'integer', maximum: 100 }, { type: 'integer', maximum: 99 }, 1],
  ['minimum', { type: 'integer' }, { type: 'integer', minimum: 0 }, 1],
  ['exclusiveMaximum', { type: 'number', maximum: 10 }, { type: 'number', exclusiveMaximum: 10 }, 1],
  ['multipleOf', { type: 'integer' }, { type: 'integer', multipleOf: 5 }, 5],
  ['maxLength', text, { ...text, maxLength: 255 }, 'a'],
  ['minLength', text, { ...text, minLength: 1 }, 'a'],
  ['maxItems', { type: 'array', items: text }, { type: 'array', items: text, maxItems: 50 }, []],
  ['uniqueItems', { type: 'array', items: text }, { type: 'array', items: text, uniqueItems: true }, []],
  ['type', { type: ['string', 'integer'] }, text, 'a'],
  ['null', { type: ['string', 'null'] }, text, 'a'],
  ['format', text, { ...text, format: 'uuid' }, '00000000-0000-4000-8000-000000000000'],
  ['a required field below', object({ a: text }, []), object({ a: text }), { a: 'a' }],
  [
    'closed objects',
    object({ a: text }),
    { ...object({ a: text }), additionalProperties: false },
    { a: 'a' },
  ],
  ['an alternative', { anyOf: [text, { type: 'integer' }] }, { anyOf: [text] }, 'a'],
  [
    'a rule in items',
    { type: 'array', items: text },
    { type: 'array', items: { ...text, maxLength: 3 } },
    [],
  ],
  ['const', { enum: [1, 2] }, { const: 1 }, 1],
];

describe('a rule that differs', () => {
  const withField = (schema: JsonSchema) => object({ field: schema, other: text }, ['field']);

  it.each(stricter)(
    '[folder 5] became stricter (%s): refused with a value, unless a module mends it',
    (_rule, loose, strict, mended) => {
      const problems = problemsOf(accepting(withField(loose)), accepting(withField(strict)));
      expect(problems).toEqual([expect.stringMatching(/"body":\{"field":.*no change translates it/)]);
      const mending = upgrading((sent) => ({ ...sent, field: mended }));
      expect(problemsOf(accepting(withField(loose)), accepting(withField(strict)), mending)).toEqual([]);
    },
  );

  it.each(stricter)(
    '[folder 6] became looser (%s): refused downwards with a value, unless a module mends it',
    (_rule, loose, strict, mended) => {
      const problems = problemsOf(answering(withField(strict)), answering(withField(loose)));
      expect(problems).toEqual([
        expect.stringMatching(/an answer 200 of 2026-07, \{"field":.*no change translates/),
      ]);
      const mending = downgrading((given) => ({ ...given, field: mended }));
      expect(problemsOf(answering(withField(strict)), answering(withField(loose)), mending)).toEqual([]);
    },
  );

  it.each(stricter)(
    'is passed the other way round (%s): what is allowed more widely needs no code',
    (_r, loose, strict) => {
      expect(problemsOf(accepting(withField(strict)), accepting(withField(loose)))).toEqual([]);
      expect(problemsOf(answering(withField(loose)), answering(withField(strict)))).toEqual([]);
    },
  );

  it('[folder 5] is required now: the field, or the body as a whole', () => {
    const optional = object({ field: text }, []);
    expect(problemsOf(accepting(optional), accepting(object({ field: text })))).toEqual([
      expect.stringContaining('must have required properties field'),
    ]);
    const without: Partial<Operation> = { body: { ...body(optional), optional: true } };
    expect(problemsOf(without, accepting(optional))).toEqual([
      expect.stringContaining('it has no body, which is required'),
    ]);
    expect(problemsOf({ body: null }, accepting(optional))).toHaveLength(1);
    expect(
      problemsOf(
        without,
        accepting(optional),
        upgrading((sent) => ({ ...sent })),
      ),
    ).toEqual([]);
  });

  it('[folder 5] is found deep inside, behind references and in one of many alternatives', () => {
    const deep = (leaf: JsonSchema) => ({
      ...object({ list: { type: 'array', items: { $ref: '#/$defs/Item' } } }),
      $defs: {
        Item: object({ of: { oneOf: [object({ a: text }), object({ b: { $ref: '#/$defs/Leaf' } })] } }),
        Leaf: object({ last: leaf }),
      },
    });
    expect(problemsOf(accepting(deep(text)), accepting(deep({ ...text, maxLength: 500 })))).toEqual([
      expect.stringMatching(/"list":\[\{"of":\{"b":\{"last":"x{200}/),
    ]);
  });
});

describe('testChange', () => {
  const documentOf = (version: string, name: string) => ({
    openapi: '3.1.0',
    info: { title: 'Books', version },
    paths: {
      '/books': {
        post: {
          operationId: id,
          requestBody: {
            required: true,
            content: { 'application/json': { schema: object({ [name]: text }) } },
          },
          responses: { 204: { description: 'Made' } },
        },
      },
    },
  });
  const between = { older: documentOf('2026-04', 'title'), newer: documentOf('2026-07', 'name') };

  it('passes a module that bridges two documents, and throws with every problem otherwise', () => {
    testChange(change(upgrading(({ title }) => ({ name: title }))), between);
    expect(() => testChange(change({}), between)).toThrow(
      /^renameTitle does not bridge the two versions:\nbooks:create: a request of 2026-04/,
    );
  });

  it('takes the changes before and after it', () => {
    const first = change(upgrading(({ title }) => ({ label: title })));
    const second = change(upgrading(({ label }) => ({ name: label })));
    testChange(first, { ...between, after: [second] });
    testChange(second, { ...between, before: [first] });
    expect(() => testChange(first, between)).toThrow('does not bridge');
  });

  it('names the document that cannot be read', () => {
    expect(() => testChange(change({}), { ...between, newer: {} })).toThrow(
      'The newer document cannot be read',
    );
  });
});
