/**
 * Where a page starts, to compare ids with. It comes from outside and may be any text: it finds the next page if it was
 * the last id of the one before, and a page from somewhere in between if it was not. Every id lies after the empty text.
 */
export function cursor<Id extends string>(after: string | null): Id {
  return (after ?? '') as Id;
}

/** A pattern for `ilike`: what contains this text. What is searched for is text, and no pattern itself. */
export function containing(search: string): string {
  return `%${search.replaceAll(/[\\%_]/g, '\\$&')}%`;
}
