import { expect, it } from 'vitest';
import { statement } from '../../src/storage/statement.ts';
import { onPostgresFirst } from '../support/database/databases.ts';
import { sendRaw } from '../support/http/raw-http.ts';
import { answered } from '../support/run/answered.ts';
import { current, removed } from '../support/service/build-versions.ts';
import { startTestService, type TestService } from '../support/service/test-service.ts';
import { type Body, callAs, useDeliveries } from '../support/webhooks/deliveries.ts';
import { startReceiver } from '../support/webhooks/receivers.ts';

const REGISTER = '/v1/oauth2/register';
const metadata = {
  client_name: 'Stranger',
  grant_types: ['client_credentials'],
  token_endpoint_auth_method: 'client_secret_post',
  scope: 'products:read webhooks:read webhooks:write',
};

async function register(service: TestService, headers: Record<string, string> = {}, path = REGISTER) {
  const response = await service.call('sandbox', path, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify(metadata),
  });
  const { status, headers: got } = response;
  return answered({ status, headers: got, body: (await response.json()) as Body }, response.url);
}

/** The token of a client that has just registered itself. */
async function strangersToken(service: TestService): Promise<string> {
  const { client_id, client_secret } = (await register(service)).body;
  const form = { grant_type: 'client_credentials', client_id, client_secret };
  const response = await service.call('sandbox', '/v1/oauth2/token', {
    method: 'POST',
    body: new URLSearchParams(form),
  });
  return ((await response.json()) as Body).access_token;
}

const newEndpoint = (url: string) => ({ url, events: ['product.created'] });

onPostgresFirst('a sandbox that may send to its own machine', (engine) => {
  const { service, call } = useDeliveries(engine);

  const get = (host: string, headers = '', environment: 'sandbox' | 'production' = 'sandbox') =>
    sendRaw(
      service.urls[environment],
      `GET /versions HTTP/1.1\r\nHost: ${host}\r\n${headers}Connection: close\r\n\r\n`,
    );

  it('[outside 3] answers 421 to a Host that is not of this machine, once the version is chosen', async () => {
    for (const host of [
      'rebound.example:4001',
      '192.168.1.7',
      '10.0.0.1:4001',
      'localhost.evil.example',
      'x y',
    ])
      expect(await get(host), host).toMatch(
        new RegExp(`^HTTP/1\\.1 421 [^]*service-version: ${current}[^]*"error":"misdirected_request"`),
      );
    for (const host of ['localhost', '127.0.0.1:4001', '[::1]:4001', '127.8.8.8', 'app.localhost:80'])
      expect(await get(host), host).toMatch(/^HTTP\/1\.1 200 /);
    expect(await get('rebound.example', `Service-Version: ${removed}\r\n`)).toMatch(/^HTTP\/1\.1 404 /);
    expect(await get('rebound.example', '', 'production')).toMatch(/^HTTP\/1\.1 200 /);
  });

  it('[outside 3] takes the Host of a target in absolute form for what it is', async () => {
    const answer = await sendRaw(
      service.urls.sandbox,
      'GET http://rebound.example/versions HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n',
    );
    expect(answer).toMatch(/^HTTP\/1\.1 421 /);
  });

  it.each(['https://evil.example', 'null', 'http://192.168.1.7'])(
    '[outside 3] lets no page of %s register a client, or read what registration answers',
    async (origin) => {
      for (const path of [REGISTER, '/v1/oauth2/%72egister', `${REGISTER}/`, `${REGISTER}/cli_x`]) {
        const refused = await register(service, { origin }, path);
        expect([path, refused.status]).toEqual([path, 403]);
        expect(refused.headers.get('access-control-allow-origin')).toBeNull();
        const preflight = await service.call('sandbox', path, {
          method: 'OPTIONS',
          headers: { origin, 'access-control-request-method': 'POST' },
        });
        expect([path, preflight.status]).toEqual([path, 403]);
        expect(preflight.headers.get('access-control-allow-origin')).toBeNull();
      }
      const elsewhere = await service.call('sandbox', '/v1/products/', { headers: { origin } });
      expect(elsewhere.headers.get('access-control-allow-origin')).toBe('*');
    },
  );

  it('[outside 3] lets programs of this machine register, without CORS', async () => {
    for (const headers of [{}, { origin: 'http://localhost:3000' }] as Record<string, string>[]) {
      const registered = await register(service, headers);
      expect(registered.status).toBe(201);
      expect(registered.headers.get('access-control-allow-origin')).toBeNull();
    }
  });

  it('[outside 3] sends to it for organizations of the operator only: not for those that registered themselves', async () => {
    const receiver = await startReceiver();
    const url = `http://127.0.0.1:${receiver.port}/hook`;
    const token = await strangersToken(service);
    const ask = (method: string, path: string, sent: unknown) =>
      callAs(service, token, { method, path, sent, version: undefined });
    const refused = await ask('POST', '/v1/webhooks/endpoints', newEndpoint(url));
    expect([refused.status, refused.body.detail]).toEqual([422, 'url must be https.']);
    const made = await ask('POST', '/v1/webhooks/endpoints', newEndpoint('https://hooks.example.com/'));
    const { id } = made.body;
    expect((await ask('PATCH', `/v1/webhooks/endpoints/${id}`, { url })).status).toBe(422);
    expect((await call('POST', '/v1/webhooks/endpoints', newEndpoint(url))).status).toBe(201);

    // One that was made before this rule is not sent to either.
    const database = await service.database('sandbox');
    await database.run(statement('point', 'update {schema}.webhook_endpoints set url = $1 where id = $2'), [
      url,
      id,
    ]);
    const sent = await ask('POST', `/v1/webhooks/endpoints/${id}/test`, { type: 'product.created' });
    expect(sent.status).toBe(202);
    const deliveries = async () =>
      (await ask('GET', `/v1/webhooks/deliveries?event_id=${sent.body.id}`, undefined)).body.items;
    await expect
      .poll(async () => (await deliveries())[0]?.error, { timeout: 10_000 })
      .toBe('address_not_allowed');
    expect(receiver.connections).toBe(0);
  });

  it('[outside 3] marks organizations of registrations, and not those of the operator', async () => {
    const database = await service.database('sandbox');
    const rows = await database.run<{ name: string; self_registered: boolean }>(
      statement('marks', 'select distinct name, self_registered from {schema}.organizations order by name'),
      [],
    );
    expect(rows).toEqual([
      { name: 'Demo organization', self_registered: false },
      { name: 'Stranger', self_registered: true },
    ]);
  });
});

onPostgresFirst('a sandbox behind a proxy that its settings do not name', (engine) => {
  it.each([
    'X-Forwarded-For: 203.0.113.9',
    'Forwarded: for=203.0.113.9',
    'X-Forwarded-Host: sandbox.example',
  ])('[outside 3] sends no webhook to its own machine once a request says %s', async (header) => {
    const service = await startTestService(engine);
    const create = () =>
      callAs(service, service.quickstart.sandbox.access_token, {
        method: 'POST',
        path: '/v1/webhooks/endpoints',
        sent: newEndpoint('http://127.0.0.1:9/'),
        version: undefined,
      });
    expect((await create()).status).toBe(201);
    await sendRaw(
      service.urls.sandbox,
      `GET /versions HTTP/1.1\r\nHost: localhost\r\n${header}\r\nConnection: close\r\n\r\n`,
    );
    expect((await create()).status).toBe(422);
    expect(service.logLines.filter((line) => line.includes('through a proxy'))).toHaveLength(1);
    await service.stop();
  });
});
