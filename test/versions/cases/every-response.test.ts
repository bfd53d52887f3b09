import { type ApiVersion, type Contract, compileApi } from '@dateline/versions';
import { Compile } from 'typebox/schema';
import { describe, expect, it } from 'vitest';
import { apiSource } from '../../../src/contracts/api.ts';
import { statement } from '../../../src/storage/statement.ts';
import { anyEngine } from '../../support/database/databases.ts';
import { sendRaw } from '../../support/http/raw-http.ts';
import { current, deprecated, maintained, next, removed } from '../../support/service/build-versions.ts';
import { startTestService, useTestService } from '../../support/service/test-service.ts';

const api = compileApi(apiSource());
const contractOf = (version: ApiVersion) => api.get(version)?.contract as Contract;

const product = { name: 'Support plan', billing: 'recurring', prices: [{ amount: 4900, currency: 'eur' }] };

describe('every response carries its version', () => {
  const service = useTestService(anyEngine);

  interface Sent {
    method?: string;
    version?: string;
    body?: string;
    contentType?: string;
    token?: string | null;
    headers?: Record<string, string>;
  }

  async function send(path: string, sent: Sent = {}): Promise<Response> {
    const token = sent.token === undefined ? service.quickstart.sandbox.access_token : sent.token;
    return service.call('sandbox', path, {
      method: sent.method ?? 'GET',
      headers: {
        ...(token === null ? {} : { authorization: `Bearer ${token}` }),
        ...(sent.version === undefined ? {} : { 'service-version': sent.version }),
        ...(sent.body === undefined ? {} : { 'content-type': sent.contentType ?? 'application/json' }),
        ...sent.headers,
      },
      ...(sent.body === undefined ? {} : { body: sent.body }),
    });
  }

  /** The version exactly once, and Vary with it exactly once. */
  function expectVersion(response: Response, version: string): void {
    expect(response.headers.get('service-version')).toBe(version);
    const vary = (response.headers.get('vary') ?? '').split(',').map((name) => name.trim().toLowerCase());
    expect(vary.filter((name) => name === 'service-version')).toHaveLength(1);
  }

  const answerOf = (status: string, version: string): RegExp =>
    new RegExp(`^HTTP/1\\.1 ${status} [^]*service-version: ${version}`);

  const raw = (bytes: string): Promise<string> => sendRaw(service.urls.sandbox, bytes);

  it('[versions 28] on HEAD as on GET, without a body, also on 404', async () => {
    for (const path of ['/v1/products/', '/v1/nowhere']) {
      const [get, head] = [
        await send(path, { version: next }),
        await send(path, { method: 'HEAD', version: next }),
      ];
      expectVersion(head, next);
      expect([head.status, await head.text()]).toEqual([get.status, '']);
      for (const name of ['content-type', 'content-length', 'vary', 'cache-control']) {
        expect(head.headers.get(name), name).toBe(get.headers.get(name));
      }
    }
  });

  it('[versions 29] on a CORS preflight, which allows the header and exposes the response headers', async () => {
    const response = await send('/v1/products/', {
      method: 'OPTIONS',
      token: null,
      version: deprecated,
      headers: { origin: 'https://app.example', 'access-control-request-method': 'POST' },
    });
    expect(response.status).toBe(204);
    expectVersion(response, deprecated);
    expect(response.headers.get('access-control-allow-headers')).toContain('Service-Version');
    for (const name of ['Service-Version', 'Deprecation', 'Sunset', 'Link']) {
      expect(response.headers.get('access-control-expose-headers')).toContain(name);
    }
    expect(response.headers.get('access-control-allow-origin')).toBe('*');
    expect(response.headers.get('access-control-allow-credentials')).toBeNull();
  });

  it('[versions 30] on OPTIONS without an origin', async () => {
    const response = await send('/v1/products/', { method: 'OPTIONS', token: null });
    expect(response.status).toBe(204);
    expectVersion(response, current);
  });

  it('[versions 31] on an unknown path, in the shape of the selected version, unlike a rejected version', async () => {
    for (const version of maintained) {
      const answer = await send('/v1/nowhere', { version });
      expect(answer.status).toBe(404);
      expectVersion(answer, version);
      const shape = contractOf(version).errorShape;
      expect(answer.headers.get('content-type')).toContain(shape.mediaType);
      expect(Compile(shape.schema).Errors(await answer.json())).toEqual([true, []]);
    }
    const rejected = await send('/v1/nowhere', { version: removed });
    expect(await rejected.json()).toMatchObject({ error: 'version_not_found', reason: 'removed' });
  });

  it('[versions 32] on a wrong method, with the methods of that version', async () => {
    for (const version of maintained) {
      const answer = await send('/v1/products/prd_x', { method: 'PUT', version });
      const promised = contractOf(version)
        .operations.filter(({ path }) => path === '/v1/products/{id}')
        .map(({ method }) => method);
      expect(answer.status).toBe(405);
      expect(answer.headers.get('allow')?.split(', ').sort()).toEqual(['HEAD', ...promised].sort());
      expectVersion(answer, version);
    }
  });

  it.each([
    ['[versions 33]', 'a body over the limit', { body: `"${'x'.repeat(300_000)}"` }, 413],
    ['[versions 34]', 'a wrong media type', { body: '<a/>', contentType: 'application/xml' }, 415],
    ['[versions 35]', 'malformed JSON', { body: '{"name":' }, 400],
    ['[versions 38]', 'a body that breaks a rule (422)', { body: '{}' }, 422],
  ])('%s on %s', async (_case, _what, sent, status) => {
    for (const version of maintained) {
      const response = await send('/v1/products/', { method: 'POST', version, ...sent });
      expect(response.status).toBe(status);
      expectVersion(response, version);
    }
  });

  it('[versions 36] and checks it before the token', async () => {
    const response = await send('/v1/products/', { token: null, version: removed });
    expect(response.status).toBe(404);
    expectVersion(response, current);
  });

  it('[versions 37] on 401, with a challenge', async () => {
    const response = await send('/v1/products/', { token: null, version: next });
    expect([response.status, response.headers.get('www-authenticate')]).toEqual([
      401,
      'Bearer realm="dateline"',
    ]);
    expectVersion(response, next);
  });

  it('[versions 38] on 409', async () => {
    const key = { token: service.quickstart.sandbox.operator_key, method: 'POST', version: deprecated };
    const body = JSON.stringify({
      email: service.quickstart.sandbox.user_email,
      name: 'x',
      password: 'x'.repeat(12),
    });
    const response = await send('/operator/users', { ...key, body });
    expect(response.status).toBe(409);
    expectVersion(response, deprecated);
  });

  it('[versions 42] on bad percent-encoding in the path', async () => {
    const answer = await raw(
      `GET /v1/products/%zz HTTP/1.1\r\nHost: localhost\r\nService-Version: ${next}\r\nConnection: close\r\n\r\n`,
    );
    expect(answer).toMatch(/^HTTP\/1\.1 400 /);
    expect(answer).toContain(`service-version: ${next}`);
  });

  it('[versions 43] on an over-long parameter', async () => {
    const response = await send(`/v1/products/${'x'.repeat(500)}`, { version: deprecated });
    expect(response.status).toBe(414);
    expectVersion(response, deprecated);
  });

  it('[versions 44] on bytes that are not HTTP', async () => {
    expect(await raw('NONSENSE\r\n\r\n')).toMatch(answerOf('400', current));
  });

  it('[versions 45] on an expectation that is not met, in the requested version', async () => {
    const answer = await raw(
      `GET /versions HTTP/1.1\r\nHost: localhost\r\nService-Version: ${next}\r\nExpect: foo\r\nConnection: close\r\n\r\n`,
    );
    expect(answer).toMatch(answerOf('417', next));
  });

  it('[versions 44] on an HTTP/1.1 request without a host, in the requested version', async () => {
    const answer = await raw(`GET /v1/products/ HTTP/1.1\r\nService-Version: ${next}\r\n\r\n`);
    expect(answer).toMatch(answerOf('400', next));
    expect(answer).toContain('needs a Host header');
    expect(await raw('GET /versions HTTP/1.0\r\n\r\n')).toMatch(answerOf('200', current));
  });

  it('[versions 45] and answers requests that the framework never sees in the shape of that version too', async () => {
    for (const version of maintained) {
      for (const path of ['/v1/products/', '/v1/oauth2/revoke']) {
        const answer = await raw(
          `GET ${path} HTTP/1.1\r\nHost: localhost\r\nService-Version: ${version}\r\nExpect: foo\r\nConnection: close\r\n\r\n`,
        );
        const { errorShape, operations } = contractOf(version);
        const shape = operations.find((operation) => operation.path === path)?.errorShape ?? errorShape;
        const [body = ''] = /\{.*\}/.exec(answer) ?? [];
        expect(answer).toContain(`content-type: ${shape.mediaType}`);
        expect(Compile(shape.schema).Errors(JSON.parse(body))).toEqual([true, []]);
      }
    }
  });

  it('and lets scripts of other origins read why their version is rejected', async () => {
    const response = await send('/v1/products/', {
      version: removed,
      headers: { origin: 'https://app.example' },
    });
    expect(response.status).toBe(404);
    expect(response.headers.get('access-control-allow-origin')).toBe('*');
    expect(response.headers.get('access-control-expose-headers')).toContain('Service-Version');
    const page = await send('/v1/oauth2/authorize', { version: removed });
    expect(page.headers.get('access-control-allow-origin')).toBeNull();
  });

  it('[versions 46] on the final answer after 100 Continue', async () => {
    const body = JSON.stringify(product);
    const answer = await raw(
      `POST /v1/products/ HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${service.quickstart.sandbox.access_token}\r\n` +
        `Content-Type: application/json\r\nContent-Length: ${body.length}\r\nExpect: 100-continue\r\nConnection: close\r\n\r\n${body}`,
    );
    expect(answer).toMatch(answerOf('100 Continue\r\n\r\nHTTP/1.1 201', current));
  });

  it('[versions 47] on 304', async () => {
    const first = await send(`/versions/${current}/openapi.json`);
    const again = await send(`/versions/${current}/openapi.json`, {
      headers: { 'if-none-match': first.headers.get('etag') ?? '' },
    });
    expect([again.status, await again.text()]).toEqual([304, '']);
    expectVersion(again, current);
  });

  it('[versions 48] once on redirects, streamed and compressed responses, never twice', async () => {
    const reference = await (await send(`/docs/${current}`)).text();
    const [script] = /\/assets\/\w+\/reference\.js/.exec(reference) ?? [];
    const asked: [string, string, RegExp][] = [
      ['/docs', 'identity', /^HTTP\/1\.1 302 [\s\S]*\r\nlocation: /],
      [`${script}`, 'identity', /^HTTP\/1\.1 200 (?!.*content-encoding)/s],
      [`${script}`, 'gzip', /^HTTP\/1\.1 200 [\s\S]*\r\ncontent-encoding: gzip/],
      [`${script}`, 'br', /^HTTP\/1\.1 200 [\s\S]*\r\ncontent-encoding: br/],
    ];
    for (const [path, encoding, looks] of asked) {
      const answer = await raw(
        `GET ${path} HTTP/1.1\r\nHost: localhost\r\nService-Version: ${deprecated}\r\nAccept-Encoding: ${encoding}\r\nConnection: close\r\n\r\n`,
      );
      const head = answer.slice(0, answer.indexOf('\r\n\r\n'));
      expect(head).toMatch(looks);
      const values = (name: string): string[] =>
        [...head.matchAll(new RegExp(`^${name}: (.*?)\r?$`, 'gim'))].map(([, value]) => value as string);
      expect(values('service-version')).toEqual([deprecated]);
      expect(values('vary')).toEqual([
        path === '/docs' ? 'Service-Version' : 'Service-Version, Accept-Encoding',
      ]);
      for (const name of ['deprecation', 'sunset', 'link']) expect(values(name)).toHaveLength(1);
    }
  });

  it('[versions 49] with Vary naming it exactly once, also when a browser asks', async () => {
    const headers = { origin: 'https://app.example', 'accept-encoding': 'gzip' };
    expectVersion(await send('/v1/products/', { headers }), current);
    expectVersion(await send('/versions', { headers }), current);
  });

  it('[versions 50] [outside 14] on probes and metrics, where a bad version is rejected as everywhere', async () => {
    for (const path of ['/healthz', '/readyz', '/metrics']) {
      const probed = await send(path, { token: null });
      expect([path, probed.status]).toEqual([path, 200]);
      expectVersion(probed, current);
      expectVersion(await send(path, { token: null, version: deprecated }), deprecated);
    }
    for (const path of [
      '/healthz',
      '/readyz',
      '/metrics',
      '/versions',
      `/versions/${current}/openapi.json`,
      `/versions/${current}/release-notes`,
    ]) {
      const response = await send(path, { version: 'nonsense' });
      expect(response.status).toBe(404);
      expectVersion(response, current);
    }
  });
});

