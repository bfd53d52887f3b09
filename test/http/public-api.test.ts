import { releaseInstant } from '@dateline/versions';
import { describe, expect, it } from 'vitest';
import { createOrganization } from '../../src/identity/organizations.ts';
import { anyEngine, onPostgresFirst } from '../support/database/databases.ts';
import { sendRaw } from '../support/http/raw-http.ts';
import { createGrantedUser } from '../support/oauth/oauth-fixtures.ts';
import { current, deprecated, maintained, next, removed } from '../support/service/build-versions.ts';
import { environmentOn } from '../support/service/environment-on.ts';
import { startTestService, type TestService, useTestService } from '../support/service/test-service.ts';

// Bodies are tested in Next, whose contract is written by hand.
const bearer = (token: string) => ({
  headers: { authorization: `Bearer ${token}`, 'service-version': next },
});

async function environmentOf(service: TestService, name: 'production' | 'sandbox') {
  const database = await service.database(name);
  return environmentOn({
    name,
    issuer: service.urls[name],
    database,
    clock: service.clock,
  });
}

onPostgresFirst('GET /v1/organizations/', (engine) => {
  const service = useTestService(engine);
  const list = (token: string, path = '/v1/organizations/') => service.call('sandbox', path, bearer(token));

  it('lists the token’s organizations and no others', async () => {
    await createOrganization(await environmentOf(service, 'sandbox'), { name: 'Not mine' });
    const response = await list(service.quickstart.sandbox.access_token);
    expect(response.status).toBe(200);
    expect(await response.json()).toEqual({
      items: [
        {
          id: service.quickstart.sandbox.organization_id,
          name: 'Demo organization',
          created_at: service.clock.now().toISOString(),
        },
      ],
      pagination: { next_cursor: null },
    });
  });

  it('answers the same without the trailing slash', async () => {
    expect((await list(service.quickstart.sandbox.access_token, '/v1/organizations')).status).toBe(200);
  });

  it('needs a token: 401 with a challenge that names no error when none was sent (RFC 6750 §3)', async () => {
    const response = await service.call('sandbox', '/v1/organizations/', {
      headers: { 'service-version': next },
    });
    expect([response.status, response.headers.get('www-authenticate')]).toEqual([
      401,
      'Bearer realm="dateline"',
    ]);
    expect(await response.json()).toMatchObject({
      code: 'unauthorized',
      detail: 'A valid bearer token is needed.',
    });
  });

  it('rejects anything but an active access token', async () => {
    const { access_token, refresh_token, client_secret } = service.quickstart.sandbox;
    for (const value of [
      'nonsense',
      refresh_token,
      client_secret,
      `${access_token}x`,
      access_token.replace('dl_test_', 'dl_'),
    ]) {
      const response = await list(value);
      expect([response.status, response.headers.get('www-authenticate')]).toEqual([
        401,
        'Bearer realm="dateline", error="invalid_token"',
      ]);
    }
  });

  it('rejects a token of the other environment', async () => {
    const { access } = await createGrantedUser(await environmentOf(service, 'production'));
    expect((await service.call('production', '/v1/organizations/', bearer(access.tokenValue))).status).toBe(
      200,
    );
    expect((await service.call('sandbox', '/v1/organizations/', bearer(access.tokenValue))).status).toBe(401);
    const demo = service.quickstart.sandbox.access_token;
    expect((await service.call('production', '/v1/organizations/', bearer(demo))).status).toBe(401);
  });

  it('needs the scope organizations:read', async () => {
    const { access } = await createGrantedUser(await environmentOf(service, 'sandbox'), {
      scopes: ['products:read'],
    });
    const response = await list(access.tokenValue);
    expect([response.status, response.headers.get('www-authenticate')]).toEqual([
      403,
      'Bearer realm="dateline", error="insufficient_scope", scope="organizations:read"',
    ]);
  });
});

