import type { IncomingMessage, RequestListener } from 'node:http';
import { beforeEach, describe, expect, it } from 'vitest';
import type { EnvironmentName } from '../../src/environments/environment.ts';
import { useTestFolder } from '../support/folder/test-folder.ts';
import { current, deprecated, next } from '../support/service/build-versions.ts';

const document = (paths: string): string => `
openapi: 3.1.0
info: { title: Translated, version: "${next}" }
security: []
paths:${paths}`;

const answer = (schema: string): string =>
  `{ description: It., content: { application/json: { schema: ${schema} } } }`;
const list = '{ type: array, items: { type: integer } }';
const named = '{ type: object, required: [name], properties: { name: { type: string } } }';
const titled = '{ type: object, required: [title], properties: { title: { type: string } } }';

const anything = `  /anything:
    post:
      operationId: anything:send
      requestBody: { required: true, content: { application/json: { schema: {} } } }
      responses: { "200": ${answer('{}')} }
`;

const frozen = document(`
  /lists:
    post:
      operationId: lists:send
      parameters:
        - { name: X-Old, in: header, schema: { type: string } }
        - { name: X-Order, in: header, schema: { type: string, enum: [up, down] } }
      requestBody: { required: true, content: { application/json: { schema: ${list} } } }
      responses:
        "200":
          description: It.
          headers: { X-Count: { schema: { type: string } }, X-Removed: { schema: { type: string } } }
          content: { application/json: { schema: ${list} } }
${anything}  /notes:
    post:
      operationId: notes:send
      requestBody: { required: true, content: { text/csv: {} } }
      responses: { "200": { description: It., content: { text/plain: {} } } }
  /kept/{id}:
    get:
      operationId: kept:read
      parameters: [{ name: id, in: path, required: true, schema: { type: string } }]
      responses: { "200": ${answer(named)} }
  /optional:
    post:
      operationId: optional:send
      requestBody: { content: { application/json: { schema: ${named} } } }
      responses: { "200": ${answer(named)} }
  /answered:
    get: { operationId: answered:read, responses: { "200": ${answer(named)} } }
  /as:
    get: { operationId: as:read, responses: { "200": ${answer(named)} } }
  /moved/{id}:
    get:
      operationId: moved:read
      parameters: [{ name: id, in: path, required: true, schema: { type: string } }]
      responses: { "200": ${answer(named)} }
  /books:
    get: { operationId: books:read, responses: { "200": ${answer(named)} } }
    post:
      operationId: books:create
      requestBody: { required: true, content: { application/json: { schema: ${named} } } }
      responses: { "200": ${answer(named)} }`);

const contract = document(`
  /lists:
    post:
      operationId: lists:send
      parameters:
        - { name: X-New, in: header, required: true, schema: { type: string, pattern: "^v" } }
        - { name: X-Order, in: header, schema: { type: string, enum: [asc, desc] } }
      requestBody: { required: true, content: { application/json: { schema: ${list} } } }
      responses:
        "201":
          description: It.
          headers: { X-Total: { schema: { type: string } }, X-Added: { schema: { type: string } } }
          content: { application/json: { schema: ${list} } }
${anything}  /notes:
    post:
      operationId: notes:send
      requestBody: { required: true, content: { text/tab-separated-values: {} } }
      responses: { "200": { description: It., content: { text/html: {} } } }
  /optional:
    post:
      operationId: optional:send
      requestBody: { required: true, content: { application/json: { schema: ${named} } } }
      responses: { "200": ${answer(named)} }
  /everything:
    get: { operationId: everything:read, responses: { "200": ${answer(titled)} } }
  /renamed/{id}:
    get:
      operationId: moved:read
      parameters: [{ name: id, in: path, required: true, schema: { type: string } }]
      responses: { "200": ${answer(named)} }
  /books:
    get: { operationId: books:read, responses: { "200": ${answer(titled)} } }
    post:
      operationId: books:create
      requestBody: { required: true, content: { application/json: { schema: ${titled} } } }
      responses: { "200": ${answer(titled)} }`);