describe('every response carries its version when something breaks', () => {
  it('[versions 39] on 500, without a stack', async () => {
    const service = await startTestService(anyEngine);
    await (await service.database('sandbox')).run(
      statement('break', 'alter table {schema}.products rename to broken'),
      [],
    );
    const response = await service.call('sandbox', '/v1/products/', {
      headers: {
        authorization: `Bearer ${service.quickstart.sandbox.access_token}`,
        'service-version': next,
      },
    });
    expect([response.status, response.headers.get('service-version')]).toEqual([500, next]);
    const text = await response.text();
    expect(text).toContain('"code":"internal_error"');
    expect(text).not.toMatch(/broken|relation|at \w+ \(/);
    expect(service.logLines.join('')).toContain('relation');
    await service.stop();
  });

  it('[versions 40] on 503 when a request takes too long', async () => {
    const service = await startTestService('PostgreSQL', { DATELINE_REQUEST_SECONDS: '1' });
    const headers = {
      authorization: `Bearer ${service.quickstart.sandbox.access_token}`,
      'content-type': 'application/json',
      'service-version': next,
    };
    const created = await service.call('sandbox', '/v1/products/', {
      method: 'POST',
      headers,
      body: JSON.stringify(product),
    });
    const { id } = (await created.json()) as { id: string };
    const database = await service.database('sandbox');
    const lock = statement('lock_product', 'select 1 from {schema}.products where id = $1 for update');
    await database.transaction(async (session) => {
      await session.run(lock, [id]);
      const body = JSON.stringify({ name: 'Waits for the lock' });
      const response = await service.call('sandbox', `/v1/products/${id}`, {
        method: 'PATCH',
        headers,
        body,
      });
      expect([
        response.status,
        response.headers.get('service-version'),
        response.headers.get('retry-after'),
      ]).toEqual([503, next, '1']);
      expect(await response.json()).toMatchObject({ code: 'timeout' });
    });
    await service.stop();
  });
});
