import { text } from 'node:stream/consumers';
import { beforeEach, describe, expect, it } from 'vitest';
import { useTestFolder } from '../support/folder/test-folder.ts';
import { current, next } from '../support/service/build-versions.ts';

const answers = { 200: { description: 'Taken.', content: { 'application/json': { schema: {} } } } };
const list = (type: string) => ({ type: 'array', items: { type } });

type Fields = Readonly<Record<string, object>>;

const query = (fields: Fields) => ({
  get: {
    operationId: 'search',
    parameters: Object.entries(fields).map(([name, field]) => ({ name, in: 'query', ...field })),
    responses: answers,
  },
});

const range = { type: 'object', properties: { from: { type: 'integer' }, to: { type: 'integer' } } };
const deep = { style: 'deepObject', explode: true };

const parameters: Fields = {
  ids: { schema: list('integer') },
  names: { explode: false, schema: list('string') },
  sizes: { explode: false, schema: { type: 'array', maxItems: 2, items: { type: 'integer' } } },
  spaced: { style: 'spaceDelimited', schema: list('integer') },
  piped: { style: 'pipeDelimited', schema: list('integer') },
  filter: {
    ...deep,
    schema: {
      type: 'object',
      additionalProperties: false,
      properties: { state: { enum: ['open', 'done'] }, tags: list('string'), total: range },
    },
  },
  created: { ...deep, schema: { anyOf: [range, { type: 'integer' }] } },
  expand: { ...deep, schema: list('string') },
  colour: {
    schema: { type: 'object', properties: { red: { type: 'integer' }, green: { type: 'integer' } } },
  },
  point: { explode: false, schema: { type: 'object', properties: { x: { type: 'integer' } } } },
  where: { content: { 'application/json': { schema: { type: 'object', required: ['a'] } } } },
  either: { schema: { type: ['integer', 'boolean'] } },
  id: {
    schema: {
      anyOf: [
        { type: 'integer', minimum: 100 },
        { type: 'string', pattern: '^[a-z0-9]{2}$' },
      ],
    },
  },
  one: { schema: { anyOf: [{ type: 'string', enum: ['all'] }, list('integer')] } },
  flag: { allowEmptyValue: true, schema: { type: 'boolean' } },
  note: { schema: { type: 'string' } },
  path: { allowReserved: true, schema: { type: 'string' } },
};

/** The upstream tells what it got. */
const document = (paths: object): string =>
  JSON.stringify({ openapi: '3.1.0', info: { title: 'Requests', version: next }, security: [], paths });

describe('queries', () => {
  const seen: string[] = [];
  const service = useTestFolder({
    contract: document({ '/search': query(parameters) }),
    frozen: document({
      '/search': query({
        ...parameters,
        names: { style: 'pipeDelimited', schema: list('string') },
        old: { schema: { type: 'integer' } },
      }),
    }),
    files: {
      [`contract/changes/${next}-to-${current}/index.mjs`]: `
        export const changes = [{
          name: 'delimitNamesByCommas', kind: 'changed', summary: 'It.', why: 'So.', upgradeNote: 'Do.',
          examples: [{ before: null, after: null }],
          touches: ['search.query', 'search.styles'],
          upgradeRequest: {
            search: ({ query: { old, ...query } }) => ({ query: { ...query, ...(old !== undefined && { ids: [old, 8] }) } }),
          },
        }];`,
    },
    upstream: (request, response) => {
      seen.push(request.url ?? '');
      response.writeHead(200, { 'content-type': 'application/json' }).end('{}');
    },
  });

  async function statusOf(query: string, version = next): Promise<number> {
    const answer = await service.call('sandbox', `/search?${query}`, {
      headers: { 'service-version': version },
    });
    await answer.arrayBuffer();
    return answer.status;
  }

  beforeEach(() => void seen.splice(0));

  it.each([
    ['repeated names', 'ids=1&note=a&ids=2'],
    ['digits that a number of JavaScript loses', 'ids=12345678901234567890&ids=0.1e1'],
    ['commas, and those that are encoded', 'names=a%2Cb,c'],
    ['commas that are all encoded', 'sizes=1%2C2'],
    ['an empty list', 'names='],
    ['spaces', 'spaced=1%202+3'],
    ['pipes', 'piped=1%7C2|3'],
    ['members in brackets', 'filter[state]=open&filter[tags]=a&filter%5Btags%5D=b&filter[total][from]=1'],
    ['an object or a number', 'created[from]=5'],
    ['the number', 'created=5'],
    ['lists in brackets', 'expand[]=a&expand[]=b'],
    ['lists with numbers in brackets', 'expand[1]=a&expand[0]=b'],
    ['an object by its members', 'red=1&green=2'],
    ['an object in one text', 'point=x,7'],
    ['JSON', 'where=%7B%22a%22:1%7D'],
    ['one of several types', 'either=7'],
    ['the other', 'either=true'],
    ['what only one choice takes', 'id=42'],
    ['a list or a text', 'one=all'],
    ['the list', 'one=1&one=2'],
    ['a name alone', 'flag&note'],
    ['nothing after the name', 'flag=&note='],
    ['any percent-encoding', 'note=%41%2b%C3%A4+%7e%25'],
    ['reserved characters', 'path=/a?b:c@d!$'],
  ])('[folder 21] takes %s, and forwards it as it was sent', async (_what, query) => {
    expect(await statusOf(query)).toBe(200);
    expect(seen).toEqual([`/search?${query}`]);
  });

  it.each([
    ['ids=1&ids=x', 422],
    ['names=a&names=b', 422],
    ['sizes=1,2,3', 422],
    ['sizes=1,x', 422],
    ['spaced=1%20x', 422],
    ['piped=1|x', 422],
    ['filter[state]=gone', 422],
    ['filter[other]=1', 422],
    ['filter=open', 422],
    ['filter[total]=1&filter[total][from]=1', 422],
    ['filter[__proto__][a]=1', 422],
    [`filter${'[a]'.repeat(11)}=1`, 422],
    ['created[from]=x', 422],
    ['red=x', 422],
    ['point=x,y', 422],
    ['where=%7B%22b%22:1%7D', 422],
    ['where=%7B', 422],
    ['where=%7B%22a%22:1,%22a%22:2%7D', 422],
    ['either=x', 422],
    ['id=420x', 422],
    ['one=some', 422],
    ['flag=maybe', 422],
    ['note=a&note=b', 422],
    ['ids=1e999', 422],
    ['note=%FF', 400],
  ])('[folder 21] refuses %s', async (query, status) => {
    expect(await statusOf(query)).toBe(status);
    expect(seen).toEqual([]);
  });

  it('[folder 21] refuses more than a thousand parameters', async () => {
    expect(await statusOf(`${'ids=1&'.repeat(1_000)}ids=1`)).toBe(400);
    expect(seen).toEqual([]);
  });

  it('[folder 21] lets no semicolon begin another parameter', async () => {
    expect(await statusOf('note=a;admin=1')).toBe(200);
    expect(seen).toEqual(['/search?note=a%3Badmin=1']);
  });

  it('[folder 21] writes what a change has made in the style of the upstream, and the rest as it was sent', async () => {
    expect(await statusOf('names=a%7Cb%2Cc&old=7&note=%41', current)).toBe(200);
    expect(seen).toEqual(['/search?names=a,b%2Cc&note=%41&ids=7&ids=8']);
  });
});

