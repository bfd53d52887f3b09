export interface SlotsOptions {
  max: number;
  perClientMax: number;
}

/** The calls and streams that may be under way: so many in all, and so many of one client. */
export interface Slots {
  /** Why a client gets none; null if there is one for it. */
  shortage(client: string): 'busy' | 'client_busy' | null;
  take(client: string): void;
  free(client: string): void;
  taken(): number;
  takenBy(client: string): number;
}

export function createSlots({ max, perClientMax }: SlotsOptions): Slots {
  /** Of those clients only that hold any, so it is never larger than `max`. */
  const held = new Map<string, number>();
  let total = 0;

  const takenBy = (client: string): number => held.get(client) ?? 0;

  return {
    shortage(client) {
      if (total >= max) return 'busy';
      return takenBy(client) >= perClientMax ? 'client_busy' : null;
    },
    take(client) {
      total += 1;
      held.set(client, takenBy(client) + 1);
    },
    free(client) {
      total -= 1;
      const left = takenBy(client) - 1;
      if (left > 0) held.set(client, left);
      else held.delete(client);
    },
    taken: () => total,
    takenBy,
  };
}
