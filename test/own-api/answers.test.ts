import { once } from 'node:events';
import { get, type IncomingMessage, type ServerResponse } from 'node:http';
import { describe, expect, it } from 'vitest';
import { useTestFolder } from '../support/folder/test-folder.ts';
import { next } from '../support/service/build-versions.ts';

const older = `
openapi: 3.1.0
info: { title: Things, version: "${next}" }
security: []
paths:
  /things/{id}:
    parameters:
      - { name: id, in: path, required: true, schema: { type: string } }
    get:
      operationId: things:read
      parameters:
        - { name: X-Tenant, in: header, schema: { type: string } }
      responses:
        "200":
          description: A thing.
          headers:
            X-Left: { schema: { type: string } }
            Set-Login: { schema: { type: string } }
          content: { application/json: { schema: { type: object } } }
  /streams/{name}:
    parameters:
      - { name: name, in: path, required: true, schema: { type: string } }
    get:
      operationId: streams:read
      responses:
        "200":
          description: It comes bit by bit.
          content: { text/event-stream: {}, text/plain: {} }
        "202": { description: Nothing comes. }
  /files/{name}:
    parameters:
      - { name: name, in: path, required: true, schema: { type: string } }
    head:
      operationId: files:look
      responses:
        "200": { description: There it is. }
    get:
      operationId: files:read
      responses:
        "200": { description: All of it., content: { text/plain: {} } }
        "206": { description: Some of it., content: { text/plain: {} } }
        "304": { description: As before. }
        "302": { description: It is elsewhere. }
    put:
      operationId: files:write
      requestBody: { content: { text/plain: {} } }
      responses:
        "204": { description: Written. }
        "412": { description: It was another. }
  /errors/{name}:
    parameters:
      - { name: name, in: path, required: true, schema: { type: string } }
    get:
      operationId: errors:read
      responses:
        "200": { description: None., content: { application/json: { schema: { type: object } } } }
        "404":
          description: It is not there.
          headers: { X-Trace: { schema: { type: string } } }
          content:
            application/problem+json:
              schema:
                type: object
                required: [code, reason]
                properties: { code: { type: string }, reason: { type: string } }
        default:
          description: Something else.
          content:
            application/json: { schema: { type: object, required: [message], properties: { message: { type: string } } } }
            text/plain: {}
`;

const newer = older
  .replace('[code, reason]', '[code, hint]')
  .replace('reason: {', 'hint: {')
  .replace(
    '  /streams/{name}:',
    `    put:
      operationId: things:replace
      parameters:
        - { name: X-Reason, in: header, schema: { type: string } }
      requestBody: { content: { application/json: { schema: { type: object } } } }
      responses:
        "204": { description: It is replaced. }
  /streams/{name}:`,
  );

const changes = `
export const changes = [
  {
    name: 'addReplacing',
    kind: 'added',
    summary: 'Things can be replaced.',
    why: 'They break.',
    upgradeNote: 'Nothing is to do.',
    examples: [{ before: null, after: { request: 'PUT /things/{id}', body: {} } }],
    touches: ['things:replace'],
  },
  {
    name: 'renameReasonToHint',
    kind: 'changed',
    summary: 'An error has a hint.',
    why: 'It helps more.',
    upgradeNote: 'Read hint where you read reason.',
    examples: [{ before: null, after: { answerTo: 'GET /errors/{name}', status: 404, body: { hint: 'x' } } }],
    touches: ['errors:read.errorBodies.404'],
    downgradeErrorBody: {
      'errors:read': (body, { status }) => {
        const { hint, ...rest } = body;
        return status === 404 ? { ...rest, reason: hint } : body;
      },
    },
  },
];
`;

