import type { UpgradableRequest } from '../../versions/change.ts';

// What an operation is asked to do, whatever version asks. The newest request makes one of these; what older versions
// say that the newest cannot comes in `request.command` and is laid over it.

export interface PriceInput {
  amount: number;
  currency: string;
}

export type PagingInput = { by: 'cursor'; after: string | null } | { by: 'page'; page: number };

export interface ListCommand {
  organizationId: string | null;
  limit: number;
  paging: PagingInput;
}

export interface CreateProductCommand {
  organizationId: string | null;
  name: string;
  description: string | null;
  billing: 'one_time' | 'recurring' | 'usage';
  visibility: 'public' | 'private' | 'archived';
  prices: readonly PriceInput[];
  metadata: Readonly<Record<string, string>>;
}

export interface UpdateProductCommand {
  id: string;
  changes: {
    name?: string;
    description?: string | null;
    visibility?: 'public' | 'private' | 'archived';
    prices?: readonly PriceInput[];
    metadata?: Readonly<Record<string, string>>;
    archive?: boolean;
    unarchive?: boolean;
    setPrimaryPrice?: PriceInput;
  };
}

const LIMIT_DEFAULT = 50;

export function listCommand({ query, command }: UpgradableRequest): ListCommand {
  const { page } = command as { page?: number };
  const {
    organization_id: organizationId,
    limit,
    cursor,
  } = query as Record<string, string | number | undefined>;
  return {
    organizationId: (organizationId as string | undefined) ?? null,
    limit: Number(limit ?? LIMIT_DEFAULT),
    paging:
      page === undefined
        ? { by: 'cursor', after: (cursor as string | undefined) ?? null }
        : { by: 'page', page },
  };
}

export function createProductCommand({ body }: UpgradableRequest): CreateProductCommand {
  const {
    organization_id: organizationId = null,
    description = null,
    visibility = 'public',
    metadata = {},
    ...rest
  } = body;
  return { organizationId, description, visibility, metadata, ...rest } as CreateProductCommand;
}

export function updateProductCommand({ params, body, command }: UpgradableRequest): UpdateProductCommand {
  return { id: params.id ?? '', changes: { ...body, ...command } };
}
