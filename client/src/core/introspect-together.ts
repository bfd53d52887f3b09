import type { CallData } from './call-data.ts';
import type { Call, Caller } from './caller.ts';
import { DatelineError } from './dateline-error.ts';
import { ApiError } from './errors.ts';
import { membersOf } from './members.ts';
import { unlessAborted } from './time-limit.ts';
import type { CallOptions } from './types.ts';

/** More in one request was no faster, and lets others wait. */
const TOGETHER_MAX = 50;

type Input = Call['input'];
type Introspection = (input: Input, options: CallOptions) => Promise<unknown>;

interface Asked {
  token: string;
  signal: AbortSignal | undefined;
  answer(facts: unknown): void;
  fail(error: unknown): void;
}

/**
 * Introspects tokens that are asked about in the same turn of the event loop in one request. Each caller gets the answer, the
 * error and the cancellation that it would get alone. A call with options of its own, other than a signal, is made alone.
 */
export function introspectTogether(caller: Caller, one: CallData, many: CallData): Introspection {
  const gathered: Asked[] = [];
  const alone = (input: Input, options: CallOptions) => caller({ data: one, parameters: [], input, options });

  return (input, options) => {
    const { signal, ...others } = options;
    const { token, ...more } = input;
    const isPlain = Object.values({ ...more, ...others }).every((value) => value === undefined);
    if (typeof token !== 'string' || !isPlain || signal?.aborted) return alone(input, options);
    const answered = new Promise<unknown>((answer, fail) => {
      gathered.push({ token, signal, answer, fail });
      if (gathered.length === 1) afterThisTurn(sendGathered);
    });
    return signal ? unlessAborted(answered, signal) : answered;
  };

  function sendGathered(): void {
    const wanted = gathered.splice(0).filter(({ signal }) => !signal?.aborted);
    while (wanted.length > 0) void sendTogether(wanted.splice(0, TOGETHER_MAX));
  }

  async function sendTogether(asked: readonly Asked[]): Promise<void> {
    if (asked.length === 1) return askEachAlone(asked);
    const { signal, stop } = whenAllAbort(asked.map((one) => one.signal));
    const input = { tokens: asked.map(({ token }) => token) };
    try {
      const answered = await caller({ data: many, parameters: [], input, options: { signal } });
      const { introspections } = membersOf(answered);
      if (!Array.isArray(introspections)) throw new DatelineError('The answer has no introspections.');
      for (const [index, { answer }] of asked.entries()) answer(introspections[index]);
    } catch (error) {
      // What is wrong with one token must not be said of the others.
      if (isAboutInput(error)) return askEachAlone(asked);
      for (const { fail } of asked) fail(error);
    } finally {
      stop();
    }
  }

  function askEachAlone(asked: readonly Asked[]): void {
    for (const { token, signal, answer } of asked) answer(alone({ token }, { signal }));
  }
}

/** After the I/O of this turn, where the runtime has a name for that. */
function afterThisTurn(work: () => void): void {
  if ('setImmediate' in globalThis && typeof globalThis.setImmediate === 'function')
    globalThis.setImmediate(work);
  else setTimeout(work, 0);
}

function isAboutInput(error: unknown): boolean {
  return error instanceof ApiError && [400, 413, 422].includes(error.status);
}

/** Aborted once nobody waits any more. */
function whenAllAbort(signals: readonly (AbortSignal | undefined)[]): { signal: AbortSignal; stop(): void } {
  const all = new AbortController();
  let waiting = signals.length;
  const onAbort = () => {
    waiting -= 1;
    if (waiting === 0) all.abort();
  };
  for (const signal of signals) signal?.addEventListener('abort', onAbort, { once: true });
  return {
    signal: all.signal,
    stop: () => {
      for (const signal of signals) signal?.removeEventListener('abort', onAbort);
    },
  };
}
