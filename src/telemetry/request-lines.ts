import type { Logger } from 'pino';
import { linePartsOf } from './pino-adapter.ts';

/** A request, as the log has it. */
export interface RequestFacts {
  requestId: string;
  method: string;
  /** The pattern that matched. */
  route: string;
  version: string;
  status: number;
  durationMs: number;
  clientId: string | null;
  operatorKeyId: string | undefined;
  error: string | undefined;
  internal: string | undefined;
  traceId: string | undefined;
}

/**
 * Writes the lines of requests, with the level, time and members that the logger's own lines have. For any object the logger
 * has to find out what it holds, which took three times as long, and there is a line for each request.
 */
export function createRequestLines(log: Logger): (facts: RequestFacts) => void {
  const { members, time, stream } = linePartsOf(log);
  const enabled = {
    debug: log.isLevelEnabled('debug'),
    info: log.isLevelEnabled('info'),
    error: log.isLevelEnabled('error'),
  };
  return (facts) => {
    const level = levelOf(facts);
    if (!enabled[level]) return;
    stream.write(`{"level":"${level}"${time()}${members}${membersOf(facts)},"msg":"request"}\n`);
  };
}

const OF_MACHINES: ReadonlySet<string> = new Set(['/metrics', '/healthz', '/readyz']);

/** True for what machines ask every few seconds: nobody looks at each of these requests. */
export function isForMachines(route: string): boolean {
  return OF_MACHINES.has(route);
}

/** A node that starts or ends says so to whoever comes too early or too late: that is no fault. */
const EXPECTED: ReadonlySet<string | undefined> = new Set(['starting', 'draining']);

function levelOf({ route, status, error }: RequestFacts): 'debug' | 'info' | 'error' {
  if (isForMachines(route)) return status >= 500 ? 'info' : 'debug';
  return status >= 500 && !EXPECTED.has(error) ? 'error' : 'info';
}

/** Absent members are left out of a line. */
function membersOf(facts: RequestFacts): string {
  const { requestId, method, version, status, clientId, operatorKeyId, error, internal, traceId } = facts;
  const durationMs = Math.round(facts.durationMs * 1000) / 1000;
  // Ids, methods, versions and codes are of our own making, or have been checked: none holds what JSON would have to escape.
  let text = `,"request_id":"${requestId}","method":"${method}","route":${quotedRoute(facts.route)},"version":"${version}","status":${status},"duration_ms":${durationMs}`;
  if (traceId !== undefined) text += `,"trace_id":"${traceId}"`;
  if (clientId !== null) text += `,"client_id":"${clientId}"`;
  if (operatorKeyId !== undefined) text += `,"operator_key_id":"${operatorKeyId}"`;
  if (error !== undefined) text += `,"error":"${error}"`;
  if (internal !== undefined) text += `,"internal":${JSON.stringify(internal)}`;
  return text;
}

const quotedRoutes = new Map<string, string>();

/** Routes are few: each is written as JSON once. */
function quotedRoute(route: string): string {
  const known = quotedRoutes.get(route) ?? JSON.stringify(route);
  quotedRoutes.set(route, known);
  return known;
}
