import type { Json } from '@dateline/versions';

/** The items of a list that an operation answers with. */
export function itemsOf(items: unknown): readonly Json[] {
  return Array.isArray(items) ? items : [];
}
