import { CallTimeoutError, ConnectionError } from './errors.ts';
import { type Answer, retryAfterMs } from './read-answer.ts';
import { type Patience, withinLimit } from './time-limit.ts';

export interface Sending extends Patience {
  fetch: typeof fetch;
  url: string;
  init: RequestInit;
  /** The number of further tries: none for a call that may not be repeated. */
  retries: number;
  /** Which answers mean "not now"; by default 429 and 503. */
  retriesOn?: (status: number) => boolean;
}

const FIRST_DELAY_MS = 250;
const LONGEST_DELAY_MS = 8_000;
/** A longer `Retry-After` is returned to the caller instead of being waited for. */
const LONGEST_RETRY_AFTER_MS = 60_000;

/** Sends a request until it is answered with something other than "not now", or is out of tries. */
export async function send(sending: Sending): Promise<Answer> {
  for (let tries = 1; ; tries += 1) {
    const isLast = tries > sending.retries;
    const outcome = await trySending(sending).catch((error: unknown) => {
      if (isLast || !(error instanceof ConnectionError)) throw error;
      return error;
    });
    const delayMs =
      outcome instanceof ConnectionError ? backoffMs(tries) : delayAfter(outcome, tries, sending);
    if (!(outcome instanceof ConnectionError) && (isLast || delayMs === null)) return outcome;
    await pause(delayMs ?? 0, sending.signal);
  }
}

async function trySending(sending: Sending): Promise<Answer> {
  const { fetch, url, init } = sending;
  try {
    return await withinLimit(sending, async (signal) => {
      // A redirect would take secrets along; the service sends none. Not "error", which not every runtime knows.
      const response = await fetch(url, { ...init, redirect: 'manual', signal });
      if (isRedirect(response)) throw new Error('The answer is a redirect, which is not followed.');
      return { status: response.status, headers: response.headers, text: await response.text() };
    });
  } catch (cause) {
    if (cause instanceof CallTimeoutError || sending.signal?.aborted) throw cause;
    throw new ConnectionError('The service could not be reached, or the connection broke.', { cause });
  }
}

/** Browsers show nothing of one but its type. */
function isRedirect({ type, status }: Response): boolean {
  return type === 'opaqueredirect' || (status >= 300 && status < 400);
}

/** The wait before the next try; null if this answer is final. */
function delayAfter(
  { status, headers }: Answer,
  tries: number,
  { retriesOn = isNotNow }: Sending,
): number | null {
  if (!retriesOn(status)) return null;
  const asked = retryAfterMs(headers);
  if (asked === null) return backoffMs(tries);
  // All clients may have got the same time: a random delay spreads them.
  return asked > LONGEST_RETRY_AFTER_MS ? null : asked + Math.random() * FIRST_DELAY_MS;
}

function isNotNow(status: number): boolean {
  return status === 429 || status === 503;
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