describe('the answers of an upstream', () => {
  const service = useTestFolder({
    contract: newer,
    frozen: older,
    files: { [`contract/changes/${next}-to-2026-10/index.mjs`]: changes },
    upstream: (request, response) => answer(request, response),
    settings: { idleSeconds: 2, timeoutSeconds: 2 },
    env: { DATELINE_REQUEST_SECONDS: '2' },
  });

  function answer(request: IncomingMessage, response: ServerResponse): void {
    const { url = '' } = request;
    const name = url.split('/').at(-1) ?? '';
    const error = errors[name];
    if (error)
      response.writeHead(error.status, { 'content-type': error.type, 'x-trace': 'T' }).end(error.text);
    else if (url.startsWith('/files/')) answerFile(request, response);
    else if (url.startsWith('/things/')) {
      conditions = [request.headers['if-none-match'], request.headers.range];
      response
        .writeHead(200, { 'content-type': 'application/json', 'x-left': '3', etag: '"1"' })
        .end(JSON.stringify({ name }));
    } else if (name === 'counted')
      response.writeHead(200, { 'content-type': 'text/plain', 'content-length': '2097152' }).end(large);
    else if (name === 'nothing') response.writeHead(202).end();
    else if (name === 'something') response.writeHead(202).end('it');
    else if (name === 'uncounted') response.writeHead(200, { 'content-type': 'text/plain' }).write('first');
    else {
      response.writeHead(200, { 'content-type': 'text/event-stream' }).flushHeaders();
      if (name === 'silent') response.write('data: only\n\n');
      else sendEvents(response, EVENTS);
    }
  }

  /** As a server of files does it. */
  function answerFile(request: IncomingMessage, response: ServerResponse): void {
    const { method, headers, url = '' } = request;
    const target = headers.host && targets(headers.host)[url.slice('/files/'.length)];
    asked.push(`${method} ${url}`);
    if (target) response.writeHead(302, { location: target, 'content-type': 'text/html' }).end('<p>Moved');
    else if (method === 'PUT') response.writeHead(headers['if-match'] === '"1"' ? 204 : 412).end();
    else if (headers['if-none-match'] === '"1"') response.writeHead(304, { etag: '"1"' }).end();
    else if (headers.range === 'bytes=2-3')
      response.writeHead(206, { 'content-type': 'text/plain', 'content-range': 'bytes 2-3/8' }).end('23');
    else {
      const length = method === 'HEAD' ? { 'content-length': '8' } : { trailer: 'X-Sum' };
      response.writeHead(200, {
        'content-type': 'text/plain',
        etag: '"1"',
        'accept-ranges': 'bytes',
        ...length,
      });
      if (method !== 'HEAD') response.addTrailers({ 'x-sum': '28' });
      response.end(method === 'HEAD' ? undefined : '01234567');
    }
  }

  const asked: string[] = [];
  let conditions: unknown[] = [];
  const targets = (host: string): Record<string, string> => ({
    moved: `http://${host}/files/one?again=1`,
    near: 'one',
    rooted: '/files/one',
    away: 'https://files.example/one',
    inside: `http://${host.replace(/:.*/, ':1')}/secret`,
  });

  interface UpstreamError {
    status: number;
    type: string;
    text: string;
  }

  const problem = 'application/problem+json; charset=utf-8';
  const errors: Record<string, UpstreamError> = {
    gone: { status: 404, type: problem, text: '{ "code":"gone","hint":"look elsewhere", "n": 1.0 }' },
    other: {
      status: 409,
      type: 'application/json',
      text: '{ "message":"not now", "n": 12345678901234567890 }',
    },
    plain: { status: 410, type: 'text/plain', text: 'It was here once.' },
    told: { status: 503, type: 'application/json', text: '{"message":"at night"}' },
    bare: { status: 404, type: problem, text: '{"code":"gone"}' },
    odd: { status: 400, type: 'text/html', text: '<p>no</p>' },
    crashed: { status: 500, type: 'text/html', text: '<pre>at orders.js:7</pre>' },
    accepted: { status: 202, type: 'application/json', text: '{"later":true}' },
    teapot: { status: 418, type: 'application/json', text: '{"short":true}' },
  };

  const large = Buffer.alloc(2 ** 21, 'x');

  const EVENTS = 10;

  /** One in a quarter of a second: together they take longer than any limit of this service. */
  function sendEvents(response: ServerResponse, left: number): void {
    if (left === 0) return void response.end();
    response.write(`data: ${left}\n\n`);
    setTimeout(() => sendEvents(response, left - 1), 250);
  }

  const call = (path: string, init?: RequestInit) => service.call('sandbox', path, init);

  /** Reads until the text has come, or the stream ends; the rest is left. */
  async function readUntil(text: string, { body }: Response): Promise<string> {
    const reader = body?.pipeThrough(new TextDecoderStream()).getReader();
    let read = '';
    for (;;) {
      const { value, done } = (await reader?.read()) ?? { done: true };
      if (done) return read;
      read += value;
      if (read.includes(text)) {
        await reader?.cancel();
        return read;
      }
    }
  }

  describe('that come bit by bit', () => {
    it('[folder 32] arrive event by event', async () => {
      // Nothing follows the only event, so that whoever gathers the answer has nothing to pass on.
      expect(await readUntil('only', await call('/streams/silent'))).toBe('data: only\n\n');
    });

    it('[folder 32] are not cut while events come, however long it takes', async () => {
      const events = await (await call('/streams/long')).text();
      expect(events.match(/data: \d+/g)).toHaveLength(EVENTS);
    });

    it('[folder 32] are ended where they are silent for longer than idleSeconds', async () => {
      const answered = await call('/streams/silent');
      await expect(answered.text()).rejects.toThrow();
    });

    it('[folder 33] are passed on as they come where no length is said', async () => {
      expect(await readUntil('first', await call('/streams/uncounted'))).toBe('first');
    });

    it('[folder 33] have no body where the contract has none and nothing follows, whatever length is said', async () => {
      const nothing = await call('/streams/nothing');
      expect([nothing.status, await nothing.text()]).toEqual([202, '']);
      const something = await call('/streams/something');
      expect(something.status).toBe(502);
    });

    it('[folder 33] keep the length that is said', async () => {
      const answered = await call('/streams/counted');
      expect(answered.headers.get('content-length')).toBe('2097152');
      expect((await answered.arrayBuffer()).byteLength).toBe(2 ** 21);
      const head = await call('/streams/counted', { method: 'HEAD' });
      expect([head.status, head.headers.get('content-length')]).toEqual([200, '2097152']);
    });
  });

  const told = async (environment: 'sandbox' | 'production', path: string, version: string) => {
    const answered = await service.call(environment, path, { headers: { 'service-version': version } });
    const { headers, status } = answered;
    const text = await answered.text();
    return { status, type: headers.get('content-type'), trace: headers.get('x-trace'), text };
  };

  describe('that HTTP has rules for', () => {
    const versions = ['2026-07', '2026-10', next];
    const file = (version: string, headers: Record<string, string> = {}, init: RequestInit = {}) =>
      call('/files/one', { ...init, headers: { 'service-version': version, ...headers } });

    it.each(versions)('[folder 37] hold for conditions and ranges, in %s', async (version) => {
      const unchanged = await file(version, { 'if-none-match': '"1"' });
      expect([unchanged.status, unchanged.headers.get('etag')]).toEqual([304, '"1"']);
      const part = await file(version, { range: 'bytes=2-3' });
      expect([part.status, part.headers.get('content-range'), await part.text()]).toEqual([
        206,
        'bytes 2-3/8',
        '23',
      ]);
      const write = (tag: string) =>
        file(version, { 'if-match': tag, 'content-type': 'text/plain' }, { method: 'PUT', body: 'x' });
      expect([(await write('"1"')).status, (await write('"2"')).status]).toEqual([204, 412]);
    });

    it.each(versions)('[folder 37] have a head and no trailers, in %s', async (version) => {
      asked.length = 0;
      const head = await file(version, {}, { method: 'HEAD' });
      const { headers } = head;
      expect(asked).toEqual(['HEAD /files/one']);
      expect([head.status, await head.text(), headers.get('etag')]).toEqual([200, '', '"1"']);
      expect([headers.get('content-type'), headers.get('content-length')]).toEqual(['text/plain', '8']);
      // Where the document has none, it is that of the GET.
      const made = await call('/things/1', { method: 'HEAD', headers: { 'service-version': version } });
      expect([made.status, made.headers.get('content-length')]).toEqual([200, '12']);
      const { trailers, read } = await trailersOf('/files/one', version);
      expect([read, trailers]).toEqual(['01234567', {}]);
    });

    it.each(versions)(
      '[folder 37] lead to the same API, and never to the upstream itself, in %s',
      async (version) => {
        const led = async (name: string) => {
          const init: RequestInit = { headers: { 'service-version': version }, redirect: 'manual' };
          const answered = await call(`/files/${name}`, init);
          return [
            answered.status,
            answered.headers.get('location'),
            (await answered.text()).includes('Moved'),
          ];
        };
        expect(await led('moved')).toEqual([302, '/files/one?again=1', false]);
        expect(await led('near')).toEqual([302, 'one', false]);
        expect(await led('rooted')).toEqual([302, '/files/one', false]);
        expect(await led('away')).toEqual([302, 'https://files.example/one', false]);
        expect(await led('inside')).toEqual([502, null, false]);
      },
    );

    it.each(versions)(
      '[folder 37] take no conditions where the contract declares none, in %s',
      async (version) => {
        const headers = { 'service-version': version, 'if-none-match': '"1"', range: 'bytes=2-3' };
        const whole = await call('/things/1', { headers });
        expect([whole.status, await whole.json()]).toEqual([200, { name: '1' }]);
        expect(conditions).toEqual([undefined, undefined]);
      },
    );

    async function trailersOf(path: string, version: string) {
      const sent = get(`${service.urls.sandbox}${path}`, { headers: { 'service-version': version } });
      const [answered] = (await once(sent, 'response')) as [IncomingMessage];
      const read = Buffer.concat(await answered.toArray()).toString();
      return { read, trailers: answered.trailers };
    }
  });

  describe('that are errors', () => {
    it('[folder 28] arrive byte for byte, with their type and declared headers, where their contract has their form', async () => {
      for (const version of ['2026-07', '2026-10', next]) {
        for (const name of ['other', 'plain', 'told']) {
          const { status, type, text } = await told('sandbox', `/errors/${name}`, version);
          expect({ status, type, text }).toEqual(errors[name]);
        }
      }
      expect(await told('sandbox', '/errors/gone', next)).toEqual({ ...errors.gone, trace: 'T' });
    });

    it('[folder 28] arrive as their callers know them, where a change translates them', async () => {
      for (const version of ['2026-07', '2026-10']) {
        const { text, ...rest } = await told('sandbox', '/errors/gone', version);
        expect(JSON.parse(text)).toEqual({ code: 'gone', reason: 'look elsewhere', n: 1 });
        expect(rest).toEqual({ status: 404, type: problem, trace: 'T' });
      }
    });

    it('[folder 28] are refused where they do not fit, but for those of Next in production, which are counted', async () => {
      for (const name of ['bare', 'odd']) {
        expect((await told('sandbox', `/errors/${name}`, next)).text).toContain('upstream_contract');
        expect(await told('production', `/errors/${name}`, '2026-10')).toMatchObject({ status: 502 });
        const { status, type, text } = await told('production', `/errors/${name}`, next);
        expect({ status, type, text }).toEqual(errors[name]);
      }
      // Nobody is told what it says of its own failures.
      for (const environment of ['sandbox', 'production'] as const) {
        const crashed = await told(environment, '/errors/crashed', next);
        expect(crashed.status).toBe(502);
        expect(crashed.text).toContain('upstream_failed');
        expect(crashed.text).not.toContain('orders.js');
      }
      expect(await violations('errors:read')).toBe(5);
    });

    it('[folder 29] are refused where their status is not declared, but for those of Next in production, which are counted', async () => {
      for (const name of ['teapot', 'accepted']) {
        for (const version of ['2026-07', '2026-10', next])
          expect((await told('sandbox', `/things/${name}`, version)).text).toContain('upstream_contract');
        for (const version of ['2026-07', '2026-10'])
          expect(await told('production', `/things/${name}`, version)).toMatchObject({ status: 502 });
        const { status, type, text } = await told('production', `/things/${name}`, next);
        expect({ status, type, text }).toEqual(errors[name]);
      }
      expect(await violations('things:read')).toBe(6);
    });

    /** In production. */
    async function violations(operation: string): Promise<number> {
      const metrics = await (await service.operate('production', '/metrics')).text();
      const line = metrics.split('\n').find((one) => one.includes('violations') && one.includes(operation));
      return Number(line?.split(' ').at(-1));
    }
  });

  describe('for scripts of other origins', () => {
    it('[folder 38] have the headers that their contract declares exposed', async () => {
      const answered = await call('/things/1');
      const exposed = answered.headers.get('access-control-expose-headers')?.split(', ');
      expect(exposed).toEqual(expect.arrayContaining(['x-left', 'etag', 'Service-Version']));
      // What may never be declared is not passed on, and so not exposed.
      expect(exposed).not.toContain('set-login');
    });

    it('[folder 38] may be asked for with the methods and declared headers of every served version', async () => {
      const preflight = await call('/things/1', {
        method: 'OPTIONS',
        headers: { origin: 'https://app.example', 'access-control-request-method': 'PUT' },
      });
      expect(preflight.status).toBe(204);
      const listed = (name: string) => preflight.headers.get(name)?.split(', ');
      expect(listed('access-control-allow-methods')?.sort()).toEqual(['GET', 'HEAD', 'PUT']);
      expect(listed('access-control-allow-headers')).toEqual(
        expect.arrayContaining(['Authorization', 'X-Tenant', 'X-Reason']),
      );
    });
  });
});
