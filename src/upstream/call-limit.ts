import { UpstreamError } from './upstream-error.ts';

/** What ends a call before its answer is there: time, the caller, or the end of this node. */
export interface CallLimit {
  /** Its reason is what the call fails with. */
  readonly signal: AbortSignal;
  /** From here on only silence is limited: a stream lasts for as long as bytes come. */
  beginStream(): void;
  /** Bytes are waited for, from now on. Only after `beginStream`. */
  listen(): void;
  /** Nobody waits for bytes: whoever reads the stream is slower than the upstream. */
  rest(): void;
  end(): void;
}

export interface CallLimitOptions {
  timeoutMs: number;
  silenceMs: number;
  /** For the log. */
  origin: string;
  caller: AbortSignal;
  closing: AbortSignal;
}

export function startCallLimit(options: CallLimitOptions): CallLimit {
  const { timeoutMs, silenceMs, origin, caller, closing } = options;
  const controller = new AbortController();
  const timeOut = (internal: string) => () => fail('timeout', internal);
  let timer: NodeJS.Timeout | undefined = setTimeout(
    timeOut(`no whole answer within ${timeoutMs} ms`),
    timeoutMs,
  );

  function fail(failure: 'timeout' | 'stopped', internal: string): void {
    controller.abort(new UpstreamError(failure, { internal: `${origin}: ${internal}` }));
  }
  const leave = (): void => controller.abort(caller.reason);
  const stop = (): void => fail('stopped', 'this node stops');

  function rest(): void {
    clearTimeout(timer);
    timer = undefined;
  }

  caller.addEventListener('abort', leave);
  closing.addEventListener('abort', stop);
  return {
    signal: controller.signal,
    beginStream: rest,
    listen() {
      timer = timer?.refresh() ?? setTimeout(timeOut(`nothing came for ${silenceMs} ms`), silenceMs);
    },
    rest,
    end() {
      rest();
      caller.removeEventListener('abort', leave);
      closing.removeEventListener('abort', stop);
    },
  };
}
