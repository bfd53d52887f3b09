import type { Logger } from 'pino';
import { errorStack } from '../../kernel/error-facts.ts';
import type { Exchange, InFlight } from './in-flight.ts';
import { requestContext } from './request-context.ts';

/** Interval of the check, and so the most that a refusal is late. */
const EVERY_MS = 250;

/**
 * Refuses requests that are not answered in time. Polls all of them: a timer for each request was a twentieth of what
 * the edge costs. Returns a function that stops it.
 */
export function refuseOverdue(inFlight: InFlight, log: Logger): () => void {
  const timer = setInterval(() => {
    const nowMs = performance.now();
    for (const exchange of [...inFlight.all()]) refuseIfOverdue(exchange, nowMs, log);
  }, EVERY_MS).unref();
  return () => clearInterval(timer);
}

/** An answer that has begun may take as long as it takes: it cannot be replaced any more. */
function refuseIfOverdue({ request, response }: Exchange, nowMs: number, log: Logger): void {
  const context = requestContext(request);
  const { deadline } = context;
  if (deadline === undefined || nowMs < deadline.atMs) return;
  context.deadline = undefined;
  if (response.headersSent) return;
  try {
    deadline.refuse();
  } catch (error) {
    // What is thrown in a timer would end the process, and everybody else's requests with it.
    log.error(
      { request_id: context.requestId, internal: errorStack(error) },
      'could not refuse an overdue request',
    );
    response.destroy();
  }
}