onPostgresFirst('every answer', (engine) => {
  const service = useTestService(engine);

  it('names the version that processed it', async () => {
    const answer = await service.call('sandbox', '/versions');
    expect([answer.headers.get('service-version'), answer.headers.get('vary')]).toEqual([
      current,
      'Service-Version, Accept',
    ]);
    const pinned = await service.call('sandbox', '/v1/nowhere', {
      headers: { 'service-version': next },
    });
    expect([pinned.status, pinned.headers.get('service-version')]).toEqual([404, next]);
  });

  it('is a 404 with its own code for a version that is not served, before authentication', async () => {
    const response = await service.call('sandbox', '/v1/organizations/', {
      headers: { 'service-version': removed },
    });
    expect([response.status, response.headers.get('service-version')]).toEqual([404, current]);
    expect(await response.json()).toEqual({
      error: 'version_not_found',
      detail: 'This API version was removed. Move to a supported one.',
      reason: 'removed',
      supported: maintained,
      current,
      removed_at: releaseInstant(current).toISOString(),
    });
  });

  it.each([
    ['an unknown path', 'GET', '/nowhere', 404, 'not_found'],
    ['bad percent-encoding', 'GET', '/%zz', 400, 'invalid_request'],
    ['an over-long parameter', 'POST', `/operator/users/${'x'.repeat(201)}/block`, 414, 'uri_too_long'],
  ])('has our error shape for %s', async (_what, method, path, status, code) => {
    const answer = await sendRaw(
      service.urls.sandbox,
      `${method} ${path} HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${service.quickstart.sandbox.operator_key}\r\nConnection: close\r\n\r\n`,
    );
    expect(answer).toMatch(new RegExp(`^HTTP/1\\.1 ${status} `));
    expect(answer).toContain(`"error":"${code}"`);
    expect(answer).toContain(`service-version: ${current}`);
  });

  it('is 405 with Allow for a wrong method', async () => {
    const response = await service.call('sandbox', '/v1/organizations/', { method: 'DELETE' });
    expect([response.status, response.headers.get('allow')]).toEqual([405, 'GET, HEAD']);
  });

  it('has the headers of GET and no body for HEAD', async () => {
    const response = await service.call('sandbox', '/versions', { method: 'HEAD' });
    expect([response.status, await response.text()]).toEqual([200, '']);
    expect(response.headers.get('content-type')).toContain('application/json');
  });
});

onPostgresFirst('when the database is gone', (engine) => {
  it('answers 503 with Retry-After, not 401 and not 500, in OAuth’s words where OAuth is spoken', async () => {
    const service = await startTestService(engine);
    await (await service.database('sandbox')).close();
    const { access_token } = service.quickstart.sandbox;
    const response = await service.call('sandbox', '/v1/organizations/', bearer(access_token));
    expect([response.status, response.headers.get('retry-after')]).toEqual([503, '1']);
    expect(await response.json()).toMatchObject({ code: 'storage_unavailable' });
    const { client_id, client_secret } = service.quickstart.sandbox;
    const inOAuth = await service.call('sandbox', '/v1/oauth2/introspect', {
      method: 'POST',
      body: new URLSearchParams({ client_id, client_secret, token: access_token }),
    });
    expect([inOAuth.status, await inOAuth.json()]).toMatchObject([503, { error: 'temporarily_unavailable' }]);
    const operator = await service.operate('sandbox', '/operator/users');
    expect(operator.status).toBe(503);
    const production = await service.operate('production', '/operator/users');
    expect(production.status).toBe(200);
    const metrics = await (await service.call('production', '/metrics')).text();
    expect(metrics).toMatch(/^dateline_database_up\{[^}]*\} 1$/m);
    await service.stop().catch(() => {});
  });
});

