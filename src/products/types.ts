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
