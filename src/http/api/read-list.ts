import type { PageRequest, Paging } from '../../kernel/page.ts';

export interface ListRequest {
  limit: number;
  paging: Paging;
}

const LIMIT_DEFAULT = 50;

interface PagedRequest {
  readonly query: { readonly limit?: number; readonly cursor?: string };
}

/** For a list that is read by cursor in every version. */
export function pageIn({ query }: PagedRequest): PageRequest {
  const { limit = LIMIT_DEFAULT, cursor } = query;
  return { limit, after: cursor ?? null };
}

/** For a list that older versions read by page number. */
export function listIn(
  request: PagedRequest & { readonly command: { readonly page?: number } },
): ListRequest {
  const { limit, after } = pageIn(request);
  const { page } = request.command;
  return { limit, paging: page === undefined ? { by: 'cursor', after } : { by: 'page', page } };
}
