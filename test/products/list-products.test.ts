import { expect, it } from 'vitest';
import { createOrganization } from '../../src/identity/organizations.ts';
import type { OrganizationId } from '../../src/identity/types.ts';
import type { Paging } from '../../src/kernel/page.ts';
import { createProduct, deleteProduct, listProducts } from '../../src/products/products.ts';
import { storedProduct } from '../support/contracts/products.ts';
import { onEmbeddedFirst } from '../support/database/databases.ts';
import { useTestEnvironments } from '../support/service/test-environment.ts';

onEmbeddedFirst('listing products', (engine) => {
  const environments = useTestEnvironments(engine);

  async function organizationWith(count: number): Promise<OrganizationId> {
    const { id } = await createOrganization(environments.sandbox, { name: 'Selling' });
    for (let index = 0; index < count; index += 1) await create(id, `Product ${index}`);
    return id;
  }

  async function create(organizationId: OrganizationId, name: string) {
    environments.clock.advanceSeconds(1);
    return createProduct(environments.sandbox, [organizationId], {
      organizationId,
      product: { ...storedProduct, name, metadata: { key: 'value' } },
    });
  }

  async function list(reach: readonly OrganizationId[], limit: number, paging: Paging) {
    const { page, totalCount } = await listProducts(environments.sandbox, reach, {
      organizationId: null,
      limit,
      paging,
    });
    return { names: page.items.map(({ name }) => name), next: page.next, totalCount };
  }

  const pageOf = async (id: OrganizationId, limit: number, page: number) => {
    const { names, totalCount } = await list([id], limit, { by: 'page', page });
    return [names.length, names[0], totalCount];
  };

  it('counts all products on every numbered page: the first, the last, a full one and one beyond', async () => {
    const id = await organizationWith(4);
    expect(await pageOf(id, 2, 1)).toEqual([2, 'Product 0', 4]);
    expect(await pageOf(id, 3, 1)).toEqual([3, 'Product 0', 4]);
    expect(await pageOf(id, 3, 2)).toEqual([1, 'Product 3', 4]);
    expect(await pageOf(id, 3, 3)).toEqual([0, undefined, 4]);
    expect(await pageOf(id, 4, 1)).toEqual([4, 'Product 0', 4]);
    expect(await pageOf(id, 2, 2)).toEqual([2, 'Product 2', 4]);
    expect(await pageOf(id, 9, 1)).toEqual([4, 'Product 0', 4]);
  });

  it('counts none where there are none, and none for a token without organizations', async () => {
    const id = await organizationWith(0);
    expect(await pageOf(id, 3, 1)).toEqual([0, undefined, 0]);
    expect(await pageOf(id, 3, 2)).toEqual([0, undefined, 0]);
    expect(await list([], 3, { by: 'page', page: 1 })).toMatchObject({ names: [], totalCount: 0 });
    expect(await list([], 3, { by: 'cursor', after: null })).toMatchObject({ names: [], next: null });
  });

  it('omits deleted products and those of other organizations, on pages and in counts', async () => {
    const [id, other] = [await organizationWith(2), await organizationWith(2)];
    const { id: deleted } = await create(id, 'Deleted');
    await deleteProduct(environments.sandbox, [id], deleted);
    expect(await pageOf(id, 1, 1)).toEqual([1, 'Product 0', 2]);
    expect(await pageOf(id, 9, 1)).toEqual([2, 'Product 0', 2]);
    const { names } = await list([id, other], 9, { by: 'cursor', after: null });
    expect(names).toEqual(['Product 0', 'Product 1', 'Product 0', 'Product 1']);
  });

  it('continues after a cursor until the end, without counting', async () => {
    const id = await organizationWith(3);
    const first = await list([id], 2, { by: 'cursor', after: null });
    expect(first).toMatchObject({ names: ['Product 0', 'Product 1'], totalCount: null });
    const second = await list([id], 2, { by: 'cursor', after: first.next });
    expect(second).toEqual({ names: ['Product 2'], next: null, totalCount: null });
  });

  it('returns a product as it was created', async () => {
    const id = await organizationWith(0);
    const made = await create(id, 'Whole');
    for (const paging of [{ by: 'cursor', after: null } as const, { by: 'page', page: 1 } as const]) {
      const { page } = await listProducts(environments.sandbox, [id], {
        organizationId: null,
        limit: 1,
        paging,
      });
      expect(page.items).toEqual([made]);
    }
  });
});
