/** Lists are read page by page, in the order of ids; a page starts after the last id of the one before. */
export interface PageRequest {
  limit: number;
  after: string | null;
}

/** A page of the items that match the search, or of all. */
export interface SearchRequest extends PageRequest {
  search?: string | undefined;
}

/** Where a list starts: after an item, or at a page number. */
export type Paging = { by: 'cursor'; after: string | null } | { by: 'page'; page: number };

export interface Page<Item> {
  items: Item[];
  /** Where the next page starts; null at the end. */
  next: string | null;
}

/** Cuts a page from rows read with one more than the limit; the extra row shows that there are more. */
export function toPage<Item>(
  rows: readonly Item[],
  limit: number,
  cursorOf: (item: Item) => string,
): Page<Item> {
  const items = rows.slice(0, limit);
  const last = items.at(-1);
  return { items, next: rows.length > limit && last !== undefined ? cursorOf(last) : null };
}
