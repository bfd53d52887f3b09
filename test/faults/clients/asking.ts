import type { Facts, History, NodeName, Operation, Result } from './history.ts';

export interface Asked {
  node: NodeName;
  url: string;
  init: RequestInit;
  facts: Facts;
  /** Notes what a 2xx has said. */
  // biome-ignore lint/suspicious/noExplicitAny: clients read answers of every shape.
  read?: (body: any, operation: Operation) => void;
}

/** Nobody waits longer: what takes more has no answer. */
const TIMEOUT_MS = 7_000;

/** Sends one request and writes down all of it. */
export async function ask(history: History, { node, url, init, facts, read }: Asked): Promise<Operation> {
  const operation: Operation = {
    ...facts,
    node,
    beganMs: performance.now(),
    endedMs: null,
    result: null,
    status: null,
  };
  history.operations.push(operation);
  try {
    const response = await fetch(url, { ...init, signal: AbortSignal.timeout(TIMEOUT_MS) });
    const text = await response.text();
    operation.status = response.status;
    operation.endedMs = performance.now();
    const result = resultOf(response.status);
    const body = text === '' ? {} : JSON.parse(text);
    if (result === 'done') read?.(body, operation);
    else operation.code = String(body.error ?? body.code ?? '');
    operation.result = result;
  } catch {
    operation.endedMs = performance.now();
    operation.result = 'lost';
  }
  return operation;
}

function resultOf(status: number): Result {
  if (status < 300) return 'done';
  if ([429, 502, 503, 504].includes(status)) return 'unavailable';
  return status < 500 ? 'refused' : 'broken';
}
