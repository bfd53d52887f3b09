import type { OrganizationId } from '../identity/types.ts';
import { type Id, isId } from '../kernel/ids.ts';

export type ProductId = Id<'product'>;

export const productIdPrefix = 'prd';
export const isProductId = (id: string): id is ProductId => isId(productIdPrefix, id);

export type Billing = 'one_time' | 'recurring' | 'usage';
export type Visibility = 'public' | 'private' | 'archived';

/** In minor units; one price per currency, the first one is the primary. */
export interface Price {
  amount: number;
  currency: string;
}

export interface Product {
  id: ProductId;
  organizationId: OrganizationId;
  name: string;
  description: string | null;
  billing: Billing;
  visibility: Visibility;
  prices: readonly Price[];
  metadata: Readonly<Record<string, string>>;
  createdAt: Date;
  modifiedAt: Date;
}

export type NewProduct = Omit<Product, 'id' | 'organizationId' | 'createdAt' | 'modifiedAt'>;

/** The fields that can change: billing stays as it was created. */
type Changeable = Omit<NewProduct, 'billing'>;

/** Every way in which any maintained version can change a product; undefined leaves a field as it is. */
export type ProductChanges = {
  readonly [Name in keyof Changeable]: Changeable[Name] | undefined;
} & {
  readonly archive: true | undefined;
  /** Makes an archived product public, and leaves one that is not archived as it is. */
  readonly unarchive: true | undefined;
  /** Replaces the first price and leaves the others. */
  readonly setPrimaryPrice: Price | undefined;
};