describe('logs and metrics', () => {
  const service = useTestService(anyEngine);

  it('contain no secret, whatever was sent and in whichever part of the request', async () => {
    const { access_token, operator_key, client_secret, user_password } = service.quickstart.sandbox;
    const secrets = [access_token, operator_key, client_secret, user_password, 'correct horse battery'];
    const answers = [
      await service.call('sandbox', `/v1/organizations/?access_token=${access_token}`, bearer(access_token)),
      await service.call('sandbox', `/v1/${access_token}`),
      await service.call('sandbox', `/operator/users/${access_token.repeat(9)}/block`, { method: 'POST' }),
      await service.call('sandbox', `/operator/users/${operator_key}/block`, {
        method: 'POST',
        ...bearer(operator_key),
      }),
      await service.operate('sandbox', '/operator/users', {
        method: 'POST',
        body: { email: 'log@example.com', name: 'x', password: 'correct horse battery' },
      }),
      await service.operate('sandbox', '/operator/users', {
        method: 'POST',
        body: { password: client_secret },
      }),
      await service.call('sandbox', '/operator/users', {
        method: 'POST',
        headers: { authorization: `Bearer ${operator_key}`, 'content-type': 'application/json' },
        body: `{"password":"${user_password}`,
      }),
    ];
    expect(answers.map(({ status }) => status)).toEqual([422, 404, 414, 404, 201, 422, 400]);
    await sendRaw(
      service.urls.sandbox,
      `GET /v1/%ZZ?token=${access_token} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n`,
    );
    const metrics = await (await service.call('sandbox', '/metrics')).text();
    expect(service.logLines.length).toBeGreaterThan(5);
    for (const secret of secrets) {
      expect(service.logLines.join('')).not.toContain(secret);
      expect(metrics).not.toContain(secret);
    }
  });

  it('are structured: one JSON line per request with route, version, status and duration', async () => {
    const before = service.logLines.length;
    await service.call('sandbox', '/versions', { headers: { 'service-version': deprecated } });
    await expect.poll(() => service.logLines.length).toBe(before + 1);
    expect(JSON.parse(service.logLines.at(-1) ?? '')).toEqual({
      level: 'info',
      time: expect.stringMatching(/^\d{4}-\d\d-\d\dT/),
      pid: process.pid,
      environment: 'sandbox',
      request_id: expect.stringMatching(/^req_/),
      method: 'GET',
      route: '/versions',
      version: deprecated,
      status: 200,
      duration_ms: expect.any(Number),
      msg: 'request',
    });
  });

  it('[outside 24] name the client of a request, and the code of its error', async () => {
    const { access_token, client_id } = service.quickstart.sandbox;
    const logged = async (path: string, init?: RequestInit): Promise<unknown> => {
      const id = (await service.call('sandbox', path, init)).headers.get('x-request-id') ?? '';
      await expect.poll(() => service.logLines.some((line) => line.includes(id))).toBe(true);
      return JSON.parse(service.logLines.find((line) => line.includes(id)) ?? '');
    };
    expect(await logged('/v1/organizations/', bearer(access_token))).toMatchObject({ client_id });
    expect(await logged('/v1/organizations/')).toMatchObject({ status: 401, error: 'unauthorized' });
    const missing = await logged('/v1/products/prd_nothing', bearer(access_token));
    expect(missing).toMatchObject({ client_id, status: 404, error: 'not_found' });
    const bad = { headers: { 'service-version': 'bad' } };
    expect(await logged('/versions', bad)).toMatchObject({ status: 404, error: 'version_not_found' });
    const fine = await logged('/versions');
    expect(fine).not.toHaveProperty('error');
    expect(fine).not.toHaveProperty('client_id');
  });

  it('count requests by route, version and status, and measure batches, pool and event loop', async () => {
    await service.call('sandbox', '/v1/organizations/', bearer(service.quickstart.sandbox.access_token));
    expect((await service.call('sandbox', '/v1/not-a-route-of-ours')).status).toBe(404);
    const response = await service.call('sandbox', '/metrics');
    expect(response.headers.get('content-type')).toContain('text/plain');
    const text = await response.text();
    expect(text).toContain(
      `dateline_http_requests_total{method="GET",route="/v1/organizations/",version="${next}",status="200",environment="sandbox"} `,
    );
    expect(text).toMatch(
      /dateline_http_request_duration_seconds_bucket\{le="0.005",.*route="\/v1\/organizations\/"/,
    );
    expect(text).toMatch(/dateline_batch_size_count\{.*batch="verify_token".*\} \d/);
    expect(text).toMatch(/dateline_database_pool_connections\{state="idle",environment="sandbox"\} \d/);
    expect(text).toContain('nodejs_eventloop_lag_seconds');
    expect(text).toContain('route="unmatched"');
    expect(text).not.toContain('not-a-route-of-ours');
  });
});
