import { expect, it } from 'vitest';
import { statement } from '../../src/storage/statement.ts';
import { api, type Called, expectValid, newProduct, useProducts } from '../support/contracts/products.ts';
import { onPostgresFirst } from '../support/database/databases.ts';
import { maintained, next } from '../support/service/build-versions.ts';
import { serviceEnvironment } from '../support/service/service-environment.ts';

onPostgresFirst('products', (engine) => {
  const { service, call, create, strangersToken } = useProducts(engine);

  it('[versions 59] answer every error in a shape and with a code of the version’s contract', async () => {
    const provocations: [string, string, string, unknown?, string?][] = [
      ['products:read', 'GET', '/v1/products/prd_0000000000000000000000'],
      ['products:read', 'GET', '/v1/products/nonsense'],
      ['products:read', 'GET', '/v1/products/nonsense', undefined, 'nonsense'],
      ['products:update', 'PATCH', '/v1/products/nonsense', {}],
      ['products:update', 'PATCH', '/v1/products/nonsense', { name: 7 }],
      ['products:create', 'POST', '/v1/products/', {}],
      ['products:create', 'POST', '/v1/products/', 'x'.repeat(300_000)],
      ['products:list', 'GET', '/v1/products/?limit=0'],
    ];
    for (const version of maintained) {
      const compiled = api.get(version);
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

  it('are listed by cursor, each product once', async () => {
    const made: string[] = [];
    for (let index = 0; index < 5; index += 1) {
      service.clock.advanceSeconds(1);
      made.push(await create({ name: `Listed ${index}` }));
    }
    const seen: string[] = [];
    let cursor: string | null = '';
    while (cursor !== null) {
      const page: Called = await call(next, 'GET', `/v1/products/?limit=2&cursor=${cursor}`);
      expectValid(next, 'products:list', page);
      seen.push(...(page.body.items as { id: string }[]).map(({ id }) => id));
      cursor = (page.body.pagination as { next_cursor: string | null }).next_cursor;
    }
    expect(new Set(seen).size).toBe(seen.length);
    expect(seen.filter((id) => made.includes(id)).sort()).toEqual([...made].sort());
  });

  it('are separated by organization: those of others do not exist', async () => {
    const id = await create();
    const token = await strangersToken();
    for (const [method, path, sent] of [
      ['GET', `/v1/products/${id}`],
      ['PATCH', `/v1/products/${id}`, { name: 'Mine now' }],
      ['DELETE', `/v1/products/${id}`],
    ] as const) {
      expect((await call(next, method, path, sent, token)).status).toBe(404);
    }
    expect((await call(next, 'GET', '/v1/products/', undefined, token)).body.items).toEqual([]);
    const wrong = { ...newProduct, organization_id: service.quickstart.sandbox.organization_id };
    expect((await call(next, 'POST', '/v1/products/', wrong, token)).status).toBe(422);
  });

  it('are rejected with two prices in one currency', async () => {
    const double = { ...newProduct, prices: [...newProduct.prices, { amount: 1, currency: 'eur' }] };
    const { status, body } = await call(next, 'POST', '/v1/products/', double);
    expect([status, body.detail]).toEqual([422, 'prices has two prices in eur; there is one per currency.']);
  });

  it('stay unchanged when the answer to a change violates its contract', async () => {
    const id = await create({ name: 'Before' });
    const { database } = await serviceEnvironment(service);
    // No prices can be made of this, so no answer: a damaged row, or a field that a handler forgot.
    const damage = statement('damage', `update {schema}.products set prices = '7' where id = $1`);
    const mend = statement('mend', `update {schema}.products set prices = $2::jsonb where id = $1`);
    await database.run(damage, [id]);
    expect((await call(next, 'PATCH', `/v1/products/${id}`, { name: 'After' })).status).toBe(500);
    await database.run(mend, [id, JSON.stringify(newProduct.prices)]);
    expect((await call(next, 'GET', `/v1/products/${id}`)).body.name).toBe('Before');
  });
});
