/** What storage holds when all is over. */
export interface Stored {
  /** The tokens of which there is a row. */
  tokens: ReadonlySet<string>;
  endpoints: readonly { id: string; key: string }[];
  occurrences: readonly { id: string; event: string }[];
  /** The notes of the orders that the upstream took, in their order. */
  orders: readonly string[];
}
