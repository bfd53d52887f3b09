import type { CallerSignal } from './types.ts';
import { UpstreamError } from './upstream-error.ts';

/** What ends a call before its answer is there: time, the caller, or the end of this node. */
export interface CallLimit {
  /** Calls this when the call has to end, with what it fails with: at once where that has happened. One listens at a time. */
  listenForCut(listener: CutListener): void;
  /** Nobody listens any more. */
  ignoreCut(): void;
  /** This node stops. */
  stop(): void;
  /** From here on only silence is limited: a stream lasts for as long as bytes come. */
  beginStream(): void;
  /** Bytes are waited for, from now on. Only after `beginStream`. */
  listen(): void;
  /** Nobody waits for bytes: whoever reads the stream is slower than the upstream. */
  rest(): void;
  end(): void;
}

/** A caller may leave for any reason. */
type CutListener = (reason: unknown) => void;

export interface CallLimitOptions {
  timeoutMs: number;
  silenceMs: number;
  /** For the log. */
  origin: string;
  /** None where nobody can leave. */
  caller?: CallerSignal;
}

export function startCallLimit({ timeoutMs, silenceMs, origin, caller }: CallLimitOptions): CallLimit {
  let listener: CutListener | null = null;
  let made: { reason: unknown } | null = null;
  let timer: NodeJS.Timeout | undefined = setTimeout(
    () => fail('timeout', `no whole answer within ${timeoutMs} ms`),
    timeoutMs,
  );

  /** The first reason counts. */
  function cut(reason: unknown): void {
    if (made !== null) return;
    made = { reason };
    listener?.(reason);
  }

  function fail(failure: 'timeout' | 'stopped', internal: string): void {
    cut(new UpstreamError(failure, { internal: `${origin}: ${internal}` }));
  }

  const leave = (): void => cut(caller?.reason);

  function rest(): void {
    clearTimeout(timer);
    timer = undefined;
  }

  caller?.addEventListener('abort', leave);
  return {
    listenForCut(listening) {
      listener = listening;
      if (made !== null) listener(made.reason);
    },
    ignoreCut() {
      listener = null;
    },
    stop: () => fail('stopped', 'this node stops'),
    beginStream: rest,
    listen() {
      timer =
        timer?.refresh() ?? setTimeout(() => fail('timeout', `nothing came for ${silenceMs} ms`), silenceMs);
    },
    rest,
    end() {
      rest();
      caller?.removeEventListener('abort', leave);
    },
  };
}
