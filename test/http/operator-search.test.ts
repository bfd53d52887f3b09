import { expect, it } from 'vitest';
import { newProduct } from '../support/contracts/products.ts';
import { onBothDatabases, onPostgresFirst } from '../support/database/databases.ts';
import { next } from '../support/service/build-versions.ts';
import { operatorCalls } from '../support/service/operator-calls.ts';
import { createCaller } from '../support/service/service-environment.ts';
import { useTestService } from '../support/service/test-service.ts';
import { callAs } from '../support/webhooks/deliveries.ts';
import { ENDPOINTS, newEndpoint } from '../support/webhooks/webhooks.ts';

interface Hit {
  kind: string;
  id: string;
  name: string | null;
  by: 'id' | 'words';
}

onBothDatabases('search', (engine) => {
  const service = useTestService(engine);
  const calls = () => operatorCalls(service);
  const search = async (text: string) => {
    const { status, body } = await calls().post('/operator/search', { text });
    expect([status, body.detail]).toEqual([200, undefined]);
    return body as { items: Hit[]; more: string[]; notice: string | null };
  };
  const found = async (text: string) => (await search(text)).items.map(({ kind, id }) => `${kind} ${id}`);

  it('[who broke] finds every kind of thing by its id, alone', async () => {
    const { organization, client, user, access, grant } = await createCaller(service);
    const ask = (path: string, sent: unknown) =>
      callAs(service, access.tokenValue, { method: 'POST', path, sent, version: next });
    const { body: endpoint } = await ask(ENDPOINTS, newEndpoint);
    await ask('/v1/products/', newProduct);
    const { get } = calls();
    const [event] = (await get(`/operator/webhooks/events?endpoint_id=${endpoint.id}`)).body.items;
    const [token] = (await get(`/operator/grants/${grant.id}/tokens`)).body.items;
    const [secret] = (await get(`/operator/clients/${client.id}`)).body.secrets;
    const key = (await calls().post('/operator/operator-keys', { name: 'of search' })).body;
    const things = {
      organization: organization.id,
      user: user.id,
      client: client.id,
      token: token.id,
      grant: grant.id,
      webhook_endpoint: endpoint.id,
      event: event.id,
      operator_key: key.id,
    };
    for (const [kind, id] of Object.entries(things)) {
      const { items, more, notice } = await search(`  ${id} `);
      expect(items).toEqual([{ kind, id, name: expect.any(String), detail: expect.any(String), by: 'id' }]);
      expect([more, notice]).toEqual([[], null]);
    }
    // The id of a secret is no secret; it leads to its client.
    expect(await found(secret.id)).toEqual([`client ${client.id}`]);
    expect(await search('cli_0000000000000000000000')).toEqual({ items: [], more: [], notice: null });
  });

  it('[who broke] finds a failed request by its X-Request-Id', async () => {
    const response = await service.call('sandbox', '/v1/products', {
      headers: { authorization: 'Bearer nonsense', 'x-request-id': 'order 4711/retry-2' },
    });
    await response.text();
    const requestId = response.headers.get('x-request-id') as string;
    expect(await found(requestId)).toEqual([`request ${requestId}`]);
    const [request] = (await calls().get(`/operator/failed-requests?request_id=${requestId}`)).body.items;
    expect(await found(request.id)).toEqual([`request ${requestId}`]);
    const unknown = 'req_0000000000000000000000';
    expect(await search(unknown)).toMatchObject({ items: [], notice: expect.stringMatching(/7 days/) });
  });

  it('[who broke] finds a redirect URI of any length that one may have', async () => {
    const uri = `https://shop.example/callback?state=${'x'.repeat(400)}`;
    const client = await calls().createClient({ name: 'Long', redirect_uris: [uri] });
    expect(await found(uri)).toEqual([`client ${client.id}`]);
    expect(await found(`${'word '.repeat(300)}`)).toEqual([]);
  });

  it('[who broke] finds names, e-mail addresses, URLs and redirect URIs by the beginnings of their words', async () => {
    const organization = (await calls().post('/operator/organizations', { name: 'Grünwald & Söhne GmbH' }))
      .body;
    const client = await calls().createClient({
      name: 'Warehouse-Sync (Grünwald)',
      redirect_uris: ['https://shop.gruenwald.example/callback?from=dateline'],
      scopes: ['products:read'],
    });
    const user = (
      await calls().post('/operator/users', {
        name: 'Maria Ölmüller',
        email: 'maria.o@gruenwald.example',
        password: 'correct horse battery',
      })
    ).body;
    const { access } = await createCaller(service);
    const { body: endpoint } = await callAs(service, access.tokenValue, {
      method: 'POST',
      path: ENDPOINTS,
      sent: { ...newEndpoint, url: 'https://hooks.gruenwald.example/dateline/orders-in' },
      version: next,
    });
    const hits = {
      organization: `organization ${organization.id}`,
      client: `client ${client.id}`,
      user: `user ${user.id}`,
      endpoint: `webhook_endpoint ${endpoint.id}`,
    };
    expect(await found('warehouse-s')).toEqual([hits.client]);
    expect(await found('SYNC')).toEqual([hits.client]);
    expect(await found('grünw')).toEqual([hits.client, hits.organization]);
    expect(await found('söhne gmbh')).toEqual([hits.organization]);
    expect(await found('maria.o@gruenwald.example')).toEqual([hits.user]);
    expect(await found('ölm')).toEqual([hits.user]);
    expect(await found('gruenwald')).toEqual([hits.user, hits.endpoint]);
    expect(await found('https://hooks.gruenwald.example/dateline/orders')).toEqual([hits.endpoint]);
    expect(await found('https://shop.gruenwald.example/callback?from=dateline')).toEqual([hits.client]);
    expect(await found('ünwald')).toEqual([]);
    await calls().ask('DELETE', `/operator/clients/${client.id}`);
    expect(await found('warehouse-s')).toEqual([]);
  });

  it('[who broke] shows at most five of a kind, those of just that name first, and says that there are more', async () => {
    for (const name of ['Teapots 1', 'Teapots 2', 'Teapots 3', 'Teapots 4', 'Teapots 5', 'Teapots'])
      await calls().post('/operator/organizations', { name });
    const { items, more } = await search('teapots');
    expect(items.map(({ name }) => name)).toEqual([
      'Teapots',
      'Teapots 1',
      'Teapots 2',
      'Teapots 3',
      'Teapots 4',
    ]);
    expect(more).toEqual(['organization']);
    expect((await search('teapots 3')).more).toEqual([]);
  });

  it('[who broke] finds a token that was pasted, and no other secret; none is in a log or the audit log', async () => {
    const { access, credentials } = await createCaller(service);
    const explained = (await calls().post('/operator/tokens/explain', { token: access.tokenValue })).body;
    for (const text of [access.tokenValue, `Bearer ${access.tokenValue}`])
      expect(await found(text)).toEqual([`token ${explained.token.id}`]);
    const { operator_key: key } = service.quickstart.sandbox;
    const secrets = [
      [credentials.client_secret, 'This is a client secret.'],
      [key, 'This is an operator key.'],
      [
        access.tokenValue.slice(0, -1),
        'This looks like an access token, and is none: a character may be missing.',
      ],
      [
        service.quickstart.production.operator_key,
        'This is an operator key of production; this is the sandbox.',
      ],
      ['whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw', 'This looks like a webhook secret.'],
    ] as const;
    for (const [text, notice] of secrets) {
      const answer = await search(text);
      expect(answer.items).toEqual([]);
      expect(answer.notice).toContain(notice);
      expect(answer.notice).toMatch(/report it/);
      expect(JSON.stringify(answer)).not.toContain(text);
    }
    const everything = [access.tokenValue, ...secrets.map(([text]) => text)];
    const { body: audit } = await calls().get('/operator/audit?limit=100');
    const written = service.logLines.join('\n') + JSON.stringify(audit);
    for (const text of everything) expect(written).not.toContain(text);
  });

  it('[who broke] refuses less than two letters, and takes any others', async () => {
    for (const text of ['', 'a', 'x'.repeat(2_001)])
      expect(await calls().post('/operator/search', { text })).toMatchObject({
        status: 422,
        body: { error: 'validation_failed', detail: expect.stringContaining('text') },
      });
    // No letter of a hexadecimal digit: people of other tests have e-mail addresses by chance.
    for (const text of [
      '  ',
      "''",
      '%_',
      "x':* | z",
      '\\\\',
      '&|!():*<->',
      '🙂🙂',
      'a b c d e f g h i j k l m',
    ])
      expect(await search(text)).toMatchObject({ items: [], more: [] });
  });
});

onPostgresFirst('search behind a proxy that passes on the X-Request-Id of callers', (engine) => {
  const service = useTestService(engine, { DATELINE_TRUSTED_PROXIES: '127.0.0.1' });
  const calls = () => operatorCalls(service);

  it('[who broke] finds one that a caller chose beside what has it as its name', async () => {
    const organization = (await calls().post('/operator/organizations', { name: 'Acme' })).body;
    const response = await service.call('sandbox', '/v1/products', {
      headers: { authorization: 'Bearer nonsense', 'x-request-id': 'Acme' },
    });
    expect([response.status, response.headers.get('x-request-id')]).toEqual([401, 'Acme']);
    await calls().get('/operator/failed-requests');
    const { body } = await calls().post('/operator/search', { text: 'Acme' });
    expect(body.items.map(({ kind, id, by }: Hit) => [kind, id, by])).toEqual([
      ['organization', organization.id, 'words'],
      ['request', 'Acme', 'words'],
    ]);
  });
});