describe('queries with parameters that Next no longer has', () => {
  const seen: string[] = [];
  const limit = { schema: { type: 'integer' } };
  const members = (...names: readonly string[]) => ({
    schema: { type: 'object', properties: Object.fromEntries(names.map((name) => [name, limit.schema])) },
  });
  const service = useTestFolder({
    contract: document({ '/search': query({ limit, colour: members('red', 'green') }) }),
    frozen: document({
      '/search': query({ limit, sort: { schema: { type: 'string' } }, red: limit, shape: members('round') }),
    }),
    files: {
      [`contract/changes/${next}-to-${current}/index.mjs`]: `
        export const changes = [{
          name: 'removeSort', kind: 'removed', summary: 'It.', why: 'So.', upgradeNote: 'Do.',
          examples: [{ before: null, after: null }],
          touches: ['search.query'],
        }];`,
    },
    upstream: (request, response) => {
      seen.push(request.url ?? '');
      response.writeHead(200, { 'content-type': 'application/json' }).end('{}');
    },
  });

  it.each([
    ['left out of those of older versions', 'sort=x&limit=3', '/search?limit=3'],
    ['left out with the question mark where nothing else is left', 'sort=x', '/search'],
    ['left out by the names of their members', 'round=1&limit=3', '/search?limit=3'],
    ['forwarded where Next reads the name as a member of another one', 'red=1&sort=x', '/search?red=1'],
  ])('[folder 25] are %s', async (_what, sent, forwarded) => {
    seen.splice(0);
    const answer = await service.call('sandbox', `/search?${sent}`, {
      headers: { 'service-version': current },
    });
    expect([answer.status, await answer.text()]).toEqual([200, '{}']);
    expect(seen).toEqual([forwarded]);
  });
});

