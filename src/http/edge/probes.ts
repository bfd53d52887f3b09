import type { IncomingMessage, ServerResponse } from 'node:http';
import type { EdgeState } from './edge-state.ts';
import { requestContext } from './request-context.ts';

export function isProbe(path: string): path is '/healthz' | '/readyz' {
  return path === '/healthz' || path === '/readyz';
}

/** Answers liveness and readiness probes, in every phase. */
export function answerProbe(
  request: IncomingMessage,
  response: ServerResponse,
  path: '/healthz' | '/readyz',
  state: EdgeState,
): void {
  requestContext(request).route = path;
  response.setHeader('cache-control', 'no-store');
  response.setHeader('content-type', 'application/json; charset=utf-8');
  if (state.phase === 'draining') response.setHeader('connection', 'close');
  if (path === '/healthz') response.writeHead(200).end('{"status":"alive"}');
  else answerReadiness(response, state);
}

function answerReadiness(response: ServerResponse, { phase, problem: problemOf }: EdgeState): void {
  const problem = problemOf();
  const body = problem === null ? { status: phase } : { status: 'unfit', problem };
  response.writeHead(phase === 'ready' && problem === null ? 200 : 503).end(JSON.stringify(body));
}
