import { CallTimeoutError, ConnectionError } from './errors.ts';
import { type Answer, retryAfterMs } from './read-answer.ts';

export interface Sending {
  fetch: typeof fetch;
  url: string;
  init: RequestInit;
  timeoutMs: number;
  /** How often it may be tried again: never, for a call that may not be repeated. */
  retries: number;
  signal: AbortSignal | undefined;
}

const FIRST_DELAY_MS = 250;
const LONGEST_DELAY_MS = 8_000;
/** Who is told to come back later than this hears of it instead of waiting. */
const LONGEST_RETRY_AFTER_MS = 60_000;

/** Sends a request until it is answered with something other than "not now", or is out of tries. */
export async function send(sending: Sending): Promise<Answer> {
  for (let tries = 1; ; tries += 1) {
    const isLast = tries > sending.retries;
    const outcome = await trySending(sending).catch((error: unknown) => {
      if (isLast || !(error instanceof ConnectionError)) throw error;
      return error;
    });
    const delayMs = outcome instanceof ConnectionError ? backoffMs(tries) : delayAfter(outcome, tries);
    if (isLast || delayMs === null) return outcome as Answer;
    await pause(delayMs, sending.signal);
  }
}

async function trySending({ fetch, url, init, timeoutMs, signal }: Sending): Promise<Answer> {
  const timeout = AbortSignal.timeout(timeoutMs);
  try {
    const response = await fetch(url, {
      ...init,
      // A redirect would take secrets along; the service sends none.
      redirect: 'error',
      signal: signal ? AbortSignal.any([signal, timeout]) : timeout,
    });
    return { status: response.status, headers: response.headers, text: await response.text() };
  } catch (cause) {
    signal?.throwIfAborted();
    if (timeout.aborted) throw new CallTimeoutError(`No answer within ${timeoutMs} ms.`, { cause });
    throw new ConnectionError('The service could not be reached, or the connection broke.', { cause });
  }
}

/** How long to wait before the next try; null if this answer is final. */
function delayAfter({ status, headers }: Answer, tries: number): number | null {
  if (status !== 429 && status !== 503) return null;
  const asked = retryAfterMs(headers);
  if (asked === null) return backoffMs(tries);
  // Everybody was told the same time: who comes a little later meets fewer.
  return asked > LONGEST_RETRY_AFTER_MS ? null : asked + Math.random() * FIRST_DELAY_MS;
}

function backoffMs(tries: number): number {
  const whole = Math.min(LONGEST_DELAY_MS, FIRST_DELAY_MS * 2 ** (tries - 1));
  return whole / 2 + (Math.random() * whole) / 2;
}

function pause(ms: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    signal?.throwIfAborted();
    const stop = () => {
      clearTimeout(timer);
      reject(signal?.reason);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', stop);
      resolve();
    }, ms);
    signal?.addEventListener('abort', stop, { once: true });
  });
}
