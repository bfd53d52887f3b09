/** An RFC 3339 instant; null for anything else, and for one that does not exist, such as a leap second. */
export function readTime(text: unknown): Date | null {
  if (typeof text !== 'string' || !/^\d{4}-\d\d-\d\dT\S+$/.test(text)) return null;
  const time = new Date(text);
  return Number.isNaN(time.getTime()) ? null : time;
}
