import { apiVersion } from '@dateline/versions';
import { expect, it } from 'vitest';
import { expectValid, newProduct, useProducts } from '../../../support/contracts/products.ts';
import { onPostgresFirst } from '../../../support/database/databases.ts';
import { middleOf } from '../../../support/service/build-versions.ts';

const [OLDER, NEWER] = [apiVersion('2026-07'), apiVersion('2026-10')];

onPostgresFirst('2026-10 against 2026-07', (engine) => {
  const { call, statusOf, create } = useProducts(engine, middleOf(NEWER));
  const pricesOf = async (id: string): Promise<unknown> =>
    (await call(NEWER, 'GET', `/v1/products/${id}`)).body.prices;

  it('[versions 51] show the fields of the newer one only there', async () => {
    const id = await create({ metadata: { tier: 'gold' } }, NEWER);
    const older = await call(OLDER, 'GET', `/v1/products/${id}`);
    expect(['prices' in older.body, 'metadata' in older.body]).toEqual([false, false]);
    expect(older.body).toMatchObject({ price_amount: 4900, price_currency: 'eur' });
    expectValid(OLDER, 'products:read', older);
    const newer = await call(NEWER, 'GET', `/v1/products/${id}`);
    expect(newer.body).toMatchObject({ prices: newProduct.prices, metadata: { tier: 'gold' } });
    expectValid(NEWER, 'products:read', newer);
  });

  it('[versions 53] let the older one set short names, which the newer keeps but rejects in requests', async () => {
    const short = { name: 'X', billing: 'one_time', price_amount: 1, price_currency: 'usd' };
    const created = await call(OLDER, 'POST', '/v1/products/', short);
    expect(created.status).toBe(201);
    expectValid(OLDER, 'products:create', created);
    expect((await call(NEWER, 'GET', `/v1/products/${created.body.id}`)).body.name).toBe('X');
    expect(await statusOf(NEWER, 'POST', '/v1/products/', { ...newProduct, name: 'X' })).toBe(422);
  });

  it('archive a product in both', async () => {
    const archived = await call(OLDER, 'POST', `/v1/products/${await create({}, NEWER)}/archive`);
    expect([archived.status, archived.body.is_archived]).toEqual([200, true]);
    expectValid(OLDER, 'products:archive', archived);
  });

  it('let the single price set the first one and keep the others', async () => {
    const prices = [
      { amount: 100, currency: 'eur' },
      { amount: 110, currency: 'usd' },
      { amount: 90, currency: 'gbp' },
    ];
    const id = await create({ prices }, NEWER);
    const changed = await call(OLDER, 'PATCH', `/v1/products/${id}`, {
      price_amount: 200,
      price_currency: 'eur',
    });
    expect(changed.body).toMatchObject({ price_amount: 200, price_currency: 'eur' });
    expect(await pricesOf(id)).toEqual([{ amount: 200, currency: 'eur' }, ...prices.slice(1)]);
    await call(OLDER, 'PATCH', `/v1/products/${id}`, { price_amount: 5, price_currency: 'gbp' });
    expect(await pricesOf(id)).toEqual([{ amount: 5, currency: 'gbp' }, prices[1]]);
    expect(await statusOf(OLDER, 'PATCH', `/v1/products/${id}`, { price_amount: 5 })).toBe(422);
  });
});
