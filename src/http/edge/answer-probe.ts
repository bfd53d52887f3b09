import type { IncomingMessage, ServerResponse } from 'node:http';
import { ApiError } from '../../errors/api-error.ts';
import { answerError } from './answer-error.ts';
import type { EdgeState } from './edge-state.ts';
import { requestContext } from './request-context.ts';

export function isProbe(path: string): path is '/healthz' | '/readyz' {
  return path === '/healthz' || path === '/readyz';
}

const PROBE_METHODS = ['GET', 'HEAD'];

/** Answers liveness and readiness probes, in every phase. */
export function answerProbe(
  request: IncomingMessage,
  response: ServerResponse,
  path: '/healthz' | '/readyz',
  state: EdgeState,
): void {
  const context = requestContext(request);
  context.route = path;
  if (isEnding(state)) response.setHeader('connection', 'close');
  const { method = '' } = request;
  if (method === 'OPTIONS') {
    const allow = [...PROBE_METHODS, 'OPTIONS'].join(', ');
    return void response.writeHead(204, { ...context.headers, allow }).end();
  }
  if (!PROBE_METHODS.includes(method))
    return answerError(
      request,
      response,
      new ApiError('method_not_allowed', { headers: { allow: PROBE_METHODS.join(', ') } }),
    );
  const { status, body } = path === '/healthz' ? ALIVE : readiness(state);
  response.writeHead(status, { ...context.headers, ...PROBE_HEADERS }).end(body);
}

const PROBE_HEADERS = { 'cache-control': 'no-store', 'content-type': 'application/json; charset=utf-8' };
const ALIVE = { status: 200, body: '{"status":"alive"}' };

function readiness(state: EdgeState): { status: number; body: string } {
  const problem = state.problem();
  const status = isEnding(state) ? 'draining' : state.phase;
  const body = { ...(problem === null ? { status } : { status: 'unfit', problem }), ...state.facts() };
  return { status: status === 'ready' && problem === null ? 200 : 503, body: JSON.stringify(body) };
}

function isEnding({ phase }: EdgeState): boolean {
  return phase === 'leaving' || phase === 'draining';
}
