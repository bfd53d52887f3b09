import { rmSync } from 'node:fs';
import { Agent, request as httpRequest, type IncomingHttpHeaders, METHODS } from 'node:http';
import { brotliDecompressSync, gunzipSync, gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ApiError } from '../../src/errors/api-error.ts';
import { toApiError } from '../../src/http/app/to-api-error.ts';
import { serviceMetricsText } from '../../src/telemetry/metrics-text.ts';
import { anyEngine } from '../support/database/databases.ts';
import { copyOrdersFor } from '../support/folder/orders-folder.ts';
import { sendRaw } from '../support/http/raw-http.ts';
import { current, maintained, next } from '../support/service/build-versions.ts';
import { type RunningTestService, startTestService } from '../support/service/test-service.ts';

let folder: string;
let service: RunningTestService;
let renderings = 0;
const agent = new Agent({ keepAlive: true, maxSockets: 16 });
beforeAll(async () => {
  folder = copyOrdersFor();
  service = await startTestService(anyEngine, { DATELINE_API: folder }, undefined, {
    metricsText(_environment, own) {
      const render = serviceMetricsText(own);
      return () => {
        renderings += 1;
        return render();
      };
    },
  });
});
afterAll(async () => {
  agent.destroy();
  await service?.stop();
  if (folder) rmSync(folder, { recursive: true, force: true });
});

interface Answer {
  status: number;
  headers: IncomingHttpHeaders;
  body: Buffer;
}

/** As it is on the wire: nothing is decoded, and any method and target can be sent. */
function send(
  method: string,
  path: string,
  { headers = {}, body }: { headers?: Readonly<Record<string, string>>; body?: Buffer | string } = {},
): Promise<Answer> {
  const { hostname, port } = new URL(service.urls.sandbox);
  return new Promise((resolve, reject) => {
    const sent = httpRequest({ hostname, port, method, path, headers, agent }, (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => void chunks.push(chunk));
      response.on('error', reject);
      response.on('end', () =>
        resolve({ status: response.statusCode ?? 0, headers: response.headers, body: Buffer.concat(chunks) }),
      );
    });
    sent.on('error', reject);
    sent.end(body);
  });
}
const json = ({ body }: Answer) => JSON.parse(body.toString());

describe('methods', () => {
  const paths = [
    ...[
      '*',
      '/',
      '/nowhere',
      '/healthz',
      '/readyz',
      '/metrics',
      '/versions',
      '/docs',
      '/console',
      '/console/x',
    ],
    ...['/.well-known/jwks.json', '/account', '/account/consent', '/operator/clients', '/operator/nowhere'],
    ...['/v1', '/v1/', '/v1/nowhere', '/v1/oauth2/token', '/v1/oauth2/authorize', '/v1/organizations/'],
    ...['/orders', '/orders/a', '/orders/a/cancel', '/open-hours', '/%zz'],
  ];
  const malformed = { body: '{', headers: { 'content-type': 'application/json' } };
  const withBodies = ['DELETE', 'OPTIONS', 'PATCH', 'POST', 'PUT', 'QUERY', 'SEARCH'];
  // Node's client and server make a tunnel of it; here the connection is closed.
  const methods = METHODS.filter((method) => method !== 'CONNECT');

  it('[outside2 18] of all kinds are no fault of ours at any kind of address', async () => {
    const asked = methods.flatMap((method) =>
      paths.flatMap((path) =>
        (withBodies.includes(method) ? [{}, malformed] : [{}]).map((sent) => ({ method, path, sent })),
      ),
    );
    const faults = await Promise.all(
      asked.map(async ({ method, path, sent }) => {
        const { status, headers } = await send(method, path, sent);
        // It needs no token, and its upstream does not run.
        const isForwarded = path === '/open-hours' && status === 503;
        const isFault = status >= 500 && !isForwarded;
        return isFault || headers['service-version'] !== current ? [`${method} ${path} ${status}`] : [];
      }),
    );
    expect(faults.flat()).toEqual([]);
    expect(await sendRaw(service.urls.sandbox, 'CONNECT a:1 HTTP/1.1\r\nhost: a:1\r\n\r\n')).toBe('');
  });

  it('[outside2 18] QUERY is 405 with Allow, in the shape of the version, with and without a body type', async () => {
    const types = [{}, { 'content-type': 'application/json' }, { 'content-type': 'text/plain' }];
    for (const version of maintained)
      for (const type of types) {
        const headers = { 'service-version': version, ...type };
        const answer = await send('QUERY', '/v1/organizations/', { headers, body: '{}' });
        const post = await send('PUT', '/v1/organizations/', { headers: { 'service-version': version } });
        expect([answer.status, answer.headers.allow]).toEqual([405, 'GET, HEAD']);
        expect(json(answer)).toEqual(json(post));
      }
    expect((await send('QUERY', '/metrics')).status).toBe(405);
    expect((await send('QUERY', '/nowhere')).status).toBe(404);
  });

  it.each([
    [400, 'invalid_request', 400],
    [404, 'not_found', 404],
    [405, 'method_not_allowed', 405],
    [408, 'request_timeout', 408],
    [413, 'payload_too_large', 413],
    [414, 'uri_too_long', 414],
    [415, 'unsupported_media_type', 415],
    [431, 'headers_too_large', 431],
    [406, 'invalid_request', 400],
    [500, 'internal_error', 500],
  ])('[outside2 18] a framework error with the status %i is answered as %s', (statusCode, code, status) => {
    const refused: ApiError = toApiError(
      Object.assign(new Error('at /secret'), { code: 'FST_ERR_NEW', statusCode }),
    );
    expect([refused.code, refused.status, refused.detail.includes('secret')]).toEqual([code, status, false]);
  });

  it('[outside2 24] OPTIONS * is 204 for the service as a whole, and 404 in a version that is not served', async () => {
    const answer = await send('OPTIONS', '*', { headers: { 'service-version': next } });
    expect([answer.status, answer.headers['service-version']]).toEqual([204, next]);
    expect(answer.headers.allow).toContain('PATCH');
    const unknown = await send('OPTIONS', '*', { headers: { 'service-version': '2026' } });
    expect([unknown.status, unknown.headers['service-version']]).toEqual([404, current]);
  });
});

