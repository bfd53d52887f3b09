import { expect, it } from 'vitest';
import { newProduct } from '../support/contracts/products.ts';
import { onPostgresFirst } from '../support/database/databases.ts';
import { answered } from '../support/run/answered.ts';
import { current, maintained, next, versionsBefore } from '../support/service/build-versions.ts';
import { ENDPOINTS, useWebhooks } from '../support/webhooks/webhooks.ts';

/** They take unknown query parameters, bad cursors and no HTTP Basic. */
const LENIENT = versionsBefore('2027-01');

onPostgresFirst('answers', (engine) => {
  const { service, ask, endpoint } = useWebhooks(engine);

  interface Sent {
    method?: string;
    headers?: Record<string, string>;
    isOpen?: true;
    body?: string | Uint8Array<ArrayBuffer>;
  }

  async function send(
    version: string,
    path: string,
    { method = 'POST', headers = {}, isOpen, body }: Sent = {},
  ) {
    const response = await service.call('sandbox', path, {
      method,
      headers: {
        ...(isOpen ? {} : { authorization: `Bearer ${service.quickstart.sandbox.access_token}` }),
        'service-version': version,
        ...headers,
      },
      ...(body === undefined ? {} : { body }),
    });
    const text = await response.text();
    // biome-ignore lint/suspicious/noExplicitAny: answers are read here as any client would.
    const read: any = text === '' ? null : JSON.parse(text);
    return answered({ status: response.status, headers: response.headers, body: read }, response.url);
  }

  const json = { 'content-type': 'application/json' };
  const form = { 'content-type': 'application/x-www-form-urlencoded' };

  it.each(maintained)(
    '[outside 23] take an empty body that is called JSON where none is needed, in %s',
    async (version) => {
      const { id } = await endpoint();
      const test = await ask(version, 'POST', `${ENDPOINTS}/${id}/test`, { type: 'product.created' });
      const again = await send(version, `/v1/webhooks/events/${test.body.id}/redeliver`, { headers: json });
      expect(again.status).toBe(202);
      expect((await send(version, `${ENDPOINTS}/${id}/rotate-secret`, { headers: json })).status).toBe(200);
      const deleted = await send(version, `${ENDPOINTS}/${id}`, { method: 'DELETE', headers: json });
      expect(deleted.status).toBe(204);
      const needed = await send(version, ENDPOINTS, { headers: json });
      expect([needed.status, needed.body.detail]).toEqual([400, 'The body is empty; JSON is expected.']);
    },
  );

  it('[outside 23] take an empty body that is called JSON in the operator API too', async () => {
    const made = await service.operate('sandbox', '/operator/users', {
      method: 'POST',
      body: { email: 'empty@example.com', name: 'Empty', password: 'x'.repeat(12) },
    });
    const { id } = (await made.json()) as { id: string };
    const key = { authorization: `Bearer ${service.quickstart.sandbox.operator_key}`, ...json };
    expect((await send(current, `/operator/users/${id}/block`, { headers: key })).status).toBe(200);
    expect((await send(current, '/operator/users', { headers: key })).status).toBe(400);
  });

  it.each(maintained)('[outside 23] refuse null where an object is asked for, in %s', async (version) => {
    const { id } = await endpoint();
    const sent = { headers: json, body: 'null' };
    const rotated = await send(version, `${ENDPOINTS}/${id}/rotate-secret`, sent);
    expect([rotated.status, rotated.body.secret]).toEqual([422, undefined]);
    expect((await send(version, '/v1/products/', sent)).status).toBe(422);
  });

  it.each(maintained)(
    '[outside 23] name the type that is taken to a form that is called JSON, in %s',
    async (version) => {
      const body = 'grant_type=client_credentials';
      for (const path of ['token', 'revoke', 'introspect']) {
        const { status, body: said } = await send(version, `/v1/oauth2/${path}`, { headers: json, body });
        expect([path, status, said.error_description]).toEqual([
          path,
          415,
          'The body must be application/x-www-form-urlencoded.',
        ]);
      }
      const plain = await send(version, '/v1/oauth2/token', {
        headers: { 'content-type': 'text/plain' },
        body,
      });
      expect([plain.status, plain.body.error_description]).toEqual([
        415,
        'The body must be application/x-www-form-urlencoded.',
      ]);
      const wrong = await send(version, ENDPOINTS, { headers: form, body: 'url=%' });
      expect([wrong.status, wrong.body.detail]).toEqual([415, 'The body must be application/json.']);
    },
  );

  it.each(maintained)('[outside 23] say that client_id is missing, in %s', async (version) => {
    const sent = { headers: form, isOpen: true, body: 'grant_type=client_credentials&token=x' } as const;
    for (const path of ['token', 'revoke', 'introspect']) {
      const { status, body } = await send(version, `/v1/oauth2/${path}`, sent);
      expect([path, status, body.error]).toEqual([path, 401, 'invalid_client']);
      expect(body.error_description).toMatch(/^client_id .*missing/);
    }
    const { client_id } = service.quickstart.sandbox;
    const half = await send(version, '/v1/oauth2/revoke', {
      ...sent,
      body: `token=x&client_id=${client_id}`,
    });
    // Since 2027-01 a client may have no secret; whether this one has is not told.
    expect(half.body.error_description).toBe(
      LENIENT.includes(version)
        ? 'client_secret is missing from the body.'
        : 'The client is unknown, or its secret is not the right one.',
    );
  });

  it.each(LENIENT)(
    '[outside 23] say what to send instead of HTTP Basic at revoke and introspect, in %s',
    async (version) => {
      const { client_id, client_secret } = service.quickstart.sandbox;
      const basic = Buffer.from(`${client_id}:${client_secret}`).toString('base64');
      for (const path of ['revoke', 'introspect']) {
        const { status, body } = await send(version, `/v1/oauth2/${path}`, {
          headers: { ...form, authorization: `Basic ${basic}` },
          body: 'token=x',
        });
        expect([path, status, body]).toEqual([
          path,
          401,
          {
            error: 'invalid_client',
            error_description:
              'Send client_id and client_secret in the body: the Authorization header is not accepted here.',
          },
        ]);
      }
    },
  );

  it.each(maintained)('[outside 23] name the values of an enum, in %s', async (version) => {
    const refused = await ask(version, 'POST', ENDPOINTS, {
      url: 'http://localhost:9/',
      events: ['*'],
      format: 'xml',
    });
    expect([refused.status, refused.body.detail]).toEqual([
      422,
      'format must be one of raw, slack, discord.',
    ]);
    const filtered = await ask(version, 'GET', '/v1/webhooks/events?state=failed');
    expect(filtered.body.detail).toBe('state must be one of pending, delivered, exhausted, held, cancelled.');
  });

  it('[outside 23] refuse unknown query parameters since 2027-01, and name those there are', async () => {
    const paged = await ask(next, 'GET', '/v1/products/?page=2');
    expect([paged.status, paged.body.detail]).toEqual([
      422,
      'page is not a parameter of this request; it takes organization_id, limit, cursor.',
    ]);
    const { id } = await endpoint();
    const read = await ask(next, 'GET', `${ENDPOINTS}/${id}?verbose=1`);
    expect([read.status, read.body.detail]).toEqual([
      400,
      'verbose is not a parameter of this request; it takes none.',
    ]);
    const secret = await ask(next, 'GET', '/v1/products/?dl_at_SECRET=1');
    expect(JSON.stringify(secret.body)).not.toContain('SECRET');
    for (const version of LENIENT) {
      expect((await ask(version, 'GET', '/v1/products/?page=1&colour=red')).status).toBe(200);
      expect((await ask(version, 'GET', `${ENDPOINTS}/${id}?verbose=1`)).status).toBe(200);
    }
    expect((await ask(next, 'GET', '/v1/oauth2/grants?ui_locales=de')).status).not.toBe(422);
  });

  it.each([
    '/v1/products/',
    '/v1/organizations/',
    ENDPOINTS,
    '/v1/webhooks/events',
    '/v1/webhooks/deliveries',
    '/v1/webhooks/event-kinds',
  ])('[outside 23] refuse a bad cursor at %s since 2027-01', async (path) => {
    const bad = await ask(next, 'GET', `${path}?cursor=2`);
    expect([bad.status, bad.body.detail]).toEqual([
      422,
      'cursor must be the next_cursor of an earlier answer.',
    ]);
    expect((await ask(next, 'GET', `${path}?cursor=`)).status).toBe(200);
    for (const version of LENIENT) expect((await ask(version, 'GET', `${path}?cursor=2`)).status).toBe(200);
  });

  it('[outside 23] go on by the cursors that they give, in every list', async () => {
    for (const name of ['One', 'Two']) await ask(next, 'POST', '/v1/products/', { ...newProduct, name });
    const { id } = await endpoint();
    await endpoint();
    for (const type of ['product.created', 'product.updated'])
      await ask(next, 'POST', `${ENDPOINTS}/${id}/test`, { type });
    for (const path of ['/v1/products/', ENDPOINTS, '/v1/webhooks/events', '/v1/webhooks/event-kinds']) {
      const { next_cursor } = (await ask(next, 'GET', `${path}?limit=1`)).body.pagination;
      expect([path, typeof next_cursor]).toEqual([path, 'string']);
      const second = await ask(next, 'GET', `${path}?limit=1&cursor=${next_cursor}`);
      expect([path, second.status, second.body.items.length]).toEqual([path, 200, 1]);
    }
  });

  it.each(maintained)('[outside 23] refuse JSON that is not UTF-8, in %s', async (version) => {
    const body = new Uint8Array([...Buffer.from('{"name":"'), 0xff, ...Buffer.from('"}')]);
    const refused = await send(version, '/v1/products/', { headers: json, body });
    expect([refused.status, refused.body.detail]).toEqual([400, 'The body is not UTF-8.']);
  });

  it('[outside 23] to OPTIONS list what the path has', async () => {
    const options = async (path: string, headers: Record<string, string> = {}, version: string = next) => {
      const { status, headers: got } = await send(version, path, { method: 'OPTIONS', headers });
      return [status, got.get('allow'), got.get('access-control-allow-methods')];
    };
    expect(await options('/v1/products/')).toEqual([204, 'GET, HEAD, POST, OPTIONS', 'GET, HEAD, POST']);
    expect(await options('/v1/products/prd_1')).toEqual([
      204,
      'GET, HEAD, PATCH, DELETE, OPTIONS',
      'GET, HEAD, PATCH, DELETE',
    ]);
    for (const version of versionsBefore('2027-01')) {
      const without = [204, 'GET, HEAD, PATCH, OPTIONS', 'GET, HEAD, PATCH'];
      expect(await options('/v1/products/prd_1', {}, version)).toEqual(without);
    }
    expect(await options('/versions')).toEqual([204, 'GET, HEAD, OPTIONS', 'GET, HEAD']);
    expect(await options('/healthz')).toEqual([204, 'GET, HEAD, OPTIONS', null]);
    expect((await options('/v1/nowhere'))[0]).toBe(404);
    const preflight = { origin: 'https://app.example', 'access-control-request-method': 'POST' };
    expect((await options('/v1/nowhere', preflight))[0]).toBe(204);
  });

  it.each(['/healthz', '/readyz'])('[outside 23] are 405 to POST %s', async (path) => {
    const { status, headers, body } = await send(current, path, { headers: json, body: '{}' });
    expect([status, headers.get('allow'), body.error]).toEqual([405, 'GET, HEAD', 'method_not_allowed']);
    expect((await send(current, path, { method: 'GET' })).status).toBe(200);
  });
});
