import type { UpgradableRequest } from '@dateline/versions';

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

export interface CreateEndpointCommand {
  organizationId: string | null;
  url: string;
  format: 'raw' | 'slack' | 'discord';
  events: readonly string[];
  apiVersion: string | null;
  enabled: boolean;
  description: string | null;
  maxPerSecond: number | null;
}

export type UpdateEndpointCommand = Partial<Omit<CreateEndpointCommand, 'organizationId'>>;

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

export function createEndpointCommand(request: UpgradableRequest): CreateEndpointCommand {
  const { organization_id: organizationId = null } = request.body as { organization_id?: string };
  return {
    organizationId,
    format: 'raw',
    apiVersion: null,
    enabled: true,
    description: null,
    maxPerSecond: null,
    ...updateEndpointCommand(request),
  } as CreateEndpointCommand;
}

export function updateEndpointCommand({ body, command }: UpgradableRequest): UpdateEndpointCommand {
  const { organization_id: _notHere, api_version: apiVersion, max_per_second: maxPerSecond, ...rest } = body;
  return {
    ...rest,
    ...(apiVersion === undefined ? {} : { apiVersion }),
    ...(maxPerSecond === undefined ? {} : { maxPerSecond }),
    ...command,
  } as UpdateEndpointCommand;
}
