import type { IncomingMessage, ServerResponse } from 'node:http';

export type RequestHandler = (request: IncomingMessage, response: ServerResponse) => void;

/**
 * The lifecycle phase of an edge, shared by all its parts. One that is leaving serves as before, and says that it is not
 * ready: load balancers have time to notice.
 */
export interface EdgeState {
  phase: 'starting' | 'ready' | 'leaving' | 'draining';
  handle: RequestHandler;
  /** Why the node is not fit to serve although it is ready; null if it is fit. */
  problem: () => string | null;
  /** What else a probe may know; null for nothing. */
  facts: () => ReadinessFacts | null;
}

export type ReadinessFacts = Readonly<Record<string, unknown>>;

export function createEdgeState(): EdgeState {
  return { phase: 'starting', handle() {}, problem: () => null, facts: () => null };
}
