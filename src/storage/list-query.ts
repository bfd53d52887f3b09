/**
 * The id after which a page starts. It comes from outside and may be any text: one that is not an id starts a page
 * somewhere in between. Every id sorts after the empty text.
 */
export function cursor<Id extends string>(after: string | null): Id {
  return (after ?? '') as Id;
}

/** A pattern for `ilike` that finds this text anywhere; wildcards in it are escaped. */
export function containing(search: string): string {
  return `%${search.replaceAll(/[\\%_]/g, '\\$&')}%`;
}
