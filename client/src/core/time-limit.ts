import { CallTimeoutError } from './errors.ts';

export interface Patience {
  timeoutMs: number;
  signal: AbortSignal | undefined;
}

/** Does some work until it is aborted or has taken too long, and says which. */
export async function withinLimit<Value>(
  { timeoutMs, signal }: Patience,
  work: (limit: AbortSignal) => Promise<Value>,
): Promise<Value> {
  const timeout = AbortSignal.timeout(timeoutMs);
  try {
    return await work(signal ? AbortSignal.any([signal, timeout]) : timeout);
  } catch (cause) {
    signal?.throwIfAborted();
    if (timeout.aborted) throw new CallTimeoutError(`No answer within ${timeoutMs} ms.`, { cause });
    throw cause;
  }
}

/** Waits for something that others may wait for too: giving up does not cancel it for them. */
export function unlessAborted<Value>(value: Promise<Value>, signal: AbortSignal): Promise<Value> {
  return new Promise((resolve, reject) => {
    const stop = () => reject(signal.reason);
    if (signal.aborted) stop();
    signal.addEventListener('abort', stop, { once: true });
    value.then(resolve, reject).finally(() => signal.removeEventListener('abort', stop));
  });
}
