/** A pattern for `ilike`: what contains this text. What is searched for is text, and no pattern itself. */
export function containing(search: string): string {
  return `%${search.replaceAll(/[\\%_]/g, '\\$&')}%`;
}
