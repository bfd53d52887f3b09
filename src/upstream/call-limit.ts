import { type Cut, createCut } from '../kernel/cut.ts';
import type { CallerSignal } from './types.ts';
import { UpstreamError } from './upstream-error.ts';

/** What ends a call before its answer is there: time, the caller, or the end of this node. */
export interface CallLimit {
  /** Its reason is what the call fails with. */
  readonly cut: Cut;
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

export interface CallLimitOptions {
  timeoutMs: number;
  silenceMs: number;
  /** For the log. */
  origin: string;
  /** None where nobody can leave. */
  caller?: CallerSignal;
}

export function startCallLimit({ timeoutMs, silenceMs, origin, caller }: CallLimitOptions): CallLimit {
  const cut = createCut();
  let timer: NodeJS.Timeout | undefined = setTimeout(
    () => fail('timeout', `no whole answer within ${timeoutMs} ms`),
    timeoutMs,
  );

  function fail(failure: 'timeout' | 'stopped', internal: string): void {
    cut.make(new UpstreamError(failure, { internal: `${origin}: ${internal}` }));
  }

  const leave = (): void => cut.make(caller?.reason);

  function rest(): void {
    clearTimeout(timer);
    timer = undefined;
  }

  caller?.addEventListener('abort', leave);
  return {
    cut,
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
