/** Which way bytes go: from the client to PostgreSQL, or back. */
export type Direction = 'toServer' | 'toClient';

/** The present treatment of all connections of a way. */
export interface Weather {
  delayMs: number;
  held: readonly Direction[];
  /** New connections lose everything. */
  isSilent: boolean;
}

export const calm: Weather = { delayMs: 0, held: [], isSilent: false };