describe('a preflight', () => {
  /** What the documents of some versions have at each address, with anything in the place of parameters. */
  async function documented(versions: readonly string[]): Promise<Map<string, Set<string>>> {
    const taken = new Map<string, Set<string>>();
    for (const version of versions) {
      const { paths } = json(await send('GET', `/versions/${version}/openapi.json`));
      for (const [path, item] of Object.entries<object>(paths)) {
        const address = path.replaceAll(/\{[^}]+\}/g, 'a');
        const methods = Object.keys(item).filter((key) => METHODS.includes(key.toUpperCase()));
        const known = taken.get(address) ?? new Set();
        for (const method of methods) known.add(method.toUpperCase());
        if (known.has('GET')) known.add('HEAD');
        taken.set(address, known);
      }
    }
    return taken;
  }
  const listed = (text: string | undefined) => new Set(text?.split(', '));

  it('[outside2 19] allows the methods of all served versions, and a wrong method is told those of its own', async () => {
    const asks = { origin: 'https://app.example', 'access-control-request-method': 'DELETE' };
    const all = await documented(maintained);
    // Registration is guarded in this sandbox, and a page for people is not for scripts.
    const forScripts = [...all].filter(([path]) => !/register|authorize/.test(path));
    expect(forScripts.map(([path]) => path)).toContain('/orders/a');
    for (const [path, methods] of forScripts) {
      const { status, headers } = await send('OPTIONS', path, { headers: asks });
      const allowed = listed(headers['access-control-allow-methods']);
      expect([path, status, allowed]).toEqual([path, 204, methods]);
    }
    for (const [path, methods] of await documented([current])) {
      if (path.includes('authorize')) continue;
      const { status, headers } = await send('PROPFIND', path);
      expect([path, status, listed(headers.allow)]).toEqual([path, 405, methods]);
    }
  });
});

describe('header lines', () => {
  const ask = (lines: number, last: string, path = '/versions') => {
    const many = Array.from({ length: lines - 2 }, (_none, index) => `a${index}: b\r\n`).join('');
    return sendRaw(service.urls.sandbox, `GET ${path} HTTP/1.0\r\nhost: localhost\r\n${many}${last}\r\n\r\n`);
  };

  it('[outside2 20] are all read up to a thousand, and one more is 431 in the version that the last one names', async () => {
    const whole = await ask(1_000, `service-version: ${next}`);
    expect(whole).toMatch(/^HTTP\/1\.1 200 /);
    expect(whole).toContain(`service-version: ${next}`);
    for (const path of ['/versions', '/v1/organizations/', '/healthz']) {
      const refused = await ask(1_001, `service-version: ${next}`, path);
      expect(refused).toMatch(/^HTTP\/1\.1 431 /);
      expect(refused).toContain(`service-version: ${next}`);
      expect(refused).toContain('headers_too_large');
    }
    expect(await ask(1_200, 'service-version: 2026')).toMatch(/^HTTP\/1\.1 404 /);
  });
});

