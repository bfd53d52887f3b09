import type { Page, PageRequest, SearchRequest } from '../../kernel/page.ts';

const LIMIT_DEFAULT = 50;
export const LIMIT_MAX = 100;

interface AsksForPage {
  query: { limit?: number; cursor?: string };
}

/** The page that a query asks for. */
export function pageRequest({ query: { limit = LIMIT_DEFAULT, cursor = '' } }: AsksForPage): PageRequest {
  return { limit, after: cursor === '' ? null : cursor };
}

/** The same with what is searched for. */
export function searchRequest(asks: AsksForPage & { query: { search?: string } }): SearchRequest {
  return { ...pageRequest(asks), search: asks.query.search };
}

export function pageBody<Item, Body>(page: Page<Item>, toBody: (item: Item) => Body) {
  return { items: page.items.map(toBody), pagination: { next_cursor: page.next } };
}
