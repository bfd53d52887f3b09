/** The nodes: `a` reads from the primary alone, `b` is behind PgBouncer; `b` and `c` read from standbys where that is on. */
export const NODES = ['a', 'b', 'c'] as const;
export type NodeName = (typeof NODES)[number];

/**
 * Done: a 2xx. Refused: a 4xx, with its code. Unavailable: told to come again. Lost: no answer, and what became of it is not known.
 * Broken: a 500, which none of the faults may cause.
 */
export type Result = 'done' | 'refused' | 'unavailable' | 'lost' | 'broken';

/** What one introspection said of one token. */
export interface Look {
  token: string;
  active: boolean;
}

/** What was asked, and what the answer said where it was a 2xx. */
export type Facts =
  | { what: 'issue'; token?: string }
  | { what: 'exchange'; grant: string; user: string; access?: string; refresh?: string }
  | { what: 'refresh'; grant: string; user: string; from: string; access?: string; refresh?: string }
  /** One token, or many at once. */
  | { what: 'introspect'; asked: readonly string[]; looks?: readonly Look[] }
  /** Of the API folder, with this token. */
  | { what: 'call'; token: string }
  /** Ends a token, or the grant of a refresh token. */
  | { what: 'revoke'; token: string; grant: string | null }
  /** Ends all tokens of a user. */
  | { what: 'revoke in bulk'; user: string }
  /** Of a webhook endpoint, with an Idempotency-Key. */
  | { what: 'create'; key: string; id?: string }
  | { what: 'publish'; events: readonly PublishedFacts[] }
  /** Of an order, at the upstream; never sent again. */
  | { what: 'order'; token: string; note: string };

export interface PublishedFacts {
  id: string;
  /** As JSON. */
  data: string;
  occurrence?: string;
}

/** One request of a client, from its first byte to the last one of its answer. Times are of this process alone. */
export type Operation = Facts & {
  node: NodeName;
  beganMs: number;
  /** Null while it is in flight. */
  endedMs: number | null;
  result: Result | null;
  status: number | null;
  /** Of a refusal. */
  code?: string;
};

/** One attempt to deliver a webhook, as the receiver has seen it. */
export interface Arrival {
  receiver: string;
  atMs: number;
  /** The header `webhook-id`. */
  id: string;
  /** The id that its publisher has given it. */
  event: string;
  /** Of all bytes. */
  digest: string;
  data: string;
  /** The receiver said that it has it. */
  isTaken: boolean;
}

export interface History {
  operations: Operation[];
  arrivals: Arrival[];
}
