import { apiVersion } from '@dateline/versions';
import { expect, it } from 'vitest';
import { type Called, expectValid, newProduct, useProducts } from '../../../support/contracts/products.ts';
import { onPostgresFirst } from '../../../support/database/databases.ts';
import { middleOf } from '../../../support/service/build-versions.ts';

const [OLDER, NEWER] = [apiVersion('2026-10'), apiVersion('2027-01')];

// At a moment when the newer one is Current, or late: both are maintained then.
onPostgresFirst('2027-01 against 2026-10', (engine) => {
  const { service, call, statusOf, create, strangersToken } = useProducts(engine, middleOf(NEWER));
  const manyKeys = Object.fromEntries(Array.from({ length: 51 }, (_, index) => [`key${index}`, 'x']));
  const readBoth = (id: string): Promise<Called[]> =>
    Promise.all([OLDER, NEWER].map((version) => call(version, 'GET', `/v1/products/${id}`)));

  it('[versions 51] show a field of the newer one only there', async () => {
    const [older, newer] = (await readBoth(await create({ visibility: 'private' }, NEWER))) as [
      Called,
      Called,
    ];
    expect(['visibility' in older.body, older.body.is_archived]).toEqual([false, false]);
    expect([newer.body.visibility, 'is_archived' in newer.body]).toEqual(['private', false]);
    expectValid(OLDER, 'products:read', older);
    expectValid(NEWER, 'products:read', newer);
  });

  it('[versions 52] treat a field of the newer one in an older request like any unknown field', async () => {
    const withNewer = await call(OLDER, 'POST', '/v1/products/', { ...newProduct, visibility: 'private' });
    const withUnknown = await call(OLDER, 'POST', '/v1/products/', { ...newProduct, colour: 'red' });
    expect([withNewer.status, withUnknown.status]).toEqual([422, 422]);
    expect(withNewer.body.detail).toBe((withUnknown.body.detail as string).replace('colour', 'visibility'));
  });

  it('[versions 53] apply a rule of the newer one only there: 51 keys of metadata', async () => {
    const sent = { ...newProduct, metadata: manyKeys };
    expect(await statusOf(NEWER, 'POST', '/v1/products/', sent)).toBe(422);
    const created = await call(OLDER, 'POST', '/v1/products/', sent);
    expect(created.status).toBe(201);
    const read = await call(NEWER, 'GET', `/v1/products/${created.body.id}`);
    expect(Object.keys(read.body.metadata as object)).toHaveLength(51);
    expectValid(NEWER, 'products:read', read);
  });

  it('[versions 54] serve an operation of the newer one only there', async () => {
    const id = await create({}, NEWER);
    const older = await call(OLDER, 'DELETE', `/v1/products/${id}`);
    expect([older.status, older.headers.get('allow')]).toEqual([405, 'GET, HEAD, PATCH']);
    expect(await statusOf(NEWER, 'DELETE', `/v1/products/${id}`)).toBe(204);
  });

  it('[versions 55] keep an operation that the newer one has dropped', async () => {
    const id = await create({}, NEWER);
    expect(await statusOf(NEWER, 'POST', `/v1/products/${id}/archive`)).toBe(404);
    const archived = await call(OLDER, 'POST', `/v1/products/${id}/archive`);
    expect([archived.status, archived.body.is_archived]).toEqual([200, true]);
    expectValid(OLDER, 'products:archive', archived);
    expect((await call(NEWER, 'GET', `/v1/products/${id}`)).body.visibility).toBe('archived');
  });

  it('[versions 56] answer for a deleted product as each contract promises', async () => {
    const id = await create({}, NEWER);
    await call(NEWER, 'DELETE', `/v1/products/${id}`);
    const read = await readBoth(id);
    expect(read.map(({ status, body }) => [status, body.error ?? body.code])).toEqual([
      [404, 'not_found'],
      [410, 'gone'],
    ]);
    const absent = await call(OLDER, 'GET', '/v1/products/prd_0000000000000000000000');
    expect(read[0]?.body).toEqual(absent.body);
  });

  it('[versions 57] require a scope in the newer one that the older does not', async () => {
    const token = await strangersToken({ scopes: ['organizations:read'] });
    const list = (version: string) => call(version, 'GET', '/v1/products/', undefined, token);
    expect((await list(OLDER)).status).toBe(200);
    const refused = await list(NEWER);
    expect([refused.status, refused.body.code]).toEqual([403, 'insufficient_scope']);
    expect(refused.headers.get('www-authenticate')).toContain('scope="products:read"');
  });

  it('[versions 58] show billing by usage as recurring in the older one', async () => {
    const [older, newer] = (await readBoth(await create({ billing: 'usage' }, NEWER))) as [Called, Called];
    expect([older.body.billing, newer.body.billing]).toEqual(['recurring', 'usage']);
    expectValid(OLDER, 'products:read', older);
    expect(await statusOf(OLDER, 'POST', '/v1/products/', { ...newProduct, billing: 'usage' })).toBe(422);
  });

  it('restore an archived product with "is_archived": false, and leave a private product private', async () => {
    const hidden = await create({ visibility: 'private' }, NEWER);
    await call(OLDER, 'PATCH', `/v1/products/${hidden}`, { is_archived: false });
    expect((await call(NEWER, 'GET', `/v1/products/${hidden}`)).body.visibility).toBe('private');
    const archived = await create({ visibility: 'archived' }, NEWER);
    const back = await call(OLDER, 'PATCH', `/v1/products/${archived}`, { is_archived: false });
    expect(back.body.is_archived).toBe(false);
    expect((await call(NEWER, 'GET', `/v1/products/${archived}`)).body.visibility).toBe('public');
  });

  it('list by page number, each product once, with the total count', async () => {
    const total = async (): Promise<number> =>
      ((await call(OLDER, 'GET', '/v1/products/')).body.pagination as { total_count: number }).total_count;
    const before = await total();
    for (let index = 0; index < 3; index += 1) {
      service.clock.advanceSeconds(1);
      await create({ name: `Listed ${index}` }, NEWER);
    }
    const first = await call(OLDER, 'GET', '/v1/products/?limit=2&page=1');
    expectValid(OLDER, 'products:list', first);
    expect(first.body.pagination).toEqual({
      page: 1,
      limit: 2,
      total_count: before + 3,
      max_page: Math.ceil((before + 3) / 2),
    });
    const behind = await call(OLDER, 'GET', '/v1/products/?limit=2&page=1000');
    expect(behind.body).toMatchObject({ items: [], pagination: { page: 1000, total_count: before + 3 } });
  });
});