describe('/metrics', () => {
  it('[outside2 10] asked sixty times at once are rendered once, and each gets them', async () => {
    const one = 'GET /metrics HTTP/1.1\r\nhost: localhost\r\n';
    const before = renderings;
    const answers = await sendRaw(
      service.urls.sandbox,
      `${`${one}\r\n`.repeat(59)}${one}connection: close\r\n\r\n`,
    );
    expect(answers.match(/^HTTP\/1\.1 200 /gm)).toHaveLength(60);
    expect(answers.match(/^# HELP dateline_http_requests_total /gm)).toHaveLength(60);
    // Sixty requests may arrive in two reads.
    expect(renderings - before).toBeLessThan(4);
    expect((await send('GET', '/metrics')).status).toBe(200);
    expect(renderings - before).toBeGreaterThan(1);
  });
});

describe('bodies and answers that are compressed', () => {
  it('[outside2 24] a body with a Content-Encoding is 415, which says so; identity is none', async () => {
    const form = 'grant_type=client_credentials';
    const type = { 'content-type': 'application/x-www-form-urlencoded' };
    for (const [path, headers] of [
      ['/v1/oauth2/token', type],
      ['/orders', { 'content-type': 'application/json' }],
      ['/operator/clients', { 'content-type': 'application/json' }],
      ['/account/sign-in', type],
    ] as const) {
      const packed = { ...headers, 'content-encoding': 'gzip' };
      const answer = await send('POST', path, { headers: packed, body: gzipSync(form) });
      expect([path, answer.status]).toEqual([path, 415]);
      expect(answer.body.toString()).toContain('gzip');
    }
    const plain = { ...type, 'content-encoding': 'identity' };
    expect((await send('POST', '/v1/oauth2/token', { headers: plain, body: form })).status).toBe(401);
    expect((await send('GET', '/versions', { headers: { 'content-encoding': 'gzip' } })).status).toBe(200);
  });

  const unpack = { br: brotliDecompressSync, gzip: gunzipSync };

  it.each([
    [`/versions/${current}/openapi.json`, 'application/json'],
    [`/versions/${current}/release-notes`, 'text/markdown'],
    [`/versions/${current}/release-notes`, 'text/html'],
    [`/docs/${current}`, 'text/html'],
    ['/operator/openapi.json', 'application/json'],
    ['/operator/docs', 'text/html'],
  ])('[outside2 24] %s as %s is compressed as the caller prefers', async (path, accept) => {
    const plain = await send('GET', path, { headers: { accept } });
    expect([plain.status, plain.headers['content-encoding']]).toEqual([200, undefined]);
    expect(plain.headers.vary).toMatch(/^Service-Version,.*Accept-Encoding$/);
    for (const encoding of ['br', 'gzip'] as const) {
      const headers = { accept, 'accept-encoding': `${encoding}, identity;q=0.5` };
      const packed = await send('GET', path, { headers });
      expect(packed.headers['content-encoding']).toBe(encoding);
      expect(packed.headers.vary).toBe(plain.headers.vary);
      expect(packed.body.length).toBeLessThan(plain.body.length);
      expect(unpack[encoding](packed.body).equals(plain.body)).toBe(true);
      const { etag } = packed.headers;
      if (etag === undefined) continue;
      expect(etag).not.toBe(plain.headers.etag);
      const known = await send('GET', path, { headers: { ...headers, 'if-none-match': etag } });
      expect([known.status, known.body.length]).toEqual([304, 0]);
    }
  });

  it('[outside2 24] a page with a form’s token is never compressed', async () => {
    const headers = { accept: 'text/html', 'accept-encoding': 'br, gzip' };
    const page = await send('GET', '/account/sign-in', { headers });
    expect([page.status, page.headers['content-encoding']]).toEqual([200, undefined]);
    expect(page.body.toString()).toMatch(/<input type="hidden" name="\w+" value="[^"]{20,}/);
  });
});

describe('an address where nothing is', () => {
  it('[outside2 24] is a page for a person, and JSON for a program and in the API', async () => {
    const headers = { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' };
    const page = await send('GET', '/nowhere', { headers });
    expect([page.status, page.headers['content-type']]).toEqual([404, 'text/html; charset=utf-8']);
    expect([page.headers['service-version'], page.headers.vary]).toEqual([
      current,
      'Service-Version, Accept',
    ]);
    expect(page.headers['content-security-policy']).toContain("default-src 'none'");
    expect(page.body.toString()).toContain('<h1>Nothing here</h1>');
    for (const accept of ['*/*', 'application/json']) {
      const answer = await send('GET', '/nowhere', { headers: { accept } });
      expect([answer.status, answer.headers.vary]).toEqual([404, 'Service-Version, Accept']);
      expect(json(answer)).toMatchObject({ error: 'not_found' });
    }
    for (const path of ['/v1/nowhere', '/orders/a/b/c']) {
      const answer = await send('GET', path, { headers: { ...headers, 'service-version': next } });
      expect([path, answer.status, answer.headers.vary]).toEqual([path, 404, 'Service-Version']);
      expect(json(answer)).toMatchObject({ code: 'not_found' });
    }
  });
});
