import type { IncomingMessage } from 'node:http';
import type { ApiVersion } from '@dateline/versions';
import type { Lifecycle } from '../../releases/release-ledger.ts';
import type { Use } from '../../usage/types.ts';

/** What is known about a request besides the request itself: for its log line and its metrics. */
export interface RequestContext {
  readonly requestId: string;
  readonly startedAtMs: number;
  /** The version that processes the request; Current where the requested one was rejected. */
  readonly version: ApiVersion;
  /** The request named its version. */
  readonly pinned: boolean;
  /** The state of versions when the request arrived; a release meanwhile does not change it. */
  readonly lifecycle: Lifecycle;
  /** The pattern that matched, such as `/v1/products/:id`. Never the address itself, which may contain a secret. */
  route: string;
  /** What usage counts of it. Absent where it does not count: see request-use.ts. */
  use?: Use;
  /** For the log only. */
  internal?: string;
}

const contexts = new WeakMap<IncomingMessage, RequestContext>();

export function setRequestContext(request: IncomingMessage, context: RequestContext): void {
  contexts.set(request, context);
}

export function requestContext(request: IncomingMessage): RequestContext {
  const context = contexts.get(request);
  if (!context) throw new Error('this request did not come through the edge');
  return context;
}
