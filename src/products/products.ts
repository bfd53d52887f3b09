import type { Context } from '../environments/environment.ts';
import { ApiError } from '../errors/api-error.ts';
import { chooseOrganization } from '../identity/choose-organization.ts';
import type { OrganizationId } from '../identity/types.ts';
import { newId } from '../kernel/ids.ts';
import { type Page, type Paging, toPage } from '../kernel/page.ts';
import { defined } from '../kernel/presence.ts';
import { recordOccurrences } from '../webhooks/publishing/record-occurrences.ts';
import { productBody } from './product-body.ts';
import {
  deleteProductsOf,
  insertProduct,
  markProductDeleted,
  type StoredProduct,
  selectNumberedPage,
  selectOrganizationsWithProducts,
  selectProduct,
  selectProductForUpdate,
  selectProductsAfter,
  updateProduct,
} from './store.ts';
import {
  isProductId,
  type NewProduct,
  type Price,
  type Product,
  type ProductChanges,
  productIdPrefix,
} from './types.ts';

/** The organizations whose products a caller may see and change: none for an empty list, never all. */
export type Reach = readonly OrganizationId[];

export async function createProduct(
  context: Context,
  reach: Reach,
  input: { organizationId: string | null; product: NewProduct },
): Promise<Product> {
  refuseDoubleCurrency(input.product.prices);
  const now = context.clock.now();
  const product: Product = {
    ...input.product,
    id: newId(productIdPrefix, now),
    organizationId: chooseOrganization(reach, input.organizationId),
    createdAt: now,
    modifiedAt: now,
  };
  await context.transaction(async (inside) => {
    await insertProduct(inside.session, product);
    await publish(inside, 'product.created', product);
  });
  return product;
}

/** The organizations, of these, that have had a product: they cannot leave before it. */
export async function organizationsWithProducts(
  context: Context,
  ids: readonly OrganizationId[],
): Promise<OrganizationId[]> {
  return ids.length === 0 ? [] : selectOrganizationsWithProducts(context.session, ids);
}

/** With its organization, whose endpoints are gone already: no event is published. */
export async function forgetProductsOf(context: Context, organizationId: OrganizationId): Promise<void> {
  await deleteProductsOf(context.session, organizationId);
}

export interface ListedProducts {
  page: Page<Product>;
  /** Only counted where pages are numbered: counting reads every row. */
  totalCount: number | null;
}

export async function listProducts(
  context: Context,
  reach: Reach,
  { organizationId, limit, paging }: { organizationId: string | null; limit: number; paging: Paging },
): Promise<ListedProducts> {
  const organizationIds = organizationId === null ? reach : reach.filter((id) => id === organizationId);
  if (paging.by === 'page') {
    const offset = (paging.page - 1) * limit;
    const { products, totalCount } = await selectNumberedPage(context.session, {
      organizationIds,
      limit,
      offset,
    });
    return { page: { items: products, next: null }, totalCount };
  }
  const rows = await selectProductsAfter(context.session, { organizationIds, limit, after: paging.after });
  return { page: toPage(rows, limit, (product) => product.id), totalCount: null };
}

export async function readProduct(context: Context, reach: Reach, id: string): Promise<Product> {
  return reachable(reach, isProductId(id) ? await selectProduct(context.session, id) : null);
}

export async function changeProduct(
  context: Context,
  reach: Reach,
  { id, changes }: { id: string; changes: ProductChanges },
): Promise<Product> {
  if (changes.prices) refuseDoubleCurrency(changes.prices);
  return context.transaction(async (inside) => {
    const { session, clock } = inside;
    const product = reachable(reach, isProductId(id) ? await selectProductForUpdate(session, id) : null);
    const changed = applyChanges(product, changes);
    if (changed === product) return product;
    const stored = { ...changed, modifiedAt: clock.now() };
    await updateProduct(session, stored);
    const isArchived = stored.visibility === 'archived' && product.visibility !== 'archived';
    await publish(inside, isArchived ? 'product.archived' : 'product.updated', stored);
    return stored;
  });
}

export async function deleteProduct(context: Context, reach: Reach, id: string): Promise<void> {
  await context.transaction(async (inside) => {
    const { session, clock } = inside;
    const product = reachable(reach, isProductId(id) ? await selectProductForUpdate(session, id) : null);
    await markProductDeleted(session, product.id, clock.now());
    await publish(inside, 'product.deleted', product);
  });
}

async function publish(context: Context, type: string, product: Product): Promise<void> {
  await recordOccurrences(context, [
    { type, organizationIds: [product.organizationId], data: productBody(product) },
  ]);
}

/** The changed product; the same object if nothing changes. */
function applyChanges(product: Product, changes: ProductChanges): Product {
  const { archive, unarchive, setPrimaryPrice, ...fields } = changes;
  const changed: Product = { ...product, ...defined(fields) };
  if (archive) changed.visibility = 'archived';
  if (unarchive && product.visibility === 'archived') changed.visibility = 'public';
  if (setPrimaryPrice) changed.prices = withPrimaryPrice(product.prices, setPrimaryPrice);
  return JSON.stringify(changed) === JSON.stringify(product) ? product : changed;
}

function withPrimaryPrice(prices: readonly Price[], primary: Price): Price[] {
  // Another price in the new currency is dropped: there is one per currency.
  return [primary, ...prices.slice(1).filter(({ currency }) => currency !== primary.currency)];
}

/** A product of another organization is answered like one that does not exist. */
function reachable(reach: Reach, found: StoredProduct | null): Product {
  if (!found || !reach.includes(found.product.organizationId)) throw new ApiError('not_found');
  if (found.deletedAt) throw new ApiError('gone', { detail: 'This product was deleted.' });
  return found.product;
}

function refuseDoubleCurrency(prices: readonly Price[]): void {
  const currencies = prices.map(({ currency }) => currency);
  const twice = currencies.find((currency, index) => currencies.indexOf(currency) !== index);
  if (twice)
    throw new ApiError('validation_failed', {
      detail: `prices has two prices in ${twice}; there is one per currency.`,
    });
}