describe('forms', () => {
  const seen: string[] = [];
  const address = {
    type: 'object',
    required: ['city'],
    properties: { city: { type: 'string' }, zip: { type: 'integer' } },
  };
  const schema = {
    type: 'object',
    required: ['count'],
    properties: {
      count: { type: 'integer', minimum: 1 },
      ratio: { type: 'number' },
      isPaid: { type: 'boolean' },
      tags: list('string'),
      sizes: { type: 'array', items: { type: 'integer' } },
      joined: list('integer'),
      address,
      deep: { type: 'object', properties: { lines: { type: 'array', items: address } } },
      spread: { type: 'object', properties: { width: { type: 'integer' } } },
      meta: { type: 'object', properties: { a: { type: 'integer' } } },
      file: { type: 'string', format: 'binary' },
      files: { type: 'array', items: { type: 'string', format: 'binary' } },
    },
  };
  const encoding = {
    joined: { explode: false },
    deep: { style: 'deepObject' },
    spread: { style: 'form' },
    meta: { contentType: 'application/json' },
  };
  const forms = ['application/x-www-form-urlencoded', 'multipart/form-data'];
  const content = Object.fromEntries(forms.map((type) => [type, { schema, encoding }]));
  const send = (id: string) => ({
    post: { operationId: id, requestBody: { required: true, content }, responses: answers },
  });
  const service = useTestFolder({
    contract: document({ '/forms': send('forms:send'), '/here': send('here:send') }),
    files: {
      'handlers.mjs': `export default { 'here:send': async ({ request }) => ({ status: 200, body: request.body }) };`,
    },
    upstream: async (request, response) => {
      seen.push(await text(request));
      response.writeHead(200, { 'content-type': 'application/json' }).end('{}');
    },
  });

  const asForm = (pairs: readonly (readonly [string, string | Blob])[]): FormData => {
    const form = new FormData();
    for (const [name, value] of pairs) form.append(name, value);
    return form;
  };
  const post = (path: string, body: NonNullable<RequestInit['body']>) =>
    service.call('sandbox', path, { method: 'POST', body });

  beforeEach(() => void seen.splice(0));

  const pairs = [
    ['count', '3'],
    ['ratio', '0.5'],
    ['isPaid', 'true'],
    ['tags', 'a'],
    ['sizes', '1'],
    ['sizes', '2'],
    ['joined', '4,5'],
    ['address', '{"city":"Bonn","zip":53111}'],
    ['deep[lines][0][city]', 'Bonn'],
    ['deep[lines][0][zip]', '53111'],
    ['width', '7'],
    ['meta', '{"a":1}'],
    ['other', 'kept'],
  ] as const;
  const values = {
    count: 3,
    ratio: 0.5,
    isPaid: true,
    tags: ['a'],
    sizes: [1, 2],
    joined: [4, 5],
    address: { city: 'Bonn', zip: 53111 },
    deep: { lines: [{ city: 'Bonn', zip: 53111 }] },
    spread: { width: 7 },
    meta: { a: 1 },
    other: 'kept',
  };

  it('[folder 20] have numbers, booleans, lists and objects, as their schemas and encodings say', async () => {
    const encoded = await post('/here', new URLSearchParams(pairs.map(([name, value]) => [name, value])));
    expect(await encoded.json()).toEqual(values);
    const parts = await post('/here', asForm(pairs));
    expect(await parts.json()).toEqual(values);
  });

  it('[folder 20] are forwarded as they came', async () => {
    const body = 'count=3&address=%7B%22city%22:%22B%22%7d&tags=a+b';
    const type = { 'content-type': 'application/x-www-form-urlencoded' };
    const answer = await service.call('sandbox', '/forms', { method: 'POST', body, headers: type });
    expect(answer.status).toBe(200);
    expect(seen).toEqual([body]);
  });

  it('[folder 20] take objects that are sent as files of JSON, and files as they are', async () => {
    const json = (value: object) => new Blob([JSON.stringify(value)], { type: 'application/json' });
    const file = new Blob(['{'], { type: 'text/plain' });
    const good = [
      ['count', '1'],
      ['address', json({ city: 'Bonn' })],
      ['file', file],
      ['files', file],
      ['files', file],
    ] as const;
    const answer = await post('/here', asForm(good));
    expect(await answer.json()).toEqual({ count: 1, address: { city: 'Bonn' }, file: '', files: ['', ''] });
    const bad = await post(
      '/here',
      asForm([
        ['count', '1'],
        ['address', json({ zip: 5 })],
      ]),
    );
    expect(bad.status).toBe(422);
  });

  it.each([
    [[['count', '0']]],
    [[['count', 'three']]],
    [[['ratio', '1']]],
    [
      [
        ['count', '1'],
        ['count', '2'],
      ],
    ],
    [
      [
        ['count', '1'],
        ['isPaid', 'yes'],
      ],
    ],
    [
      [
        ['count', '1'],
        ['sizes', '1'],
        ['sizes', 'x'],
      ],
    ],
    [
      [
        ['count', '1'],
        ['joined', '1,x'],
      ],
    ],
    [
      [
        ['count', '1'],
        ['address', 'Bonn'],
      ],
    ],
    [
      [
        ['count', '1'],
        ['address', '{"zip":1}'],
      ],
    ],
    [
      [
        ['count', '1'],
        ['address', '{"city":"a","city":"b"}'],
      ],
    ],
    [
      [
        ['count', '1'],
        ['deep[lines][0][zip]', '1'],
      ],
    ],
    [
      [
        ['count', '1'],
        ['width', 'x'],
      ],
    ],
    [
      [
        ['count', '1'],
        ['meta', '{"a":"b"}'],
      ],
    ],
  ] as [string, string][][][])('[folder 20] are refused with %j', async (fields) => {
    expect((await post('/forms', new URLSearchParams(fields))).status).toBe(422);
    expect((await post('/forms', asForm(fields))).status).toBe(422);
    expect(seen).toEqual([]);
  });
});
