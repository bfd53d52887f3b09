import type { IncomingMessage, ServerResponse } from 'node:http';

export type RequestHandler = (request: IncomingMessage, response: ServerResponse) => void;

/** How far an edge is in its life. All its parts share one of these. */
export interface EdgeState {
  phase: 'starting' | 'ready' | 'draining';
  handle: RequestHandler;
  /** Why the node is not fit to serve although it is ready; null if it is fit. */
  problem: () => string | null;
}

export function createEdgeState(): EdgeState {
  return { phase: 'starting', handle() {}, problem: () => null };
}
