import { spanning } from '../../tracing/span.ts';
import { parseTraceparent } from '../../tracing/traceparent.ts';
import type { Tracer } from '../../tracing/tracer.ts';
import type { Attempted } from './attempt.ts';
import type { DueEvent } from './store.ts';

export interface AttemptTracing {
  tracer: Tracer;
  environment: string;
}

/** An attempt is a part of the trace that its event comes from, however much later it is made. */
export function traceAttempt(
  tracing: AttemptTracing | null,
  event: DueEvent,
  attempt: () => Promise<Attempted | null>,
): Promise<Attempted | null> {
  const span = tracing && beginAttempt(tracing, event);
  if (!span) return attempt();
  return spanning(span, async () => {
    const attempted = await attempt();
    const { status = null, error = null } = attempted?.result.attempt ?? {};
    if (status !== null) span.set({ 'http.response.status_code': status });
    if (error !== null) span.fail(error);
    return attempted;
  });
}

function beginAttempt({ tracer, environment }: AttemptTracing, event: DueEvent) {
  const { id, type, endpointId, apiVersion, tries } = event;
  const caused = event.traceparent === null ? null : parseTraceparent(event.traceparent);
  const attributes = {
    'http.request.method': 'POST',
    'dateline.environment': environment,
    'dateline.event': id,
    'dateline.endpoint': endpointId,
    'dateline.version': apiVersion,
    'dateline.tries_before': tries,
  };
  const parent = caused && { ...caused, isBelieved: true };
  return tracer.begin({ name: `deliver ${type}`, kind: 'client', attributes }, parent);
}
