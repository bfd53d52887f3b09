import type { InFlight } from './in-flight.ts';
import { requestContext } from './request-context.ts';

/** How late a request may be refused. */
const EVERY_MS = 250;

/**
 * Refuses requests that are not answered in time. One look at all of them now and then: a timer for each request was a
 * twentieth of what the edge costs. Answers with a function that ends it.
 */
export function refuseOverdue(inFlight: InFlight): () => void {
  const timer = setInterval(() => {
    const nowMs = performance.now();
    for (const { request } of [...inFlight.all()]) {
      const context = requestContext(request);
      if (context.deadline === undefined || nowMs < context.deadline.atMs) continue;
      context.deadline.refuse();
      context.deadline = undefined;
    }
  }, EVERY_MS).unref();
  return () => clearInterval(timer);
}