const changes = `
const text = (bytes) => Buffer.from(bytes).toString();
const down = ({ title, ...book }) => {
  if (title === 'throws') throw new Error('it throws');
  return title === 'lost' ? book : { ...book, name: title === 'mistyped' ? 7 : title };
};
export const changes = [
  {
    name: 'changeAll', kind: 'changed', summary: 'It.', why: 'So.', upgradeNote: 'Do.',
    examples: [{ before: null, after: null }],
    touches: ['lists:**', 'notes:**', 'kept:read', 'answered:read', 'as:read', 'everything:read', 'moved:read', 'books:**', 'optional:send'],
    upgradeRequest: {
      'lists:send': ({ headers: { 'x-old': old, 'x-order': order, ...headers } }) => ({
        headers: { ...headers, 'x-new': old ?? 'v0', ...(order && { 'x-order': order === 'up' ? 'asc' : 'desc' }) },
      }),
      'books:create': ({ body }) => {
        if (body.name === 'throws') throw new Error('it throws');
        return { body: body.name === 'lost' ? {} : { title: body.name } };
      },
    },
    upgradeContent: {
      'notes:send': ({ bytes }) => ({ mediaType: 'text/tab-separated-values', bytes: Buffer.from(text(bytes).replaceAll(',', '\\t')) }),
    },
    downgradeContent: {
      'notes:send': ({ bytes }) => ({ mediaType: 'text/plain', bytes: Buffer.from(text(bytes).replaceAll(/<[^>]*>/g, '')) }),
    },
    downgradeStatus: { 'lists:send': { 201: 200 } },
    downgradeHeaders: { 'lists:send': ({ 'x-total': total, 'x-added': _, ...headers }) => ({ ...headers, 'x-count': total, 'x-removed': 'r', 'x-not-declared': '1' }) },
    downgradeResponse: {
      'as:read': down, 'books:read': down, 'books:create': down,
      'moved:read': (body, { request }) => ({ ...body, name: body.name.replace('/renamed/', '/moved/') }),
    },
    kept: ['kept:read'],
    redirects: { 'as:read': 'everything:read' },
  },
];`;

const handlers = `export default {
  'answered:read': async () => ({ status: 200, body: { name: 'by the folder' } }),
};`;

