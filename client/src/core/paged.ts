import { membersOf } from './members.ts';
import type { Page, Paged } from './types.ts';

type Query = Readonly<Record<string, unknown>>;
type AnyPage = Page<unknown, object>;

/** Fetches the first page at once, and the others when the iteration reaches them. */
export function paged(query: Query, getPage: (query: Query) => Promise<AnyPage>): Paged<unknown, object> {
  const first = getPage(query);

  async function* pages() {
    let page = await first;
    yield page;
    for (let next = nextPage(page.pagination); next; next = nextPage(page.pagination)) {
      page = await getPage({ ...query, ...next });
      yield page;
    }
  }

  async function* items() {
    for await (const page of pages()) yield* page.items;
  }

  return Object.assign(first, { pages, [Symbol.asyncIterator]: items });
}

/** Versions page by a cursor or by numbers; the answer itself says which. */
function nextPage(pagination: object): Query | null {
  if ('next_cursor' in pagination) {
    return typeof pagination.next_cursor === 'string' ? { cursor: pagination.next_cursor } : null;
  }
  const { page, max_page: last } = membersOf(pagination);
  return typeof page === 'number' && typeof last === 'number' && page < last ? { page: page + 1 } : null;
}
