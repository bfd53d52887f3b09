import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type IncomingHttpHeaders, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { foundAgain } from '../../src/api/folder/freeze/found-versions.ts';
import { initFolder } from '../../src/api/folder/init-folder.ts';
import { anyEngine } from '../support/database/databases.ts';
import { current, deprecated, next } from '../support/service/build-versions.ts';
import { type RunningTestService, startTestService } from '../support/service/test-service.ts';

const contract = `
openapi: 3.1.0
info: { title: Bodies, version: "${next}" }
security: []
paths:
  /things/{kind}/{number}:
    parameters:
      - { name: kind, in: path, required: true, schema: { type: string, enum: [red, blue] } }
      - { name: number, in: path, required: true, schema: { type: integer, minimum: 1 } }
    get:
      operationId: things:read
      parameters:
        - { name: X-Tenant, in: header, required: true, schema: { type: string, pattern: "^[a-z]+$" } }
        - { name: deep, in: query, schema: { type: boolean } }
        - { name: sort, in: query, schema: { type: array, items: { type: string } } }
        - { name: ratio, in: query, schema: { type: number } }
      responses:
        "200": { description: Something., content: { application/json: { schema: { type: object } } } }
  /forms:
    post:
      operationId: forms:send
      requestBody:
        required: true
        content:
          application/x-www-form-urlencoded:
            schema: { type: object, required: [name], properties: { name: { type: string, minLength: 2 } } }
          multipart/form-data:
            schema: { type: object, required: [file], properties: { file: { type: string, format: binary } } }
      responses:
        "204": { description: Taken. }
  /numbers:
    post:
      operationId: numbers:send
      requestBody:
        required: true
        content: { application/json: { schema: { type: object, properties: { n: { type: number } } } } }
      responses:
        "200": { description: The same., content: { application/json: { schema: { type: object } } } }
  /pages/{name}:
    parameters:
      - { name: name, in: path, required: true, schema: { type: string } }
    get:
      operationId: pages:read
      responses:
        "200":
          description: Something to look at.
          headers:
            Content-Security-Policy: { schema: { type: string } }
            X-Content-Type-Options: { schema: { type: string } }
            Clear-Site-Data: { schema: { type: string } }
          content: { text/html: {}, image/svg+xml: {} }
        "304": { description: As before. }
        "409": { description: Not now., x-error-codes: [not_now] }
  /here:
    get:
      operationId: here:read
      responses:
        "200":
          description: Answered by the folder.
          content: { application/json: { schema: { type: object, required: [at], properties: { at: { type: string } } } } }
  /who:
    get:
      operationId: who:read
      security: [{ token: [] }]
      responses:
        "200": { description: Who asks., content: { application/json: { schema: { type: object } } } }
  /nodes:
    post:
      operationId: nodes:send
      requestBody:
        required: true
        content: { application/json: { schema: { $ref: "#/components/schemas/Node" } } }
      responses:
        "200": { description: The same., content: { application/json: { schema: { $ref: "#/components/schemas/Node" } } } }
components:
  securitySchemes:
    token: { type: http, scheme: bearer }
  schemas:
    Node:
      type: object
      required: [name]
      properties:
        name: { type: string, nullable: true }
        shape: { oneOf: [{ type: object, required: [radius], properties: { radius: { type: number } } }, { type: string }] }
        nodes: { type: array, items: { $ref: "#/components/schemas/Node" } }
      additionalProperties: false
`;

