import { type Kysely, type SelectQueryBuilder, sql } from 'kysely';
import type { OrganizationId } from '../identity/types.ts';
import type { Session } from '../storage/database.ts';
import type { Billing, Price, Product, ProductId, Visibility } from './types.ts';

interface Tables {
  products: {
    id: ProductId;
    organization_id: OrganizationId;
    name: string;
    description: string | null;
    billing: Billing;
    visibility: Visibility;
    prices: unknown;
    metadata: unknown;
    created_at: Date;
    modified_at: Date;
    deleted_at: Date | null;
  };
}

const tables = (session: Session): Kysely<Tables> => session.tables<Tables>();

const columns = [
  'id',
  'organization_id as organizationId',
  'name',
  'description',
  'billing',
  'visibility',
  'prices',
  'metadata',
  'created_at as createdAt',
  'modified_at as modifiedAt',
] as const;

interface Row extends Omit<Product, 'prices' | 'metadata'> {
  prices: unknown;
  metadata: unknown;
}

export async function insertProduct(session: Session, product: Product): Promise<void> {
  await tables(session)
    .insertInto('products')
    .values({
      id: product.id,
      organization_id: product.organizationId,
      billing: product.billing,
      created_at: product.createdAt,
      ...changeable(product),
    })
    .execute();
}

export async function updateProduct(session: Session, product: Product): Promise<void> {
  await tables(session)
    .updateTable('products')
    .set(changeable(product))
    .where('id', '=', product.id)
    .execute();
}

export async function markProductDeleted(session: Session, id: ProductId, deletedAt: Date): Promise<void> {
  await tables(session).updateTable('products').set({ deleted_at: deletedAt }).where('id', '=', id).execute();
}

export interface StoredProduct {
  product: Product;
  deletedAt: Date | null;
}

export async function selectProduct(session: Session, id: ProductId): Promise<StoredProduct | null> {
  return stored(await productQuery(session, id).executeTakeFirst());
}

/** Waits for others who change the product, and makes others wait until the transaction ends. */
export async function selectProductForUpdate(session: Session, id: ProductId): Promise<StoredProduct | null> {
  return stored(await productQuery(session, id).forUpdate().executeTakeFirst());
}

/** One more than the limit, which tells whether there is more. */
export async function selectProductsAfter(
  session: Session,
  page: { organizationIds: readonly OrganizationId[]; limit: number; after: string | null },
): Promise<Product[]> {
  const rows = await liveProducts(session, page.organizationIds)
    .select(columns)
    .$if(page.after !== null, (query) => query.where('id', '>', page.after as ProductId))
    .orderBy('id')
    .limit(page.limit + 1)
    .execute();
  return rows.map(toProduct);
}

/** A page by its offset, with the number of all products: read together, in one statement. */
export async function selectNumberedPage(
  session: Session,
  page: { organizationIds: readonly OrganizationId[]; limit: number; offset: number },
): Promise<{ products: Product[]; totalCount: number }> {
  const rows = await liveProducts(session, page.organizationIds)
    .select([...columns, sql<number>`count(*) over ()`.as('totalCount')])
    .orderBy('id')
    .limit(page.limit)
    .offset(page.offset)
    .execute();
  const [first] = rows;
  // Behind the last page there is no row that could tell.
  const totalCount = first
    ? first.totalCount
    : page.offset === 0
      ? 0
      : await countProducts(session, page.organizationIds);
  return { products: rows.map(({ totalCount: _total, ...row }) => toProduct(row)), totalCount };
}

async function countProducts(session: Session, organizationIds: readonly OrganizationId[]): Promise<number> {
  const { count } = await liveProducts(session, organizationIds)
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow();
  return count;
}

function liveProducts(
  session: Session,
  organizationIds: readonly OrganizationId[],
): SelectQueryBuilder<Tables, 'products', object> {
  return tables(session)
    .selectFrom('products')
    .where('organization_id', '=', sql<OrganizationId>`any(${organizationIds}::text[])`)
    .where('deleted_at', 'is', null);
}

function productQuery(session: Session, id: ProductId) {
  return tables(session)
    .selectFrom('products')
    .select([...columns, 'deleted_at as deletedAt'])
    .where('id', '=', id);
}

function changeable(product: Product) {
  return {
    name: product.name,
    description: product.description,
    visibility: product.visibility,
    prices: JSON.stringify(product.prices),
    metadata: JSON.stringify(product.metadata),
    modified_at: product.modifiedAt,
  };
}

function stored(row: (Row & { deletedAt: Date | null }) | undefined): StoredProduct | null {
  if (!row) return null;
  const { deletedAt, ...product } = row;
  return { product: toProduct(product), deletedAt };
}

function toProduct(row: Row): Product {
  return { ...row, prices: row.prices as Price[], metadata: row.metadata as Record<string, string> };
}