describe('a change of an API folder', () => {
  const seen: { request: IncomingMessage; body: string }[] = [];
  let title: string | number = 'Emma';
  const upstream: RequestListener = async (request, response) => {
    const body = Buffer.concat(await request.toArray()).toString();
    seen.push({ request, body });
    const send = (status: number, type: string, text: string, headers = {}): void => {
      response.writeHead(status, { 'content-type': type, ...headers }).end(text);
    };
    const json = (status: number, value: unknown, headers = {}): void =>
      send(status, 'application/json', JSON.stringify(value), headers);
    if (request.url === '/lists')
      json(201, JSON.parse(body), { 'X-Total': '3', 'X-Added': 'a', 'X-Other': 'o' });
    else if (request.url === '/anything') send(200, 'application/json', body);
    else if (request.url === '/notes') send(200, 'text/html', '<b>taken</b>');
    else if (request.url?.startsWith('/kept/')) json(200, { name: request.url });
    else if (request.url?.startsWith('/renamed/')) json(200, { name: request.url });
    else json(200, { title });
  };
  const service = useTestFolder({
    contract,
    frozen,
    files: {
      [`contract/changes/${next}-to-${current}/index.mjs`]: changes,
      'handlers.mjs': handlers,
    },
    upstream,
  });

  async function ask(
    version: string,
    path: string,
    init: { method?: string; body?: unknown; type?: string; headers?: Record<string, string> } = {},
  ) {
    const before = seen.length;
    const { method = init.body === undefined ? 'GET' : 'POST', type = 'application/json' } = init;
    const response = await service.call('sandbox', path, {
      method,
      headers: {
        'service-version': version,
        ...(init.body === undefined ? {} : { 'content-type': type }),
        ...init.headers,
      },
      ...(init.body === undefined
        ? {}
        : { body: type === 'application/json' ? JSON.stringify(init.body) : String(init.body) }),
    });
    const body = await response.text();
    const isJson = /json/.test(response.headers.get('content-type') ?? '');
    return {
      response,
      status: response.status,
      body: isJson ? JSON.parse(body) : body,
      sent: seen.slice(before),
    };
  }

  const older = [deprecated, current];
  beforeEach(() => {
    title = 'Emma';
  });

  it('[folder 15] lets bodies of any JSON go up and down as they are', async () => {
    for (const version of [...older, next])
      for (const body of [[], [1, 2], 'text', 7, true, null, { a: [null] }]) {
        const { status, body: answered, sent } = await ask(version, '/anything', { body });
        expect([status, answered, sent[0]?.body]).toEqual([200, body, JSON.stringify(body)]);
      }
    const { body, sent } = await ask(deprecated, '/lists', { body: [1, 2] });
    expect([body, sent[0]?.body]).toEqual([[1, 2], '[1,2]']);
  });

  it('[folder 9] answers older versions with the status that they know', async () => {
    for (const version of older) expect((await ask(version, '/lists', { body: [] })).status).toBe(200);
    expect((await ask(next, '/lists', { body: [], headers: { 'x-new': 'v1' } })).status).toBe(201);
  });

  it('[folder 10] renames a request header, and the upstream gets the new one alone', async () => {
    const { sent } = await ask(current, '/lists', { body: [], headers: { 'x-old': 'v2', 'x-new': 'v9' } });
    expect(sent[0]?.request.headers).toMatchObject({ 'x-new': 'v2' });
    expect(sent[0]?.request.headers).not.toHaveProperty('x-old');
  });

  it('[folder 10] gives a request header the values that Next has for it', async () => {
    const sent = async (version: string, order: string) => {
      const headers = { 'x-order': order, 'x-new': 'v1' };
      const asked = await ask(version, '/lists', { body: [], headers });
      return [asked.status, asked.sent[0]?.request.headers['x-order']];
    };
    for (const version of older)
      expect([await sent(version, 'up'), await sent(version, 'asc')]).toEqual([
        [200, 'asc'],
        [422, undefined],
      ]);
    expect([await sent(next, 'desc'), await sent(next, 'down')]).toEqual([
      [201, 'desc'],
      [422, undefined],
    ]);
  });

  it('[folder 11] gives each version its own answer headers, and only its own', async () => {
    for (const version of older) {
      const { response } = await ask(version, '/lists', { body: [] });
      expect(Object.fromEntries(response.headers)).toMatchObject({ 'x-count': '3', 'x-removed': 'r' });
      for (const name of ['x-total', 'x-added', 'x-other', 'x-not-declared'])
        expect(response.headers.has(name)).toBe(false);
    }
    const { response: newest } = await ask(next, '/lists', { body: [], headers: { 'x-new': 'v1' } });
    expect([newest.headers.get('x-total'), newest.headers.get('x-added')]).toEqual(['3', 'a']);
    for (const name of ['x-count', 'x-removed', 'x-other']) expect(newest.headers.has(name)).toBe(false);
  });

  it('[folder 12] translates other media types by bytes', async () => {
    const { response, body, sent } = await ask(current, '/notes', { body: 'a,b', type: 'text/csv' });
    expect([response.headers.get('content-type'), body]).toEqual([
      expect.stringMatching(/^text\/plain/),
      'taken',
    ]);
    expect([sent[0]?.request.headers['content-type'], sent[0]?.body]).toEqual([
      'text/tab-separated-values',
      'a\tb',
    ]);
  });

  it('[folder 13] serves what Next removed: as another operation, by the folder, or kept as it was', async () => {
    for (const version of older) {
      const as = await ask(version, '/as');
      expect([as.status, as.body, as.sent[0]?.request.url]).toEqual([200, { name: 'Emma' }, '/everything']);
      const answered = await ask(version, '/answered');
      expect([answered.status, answered.body, answered.sent]).toEqual([200, { name: 'by the folder' }, []]);
      const kept = await ask(version, '/kept/a%20b');
      expect([kept.status, kept.body]).toEqual([200, { name: '/kept/a%20b' }]);
    }
    for (const path of ['/as', '/answered', '/kept/a']) expect((await ask(next, path)).status).toBe(404);
  });

  it('[folder 18] serves a renamed path at the old one, with the links that a module names', async () => {
    const moved = await ask(current, '/moved/1');
    expect([moved.body, moved.sent[0]?.request.url]).toEqual([{ name: '/moved/1' }, '/renamed/1']);
    expect([(await ask(current, '/renamed/1')).status, (await ask(next, '/moved/1')).status]).toEqual([
      404, 404,
    ]);
    expect((await ask(next, '/renamed/1')).body).toEqual({ name: '/renamed/1' });
  });

  const counted = async (environment: EnvironmentName, operation: string): Promise<number> => {
    const metrics = await (await service.operate(environment, '/metrics')).text();
    const lines = metrics
      .split('\n')
      .filter((line) => line.includes('violations') && line.includes(operation));
    return lines.reduce((sum, line) => sum + Number(line.split(' ').at(-1)), 0);
  };

  it.each(['sandbox', 'production'] as const)(
    '[folder 1] answers 502 where what it made of an answer does not fit the version of the caller, and counts it, in %s',
    async (environment) => {
      const read = async (version: string) => {
        const headers = { 'service-version': version };
        const answered = await service.call(environment, '/books', { headers });
        return { status: answered.status, body: await answered.json() };
      };
      expect((await read(current)).body).toEqual({ name: 'Emma' });
      const before = await counted(environment, 'books:read');
      for (title of ['lost', 'mistyped', 'throws'])
        for (const version of older) {
          const { status, body } = await read(version);
          expect([status, body.error ?? body.code]).toEqual([502, 'upstream_contract']);
        }
      expect(await counted(environment, 'books:read')).toBe(before + 6);
      expect((await read(next)).status).toBe(200);
    },
  );

  it('[folder 1] passes what does not fit Next on and counts it, in production alone', async () => {
    title = 7;
    const headers = { 'service-version': next };
    const before = await counted('production', 'books:read');
    const passedOn = await service.call('production', '/books', { headers });
    expect([passedOn.status, await passedOn.json()]).toEqual([200, { title: 7 }]);
    expect((await service.call('sandbox', '/books', { headers })).status).toBe(502);
    for (const version of older) {
      const refused = await service.call('production', '/books', { headers: { 'service-version': version } });
      expect(refused.status).toBe(502);
    }
    expect(await counted('production', 'books:read')).toBe(before + 3);
  });

  it('[folder 4] answers 502, never 422, where what it made of a request does not fit Next: nothing goes upstream, and it is counted', async () => {
    const before = await counted('sandbox', 'books:create');
    for (const name of ['lost', 'throws'])
      for (const version of older) {
        const { status, body, sent } = await ask(version, '/books', { body: { name } });
        expect([status, body.error ?? body.code, sent]).toEqual([502, 'upstream_contract', []]);
      }
    expect(await counted('sandbox', 'books:create')).toBe(before + 4);
    const { status, sent } = await ask(current, '/lists', { body: [], headers: { 'x-old': 'wrong' } });
    expect([status, sent]).toEqual([502, []]);
    const without = await ask(current, '/optional', { method: 'POST' });
    expect([without.status, without.sent]).toEqual([502, []]);
    expect((await ask(next, '/optional', { method: 'POST' })).status).toBe(400);
    expect((await ask(current, '/books', { body: { name: 7 } })).status).toBe(422);
    expect((await ask(current, '/books', { body: { name: 'Emma' } })).body).toEqual({ name: 'Emma' });
  });
});
