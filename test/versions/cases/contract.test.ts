import { expect, it } from 'vitest';
import { loadConfig } from '../../../src/config/load-config.ts';
import { apiSource } from '../../../src/contracts/api.ts';
import { createEnvironment } from '../../../src/environments/environment.ts';
import type { ApiVersion } from '../../../src/versions/api-version.ts';
import { compileApi } from '../../../src/versions/compile-api.ts';
import { onBothDatabases } from '../../support/databases.ts';
import { createGrantedUser } from '../../support/oauth-fixtures.ts';
import { useTestService } from '../../support/test-service.ts';

const [DEPRECATED, CURRENT, NEXT] = ['2026-07', '2026-10', '2027-01'] as const;
const api = compileApi(apiSource());

onBothDatabases('the three contracts', (engine) => {
  const service = useTestService(engine);

  interface Called {
    status: number;
    body: Record<string, unknown>;
    headers: Headers;
  }

  async function call(
    version: string,
    method: string,
    path: string,
    sent?: unknown,
    token?: string,
  ): Promise<Called> {
    const response = await service.call('sandbox', path, {
      method,
      headers: {
        authorization: `Bearer ${token ?? service.quickstart.sandbox.access_token}`,
        'service-version': version,
        ...(sent === undefined ? {} : { 'content-type': 'application/json' }),
      },
      ...(sent === undefined ? {} : { body: JSON.stringify(sent) }),
    });
    const text = await response.text();
    return { status: response.status, body: text === '' ? {} : JSON.parse(text), headers: response.headers };
  }

  /** What came must be valid in the version it came from, to the letter. */
  function expectValid(version: string, operationId: string, { status, body }: Called): void {
    const compiled = api.get(version as ApiVersion)?.operations.get(operationId);
    expect(compiled?.validateResponse[status]?.(body)).toEqual([]);
  }

  const next = { name: 'Support plan', billing: 'recurring', prices: [{ amount: 4900, currency: 'eur' }] };
  const manyKeys = Object.fromEntries(Array.from({ length: 51 }, (_, index) => [`key${index}`, 'x']));

  async function create(change: object = {}): Promise<string> {
    const { status, body } = await call(NEXT, 'POST', '/v1/products/', { ...next, ...change });
    expect(status).toBe(201);
    return body.id as string;
  }

  const statusOf = async (version: string, method: string, path: string, sent?: unknown): Promise<number> =>
    (await call(version, method, path, sent)).status;

  it('[versions 51] tell a field of Next in Next only', async () => {
    const id = await create({ visibility: 'private' });
    const products = await Promise.all(
      [DEPRECATED, CURRENT, NEXT].map((version) => call(version, 'GET', `/v1/products/${id}`)),
    );
    expect(products.map(({ body }) => 'visibility' in body)).toEqual([false, false, true]);
    expect(products.map(({ body }) => body.is_archived)).toEqual([false, false, undefined]);
    expect(products.map(({ body }) => 'prices' in body)).toEqual([false, true, true]);
    for (const [index, version] of [DEPRECATED, CURRENT, NEXT].entries()) {
      expectValid(version, 'products:read', products[index] as Called);
    }
  });

  it('[versions 52] treat a field of Next in an older request like any unknown field', async () => {
    const withNext = await call(CURRENT, 'POST', '/v1/products/', { ...next, visibility: 'private' });
    const withUnknown = await call(CURRENT, 'POST', '/v1/products/', { ...next, colour: 'red' });
    expect([withNext.status, withUnknown.status]).toEqual([422, 422]);
    expect(withNext.body.detail).toBe((withUnknown.body.detail as string).replace('colour', 'visibility'));
  });

  it('[versions 53] apply a rule of Next in Next only: 51 keys of metadata', async () => {
    expect(await statusOf(NEXT, 'POST', '/v1/products/', { ...next, metadata: manyKeys })).toBe(422);
    const created = await call(CURRENT, 'POST', '/v1/products/', { ...next, metadata: manyKeys });
    expect(created.status).toBe(201);
    const read = await call(NEXT, 'GET', `/v1/products/${created.body.id}`);
    expect(Object.keys(read.body.metadata as object)).toHaveLength(51);
    expectValid(NEXT, 'products:read', read);
  });

  it('[versions 53] let Deprecated have short names, which the others keep and refuse', async () => {
    const short = { name: 'X', billing: 'one_time', price_amount: 1, price_currency: 'usd' };
    const created = await call(DEPRECATED, 'POST', '/v1/products/', short);
    expect(created.status).toBe(201);
    expectValid(DEPRECATED, 'products:create', created);
    expect((await call(NEXT, 'GET', `/v1/products/${created.body.id}`)).body.name).toBe('X');
    expect(await statusOf(CURRENT, 'POST', '/v1/products/', { ...next, name: 'X' })).toBe(422);
  });

  it('[versions 54] have an operation of Next in Next only', async () => {
    const id = await create();
    const current = await call(CURRENT, 'DELETE', `/v1/products/${id}`);
    expect([current.status, current.headers.get('allow')]).toEqual([405, 'GET, HEAD, PATCH']);
    expect(await statusOf(NEXT, 'DELETE', `/v1/products/${id}`)).toBe(204);
  });

  it('[versions 55] keep an operation that Next has lost', async () => {
    const id = await create();
    expect(await statusOf(NEXT, 'POST', `/v1/products/${id}/archive`)).toBe(404);
    const archived = await call(CURRENT, 'POST', `/v1/products/${id}/archive`);
    expect([archived.status, archived.body.is_archived]).toEqual([200, true]);
    expectValid(CURRENT, 'products:archive', archived);
    const again = await call(DEPRECATED, 'POST', `/v1/products/${id}/archive`);
    expectValid(DEPRECATED, 'products:archive', again);
    expect((await call(NEXT, 'GET', `/v1/products/${id}`)).body.visibility).toBe('archived');
  });

  it('[versions 56] answer for a deleted product as each of them promises', async () => {
    const id = await create();
    await call(NEXT, 'DELETE', `/v1/products/${id}`);
    const read = await Promise.all(
      [DEPRECATED, CURRENT, NEXT].map((version) => call(version, 'GET', `/v1/products/${id}`)),
    );
    expect(read.map(({ status, body }) => [status, body.error ?? body.code])).toEqual([
      [404, 'not_found'],
      [404, 'not_found'],
      [410, 'gone'],
    ]);
    const absent = await call(CURRENT, 'GET', '/v1/products/prd_0000000000000000000000');
    expect(read[1]?.body).toEqual(absent.body);
  });

  it('[versions 57] need a scope in Next that older versions do not', async () => {
    const database = await service.database('sandbox');
    const environment = createEnvironment({
      name: 'sandbox',
      issuer: service.urls.sandbox,
      database,
      clock: service.clock,
      lifetimes: loadConfig({}).lifetimes,
    });
    const { access } = await createGrantedUser(environment, { scopes: ['organizations:read'] });
    const list = (version: string) => call(version, 'GET', '/v1/products/', undefined, access.tokenValue);
    expect([(await list(DEPRECATED)).status, (await list(CURRENT)).status]).toEqual([200, 200]);
    const refused = await list(NEXT);
    expect([refused.status, refused.body.code]).toEqual([403, 'insufficient_scope']);
    expect(refused.headers.get('www-authenticate')).toContain('scope="products:read"');
  });

  it('[versions 58] read billing by usage as recurring in older versions', async () => {
    const id = await create({ billing: 'usage' });
    const read = await Promise.all(
      [DEPRECATED, CURRENT, NEXT].map((version) => call(version, 'GET', `/v1/products/${id}`)),
    );
    expect(read.map(({ body }) => body.billing)).toEqual(['recurring', 'recurring', 'usage']);
    for (const [index, version] of [DEPRECATED, CURRENT].entries()) {
      expectValid(version, 'products:read', read[index] as Called);
    }
    expect(await statusOf(CURRENT, 'POST', '/v1/products/', { ...next, billing: 'usage' })).toBe(422);
  });

  it('[versions 59] tell every error in a shape and with a code that their contract knows', async () => {
    const id = await create();
    await call(NEXT, 'DELETE', `/v1/products/${id}`);
    const provocations: [string, string, string, unknown?, string?][] = [
      ['products:read', 'GET', `/v1/products/${id}`],
      ['products:read', 'GET', '/v1/products/nonsense'],
      ['products:read', 'GET', `/v1/products/${id}`, undefined, 'nonsense'],
      ['products:update', 'PATCH', `/v1/products/${id}`, {}],
      ['products:update', 'PATCH', `/v1/products/${id}`, { name: 7 }],
      ['products:create', 'POST', '/v1/products/', {}],
      ['products:create', 'POST', '/v1/products/', 'x'.repeat(300_000)],
      ['products:list', 'GET', '/v1/products/?limit=0'],
    ];
    for (const version of [DEPRECATED, CURRENT, NEXT]) {
      const compiled = api.get(version as ApiVersion);
      for (const [operationId, method, path, sent, token] of provocations) {
        const { status, body, headers } = await call(version, method, path, sent, token);
        const code = String(body.error ?? body.code);
        expect(
          compiled?.operations.get(operationId)?.operation.errors[status],
          `${version} ${path} ${status}`,
        ).toContain(code);
        expect(headers.get('content-type')).toContain(compiled?.contract.errorShape.mediaType);
      }
    }
  });

  it('let Current’s "is_archived": false bring back what is archived and leave a private product private', async () => {
    const hidden = await create({ visibility: 'private' });
    await call(CURRENT, 'PATCH', `/v1/products/${hidden}`, { is_archived: false });
    expect((await call(NEXT, 'GET', `/v1/products/${hidden}`)).body.visibility).toBe('private');
    const archived = await create({ visibility: 'archived' });
    const back = await call(CURRENT, 'PATCH', `/v1/products/${archived}`, { is_archived: false });
    expect(back.body.is_archived).toBe(false);
    expect((await call(NEXT, 'GET', `/v1/products/${archived}`)).body.visibility).toBe('public');
  });

  it('let Deprecated’s single price set the first one and leave the others', async () => {
    const prices = [
      { amount: 100, currency: 'eur' },
      { amount: 110, currency: 'usd' },
      { amount: 90, currency: 'gbp' },
    ];
    const id = await create({ prices });
    const changed = await call(DEPRECATED, 'PATCH', `/v1/products/${id}`, {
      price_amount: 200,
      price_currency: 'eur',
    });
    expect(changed.body).toMatchObject({ price_amount: 200, price_currency: 'eur' });
    expect((await call(NEXT, 'GET', `/v1/products/${id}`)).body.prices).toEqual([
      { amount: 200, currency: 'eur' },
      ...prices.slice(1),
    ]);
    await call(DEPRECATED, 'PATCH', `/v1/products/${id}`, { price_amount: 5, price_currency: 'gbp' });
    expect((await call(NEXT, 'GET', `/v1/products/${id}`)).body.prices).toEqual([
      { amount: 5, currency: 'gbp' },
      prices[1],
    ]);
    expect(await statusOf(DEPRECATED, 'PATCH', `/v1/products/${id}`, { price_amount: 5 })).toBe(422);
  });

  it('list by page number or by cursor, each product once', async () => {
    const before = Number(
      ((await call(CURRENT, 'GET', '/v1/products/')).body.pagination as { total_count: number }).total_count,
    );
    for (let index = 0; index < 3; index += 1) {
      service.clock.advanceSeconds(1);
      await create({ name: `Listed ${index}` });
    }
    const first = await call(CURRENT, 'GET', '/v1/products/?limit=2&page=1');
    expectValid(CURRENT, 'products:list', first);
    expect(first.body.pagination).toEqual({
      page: 1,
      limit: 2,
      total_count: before + 3,
      max_page: Math.ceil((before + 3) / 2),
    });
    const behind = await call(CURRENT, 'GET', '/v1/products/?limit=2&page=1000');
    expect(behind.body).toMatchObject({ items: [], pagination: { page: 1000, total_count: before + 3 } });
    const seen: string[] = [];
    let cursor: string | null = '';
    while (cursor !== null) {
      const page: Called = await call(NEXT, 'GET', `/v1/products/?limit=2&cursor=${cursor}`);
      expectValid(NEXT, 'products:list', page);
      seen.push(...(page.body.items as { id: string }[]).map(({ id }) => id));
      cursor = (page.body.pagination as { next_cursor: string | null }).next_cursor;
    }
    expect(new Set(seen).size).toBe(seen.length);
    expect(seen.length).toBe(before + 3);
  });

  it('keep organizations apart: what belongs to others does not exist', async () => {
    const id = await create();
    const database = await service.database('sandbox');
    const lifetimes = loadConfig({}).lifetimes;
    const environment = createEnvironment({
      name: 'sandbox',
      issuer: 'https://x.test',
      database,
      clock: service.clock,
      lifetimes,
    });
    const { access } = await createGrantedUser(environment);
    for (const [method, path, sent] of [
      ['GET', `/v1/products/${id}`],
      ['PATCH', `/v1/products/${id}`, { name: 'Mine now' }],
      ['DELETE', `/v1/products/${id}`],
    ] as const) {
      expect((await call(NEXT, method, path, sent, access.tokenValue)).status).toBe(404);
    }
    expect((await call(NEXT, 'GET', '/v1/products/', undefined, access.tokenValue)).body.items).toEqual([]);
    const wrong = { ...next, organization_id: service.quickstart.sandbox.organization_id };
    expect((await call(NEXT, 'POST', '/v1/products/', wrong, access.tokenValue)).status).toBe(422);
  });

  it('refuse two prices in one currency', async () => {
    const double = { ...next, prices: [...next.prices, { amount: 1, currency: 'eur' }] };
    const { status, body } = await call(NEXT, 'POST', '/v1/products/', double);
    expect([status, body.detail]).toEqual([422, 'prices has two prices in eur; there is one per currency.']);
  });
});
