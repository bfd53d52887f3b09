/** More than a turn can use up. */
const STOCK = 50_000;

/** Secrets of which each is used once. */
export function createStock(add: (count: number) => Promise<string[]>) {
  const stock: string[] = [];
  let taken = 0;
  return {
    take(): string {
      const value = stock.pop();
      if (value === undefined) throw new Error(`a turn used up ${STOCK}; it needs more`);
      taken += 1;
      return value;
    },
    refill: async (): Promise<void> => void stock.push(...(await add(STOCK - stock.length))),
    taken: () => taken,
  };
}
