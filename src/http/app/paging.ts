import type { FastifyRequest } from 'fastify';
import { ApiError } from '../../errors/api-error.ts';
import type { Page, PageRequest } from '../../kernel/page.ts';

const LIMIT_DEFAULT = 50;
const LIMIT_MAX = 100;

/** Reads `limit` and `cursor` from the query. */
export function pageRequest(request: FastifyRequest): PageRequest {
  const { limit = String(LIMIT_DEFAULT), cursor = '' } = request.query as Record<string, unknown>;
  if (
    typeof limit !== 'string' ||
    !/^\d{1,3}$/.test(limit) ||
    Number(limit) < 1 ||
    Number(limit) > LIMIT_MAX
  ) {
    throw new ApiError('validation_failed', {
      detail: `limit must be a whole number from 1 to ${LIMIT_MAX}.`,
    });
  }
  if (typeof cursor !== 'string' || !/^[A-Za-z0-9_]{0,64}$/.test(cursor)) {
    throw new ApiError('validation_failed', { detail: 'cursor must be the next_cursor of an earlier page.' });
  }
  return { limit: Number(limit), after: cursor === '' ? null : cursor };
}

export function pageBody<Item, Body>(page: Page<Item>, toBody: (item: Item) => Body) {
  return { items: page.items.map(toBody), pagination: { next_cursor: page.next } };
}
