import type { IncomingMessage, ServerResponse } from 'node:http';

export type RequestHandler = (request: IncomingMessage, response: ServerResponse) => void;

/** The lifecycle phase of an edge, shared by all its parts. */
export interface EdgeState {
  phase: 'starting' | 'ready' | 'draining';
  handle: RequestHandler;
  /** Why the node is not fit to serve although it is ready; null if it is fit. */
  problem: () => string | null;
}

export function createEdgeState(): EdgeState {
  return { phase: 'starting', handle() {}, problem: () => null };
}
