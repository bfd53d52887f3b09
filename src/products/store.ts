import type { ColumnType, Kysely } from 'kysely';
import type { OrganizationId } from '../identity/types.ts';
import { allMapped } from '../kernel/presence.ts';
import type { Columns, Session } from '../storage/database.ts';
import { statement } from '../storage/statement.ts';
import type { Price, Product, ProductId } from './types.ts';

interface Tables {
  products: Columns<Omit<Product, 'prices' | 'metadata'>> & {
    prices: ColumnType<readonly Price[], string, string>;
    metadata: ColumnType<Readonly<Record<string, string>>, string, string>;
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

export async function insertProduct(session: Session, product: Product): Promise<void> {
  await tables(session).insertInto('products').values(rowOf(product)).execute();
}

export async function updateProduct(session: Session, product: Product): Promise<void> {
  await tables(session).updateTable('products').set(rowOf(product)).where('id', '=', product.id).execute();
}

/** Deleted products count too: their rows refer to their organization. */
export async function selectOrganizationsWithProducts(
  session: Session,
  ids: readonly OrganizationId[],
): Promise<OrganizationId[]> {
  const rows = await tables(session)
    .selectFrom('products')
    .select('organization_id as id')
    .distinct()
    .where('organization_id', 'in', ids)
    .execute();
  return rows.map(({ id }) => id);
}

/** Not even remembered as deleted: nobody can ask for them any more. */
export async function deleteProductsOf(session: Session, organizationId: OrganizationId): Promise<void> {
  await tables(session).deleteFrom('products').where('organization_id', '=', organizationId).execute();
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

/** Locks the product until the transaction ends. */
export async function selectProductForUpdate(session: Session, id: ProductId): Promise<StoredProduct | null> {
  return stored(await productQuery(session, id).forUpdate().executeTakeFirst());
}

// Lists are the most frequent reads, so their statements are written by hand.
const COLUMNS = columns.map((column) => column.replace(/ as (\w+)$/, ' as "$1"')).join(', ');
const LIVE = 'organization_id = any($1::text[]) and deleted_at is null';

const LIST_AFTER = statement(
  'list_products_after',
  `select ${COLUMNS} from {schema}.products where ${LIVE} and id > $2 order by id limit $3`,
);
const LIST_FROM = statement(
  'list_products_from',
  `select ${COLUMNS} from {schema}.products where ${LIVE} order by id offset $2 limit $3`,
);
const COUNT = statement('count_products', `select count(*) as count from {schema}.products where ${LIVE}`);

/** One more than the limit, to see whether there is more. */
export async function selectProductsAfter(
  session: Session,
  page: { organizationIds: readonly OrganizationId[]; limit: number; after: string | null },
): Promise<Product[]> {
  return session.run<Product>(LIST_AFTER, [page.organizationIds, page.after ?? '', page.limit + 1]);
}

/**
 * A page by its offset, with the number of all products. The last page gives that number by itself. Before it they are
 * counted from the index alone: `count(*) over ()` would read all products whole for every page.
 */
export async function selectNumberedPage(
  session: Session,
  page: { organizationIds: readonly OrganizationId[]; limit: number; offset: number },
): Promise<{ products: Product[]; totalCount: number }> {
  const { organizationIds, limit, offset } = page;
  const rows = await session.run<Product>(LIST_FROM, [organizationIds, offset, limit + 1]);
  const isLast = rows.length <= limit && (rows.length > 0 || offset === 0);
  return {
    products: rows.slice(0, limit),
    totalCount: isLast ? offset + rows.length : await countProducts(session, organizationIds),
  };
}

async function countProducts(session: Session, organizationIds: readonly OrganizationId[]): Promise<number> {
  const [row] = await session.run<{ count: number }>(COUNT, [organizationIds]);
  return row?.count ?? 0;
}

function productQuery(session: Session, id: ProductId) {
  return tables(session)
    .selectFrom('products')
    .select([...columns, 'deleted_at as deletedAt'])
    .where('id', '=', id);
}

function rowOf(product: Product) {
  const { id, organizationId, name, description, billing, visibility, ...others } = product;
  const { prices, metadata, createdAt, modifiedAt, ...rest } = others;
  allMapped(rest);
  return {
    id,
    organization_id: organizationId,
    name,
    description,
    billing,
    visibility,
    prices: JSON.stringify(prices),
    metadata: JSON.stringify(metadata),
    created_at: createdAt,
    modified_at: modifiedAt,
  };
}

function stored(row: (Product & { deletedAt: Date | null }) | undefined): StoredProduct | null {
  if (!row) return null;
  const { deletedAt, ...product } = row;
  return { product, deletedAt };
}