describe('an ordinary OpenAPI document', () => {
  let folder: string;
  let upstream: Server;
  let service: RunningTestService;
  const seen: { url: string; headers: IncomingHttpHeaders; body: Buffer }[] = [];

  beforeAll(async () => {
    upstream = createServer(async (request, response) => {
      const body = Buffer.concat(await request.toArray());
      seen.push({ url: request.url ?? '', headers: request.headers, body });
      if (request.url === '/forms') return void response.writeHead(204).end();
      if (request.url?.startsWith('/pages/')) return void answerPage(request.url.slice(7), response);
      response.writeHead(200, { 'content-type': 'application/json' }).end(body.length > 0 ? body : '{}');
    }).listen(0, '127.0.0.1');
    await once(upstream, 'listening');
    folder = mkdtempSync(join(tmpdir(), 'dateline-bodies-'));
    await initFolder(folder, { deprecated, current });
    writeFileSync(join(folder, 'contract/next.yaml'), contract);
    writeFileSync(
      join(folder, 'dateline.config.mjs'),
      `export default {
        title: 'Bodies',
        upstream: {
          production: 'http://127.0.0.1:9',
          sandbox: 'http://127.0.0.1:${(upstream.address() as AddressInfo).port}',
          audience: 'https://bodies.example',
          requestBytesMax: 4096,
        },
        scopes: {},
        open: '*',
      };`,
    );
    writeFileSync(
      join(folder, 'handlers.mjs'),
      `export default {
        'who:read': async ({ claims }) => ({ status: 200, body: claims }),
        'here:read': async ({ request, claims, signal }) =>
          ({ status: 200, body: { at: [Object.keys(request.query).length, claims, signal.aborted].join(' ') } }),
      };`,
    );
    await foundAgain(folder);
    service = await startTestService(anyEngine, { DATELINE_API: folder });
  });
  afterAll(async () => {
    await service?.stop();
    upstream?.closeAllConnections();
    upstream?.close();
    if (folder) rmSync(folder, { recursive: true, force: true });
  });

  /** With all that a server could say about an origin that is not its own. */
  function answerPage(name: string, response: ServerResponse): void {
    const status = { 'not-now': 409, unchanged: 304, broken: 500, odd: 206 }[name] ?? 200;
    response.writeHead(status, {
      'content-type': name === 'not-now' ? 'application/json' : 'text/html',
      'content-security-policy': "script-src 'unsafe-inline' *",
      'x-content-type-options': 'sniff',
      'set-cookie': 'dateline_sandbox_console=theirs',
      'clear-site-data': '"*"',
      'service-worker-allowed': '/',
      'strict-transport-security': 'max-age=31536000',
      'access-control-allow-credentials': 'true',
    });
    if (name === 'large') response.write('x'.repeat(2 ** 21));
    response.end(name === 'not-now' ? '{"code":"not_now"}' : '<script>alert(1)</script>');
  }

  const call = (path: string, init?: RequestInit) => service.call('sandbox', path, init);
  const tenant = { 'x-tenant': 'acme', 'x-other': 'secret' };

  it('has parameters in path, query and header, checked by their schemas', async () => {
    seen.length = 0;
    const good = await call('/things/red/7?deep=true&sort=a&sort=b&ratio=0.5&unknown=1', { headers: tenant });
    expect(good.status).toBe(200);
    expect(seen[0]?.url).toBe('/things/red/7?deep=true&sort=a&sort=b&ratio=0.5');
    expect(seen[0]?.headers).toMatchObject({ 'x-tenant': 'acme' });
    expect(seen[0]?.headers).not.toHaveProperty('x-other');
    for (const path of ['/things/green/7', '/things/red/0', '/things/red/x', '/things/red/7?deep=maybe'])
      expect([path, (await call(path, { headers: tenant })).status]).toEqual([path, 422]);
    expect((await call('/things/red/7', { headers: { 'x-tenant': 'A!' } })).status).toBe(422);
    expect((await call('/things/red/7')).status).toBe(422);
    expect(seen).toHaveLength(1);
  });

  it('has forms and uploads, which are checked and forwarded as they came', async () => {
    seen.length = 0;
    const form = await call('/forms', { method: 'POST', body: new URLSearchParams({ name: 'Ada & Bob' }) });
    expect(form.status).toBe(204);
    expect(String(seen[0]?.body)).toBe('name=Ada+%26+Bob');
    const upload = new FormData();
    upload.set('file', new Blob([Buffer.from([0, 255, 13, 10])]), 'a.bin');
    expect((await call('/forms', { method: 'POST', body: upload })).status).toBe(204);
    expect(seen[1]?.headers['content-type']).toMatch(/^multipart\/form-data; boundary=/);
    expect(seen[1]?.body.includes(Buffer.from([0, 255, 13, 10]))).toBe(true);
    const short = await call('/forms', { method: 'POST', body: new URLSearchParams({ name: 'A' }) });
    const empty = new FormData();
    empty.set('other', 'x');
    const missing = await call('/forms', { method: 'POST', body: empty });
    const other = await call('/forms', {
      method: 'POST',
      body: '{}',
      headers: { 'content-type': 'application/json' },
    });
    const large = await call('/forms', {
      method: 'POST',
      body: new URLSearchParams({ name: 'x'.repeat(5000) }),
    });
    expect([short.status, missing.status, other.status, large.status]).toEqual([422, 422, 415, 413]);
    expect(seen).toHaveLength(2);
  });

  it('[outside2 4] [folder 36] lets nothing run of what its server answers, whatever that says itself', async () => {
    const expected: [string, number, string?][] = [
      ['/pages/one', 200],
      ['/pages/one', 200, 'HEAD'],
      ['/pages/large', 200],
      ['/pages/large', 200, 'HEAD'],
      ['/pages/unchanged', 304],
      ['/pages/not-now', 409],
      ['/pages/broken', 502],
      ['/pages/odd', 502],
      ['/here', 200],
      ['/forms', 204, 'POST'],
    ];
    for (const [path, status, method = 'GET'] of expected) {
      const body = method === 'POST' ? new URLSearchParams({ name: 'Ada' }) : null;
      const answer = await call(path, { method, body });
      await answer.arrayBuffer();
      const { headers } = answer;
      expect([path, answer.status]).toEqual([path, status]);
      expect([path, headers.get('x-content-type-options')]).toEqual([path, 'nosniff']);
      expect([path, headers.get('content-security-policy')]).toEqual([
        path,
        expect.stringMatching(/^default-src 'none';.* sandbox$/),
      ]);
      for (const name of ['set-cookie', 'clear-site-data', 'service-worker-allowed'])
        expect([path, name, headers.get(name)]).toEqual([path, name, null]);
      expect(headers.get('strict-transport-security')).toBeNull();
      expect(headers.get('access-control-allow-credentials')).toBeNull();
    }
  });

  it('keeps the digits of numbers, both ways', async () => {
    const body = '{"n":12345678901234567890.123}';
    const answer = await call('/numbers', {
      method: 'POST',
      body,
      headers: { 'content-type': 'application/json' },
    });
    expect(await answer.text()).toBe(body);
  });

  it('[outside2 10] [folder 24] forwards no JSON with a name that stands twice in one object, however it is spelt', async () => {
    seen.length = 0;
    const send = async (body: string): Promise<number> =>
      (await call('/numbers', { method: 'POST', body, headers: { 'content-type': 'application/json' } }))
        .status;
    const refused = [
      '{"n":1,"n":2}',
      String.raw`{"n":1,"\u006e":2}`,
      String.raw`{"\"":1,"\u0022":2}`,
      '{"a":[{"b":{"c":1,"c":2}}]}',
      '{"a":{"b":"}"},"a":1}',
      String.raw`{"a":"\\","a":1}`,
      '{"a":{},"a":[]}',
      '{"__proto__":{}}',
      String.raw`{"\u005f_proto__":{}}`,
      `${'['.repeat(600)}${']'.repeat(600)}`,
      '{"a":1,"a"}',
    ];
    for (const body of refused) expect([body, await send(body)]).toEqual([body, 400]);
    expect(seen).toHaveLength(0);
    const taken = [
      '{"n":1,"N":2}',
      '{"a":{"n":1},"b":{"n":2},"n":3}',
      '{"a":[{"b":1},{"b":2}],"b":["b","b"]}',
      String.raw`{"a":"{\"a\":1,\"a\":2}","b":"a\\"}`,
      '{"a":"b","b":"a"}',
    ];
    for (const body of taken) expect([body, await send(body)]).toEqual([body, 200]);
    expect(seen.map(({ body }) => String(body))).toEqual(taken);
  });

  it('[outside2 10] [folder 24] forwards nothing that is named or written in another charset than UTF-8', async () => {
    seen.length = 0;
    const status = async (
      path: string,
      type: string,
      body: string | Uint8Array<ArrayBuffer>,
    ): Promise<number> =>
      (await call(path, { method: 'POST', body, headers: { 'content-type': type } })).status;
    for (const charset of ['utf-7', '"utf-16"', 'iso-8859-1', 'utf-8; charset=utf-7', 'UTF-7 ', '']) {
      expect([charset, await status('/numbers', `application/json; charset=${charset}`, '{}')]).toEqual([
        charset,
        415,
      ]);
      expect(await status('/forms', `application/x-www-form-urlencoded;charset=${charset}`, 'name=ab')).toBe(
        415,
      );
    }
    expect(await status('/numbers', 'application/json; charset*=utf-7', '{}')).toBe(415);
    const part = (type: string): string =>
      `--x\r\ncontent-disposition: form-data; name="file"\r\ncontent-type: ${type}\r\n\r\nv\r\n--x--\r\n`;
    const multipart = 'multipart/form-data; boundary=x';
    expect(await status('/forms', multipart, part('text/plain;\r\n charset=utf-7'))).toBe(415);
    expect(await status('/numbers', 'application/json', Buffer.from('{"n":"\u00e9"}', 'latin1'))).toBe(400);
    expect(await status('/forms', 'application/x-www-form-urlencoded', 'name=%E9%E9')).toBe(400);
    expect(seen).toHaveLength(0);
    for (const charset of ['utf-8', 'UTF-8', '"utf-8"', 'utf8'])
      expect(await status('/numbers', `application/json; charset=${charset}`, '{}')).toBe(200);
    expect(await status('/forms', 'application/x-www-form-urlencoded', 'name=100%&b=%C3%A9')).toBe(204);
    expect(await status('/forms', multipart, part('text/plain; charset=utf-8'))).toBe(204);
  });

  it('may refer to itself, offer alternatives, and allow null as 3.0 does', async () => {
    const send = (body: unknown) =>
      call('/nodes', {
        method: 'POST',
        body: JSON.stringify(body),
        headers: { 'content-type': 'application/json' },
      });
    const tree = {
      name: null,
      shape: { radius: 1 },
      nodes: [{ name: 'a', shape: 'round', nodes: [{ name: 'b' }] }],
    };
    const answer = await send(tree);
    expect([answer.status, await answer.json()]).toEqual([200, tree]);
    expect((await send({ name: 'a', nodes: [{ nodes: [] }] })).status).toBe(422);
    expect((await send({ name: 'a', shape: 7 })).status).toBe(422);
    const page = await call(`/docs/${next}`, { headers: { accept: 'text/html' } });
    expect(page.status).toBe(200);
  });

  it('may be answered by the folder itself, without an upstream', async () => {
    seen.length = 0;
    const answer = await call('/here');
    expect([answer.status, await answer.json()]).toEqual([200, { at: '0  false' }]);
    const { access_token: token, client_id: clientId } = service.quickstart.sandbox;
    const who = await call('/who', { headers: { authorization: `Bearer ${token}` } });
    expect([who.status, await who.json()]).toMatchObject([
      200,
      { aud: 'https://bodies.example', client_id: clientId, sub_type: 'user' },
    ]);
    expect((await call('/who')).status).toBe(401);
    expect(seen).toHaveLength(0);
  });
});
