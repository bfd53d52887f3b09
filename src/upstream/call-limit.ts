import { ApiError } from '../errors/api-error.ts';
import { type Cut, createCut } from '../outbound/cut.ts';
import type { Deadlines } from './deadlines.ts';
import type { CallerSignal } from './types.ts';
import { UpstreamError } from './upstream-error.ts';

/** Ends a call before its answer is there: time, the caller, or the end of this node. */
export interface CallLimit {
  /** Its reason is what the call fails with. */
  readonly cut: Cut;
  /** This node stops. */
  stop(): void;
  // A stream lasts for as long as bytes come, and are read: from its beginning on only idling is limited.
  /** Bytes of the upstream are waited for, from now on. */
  listen(): void;
  /** It is the turn of whoever reads the stream, of which so many bytes are unread. */
  rest(unread: () => number): void;
  // An upload takes as long as it takes: until its end only idling is limited.
  /** More of the request has come. The function tells whether it waits for the upstream to read it. */
  upload(isUnread: () => boolean): void;
  /** All of the request is sent: from now on its answer is waited for. */
  uploaded(): void;
  end(): void;
}

export interface CallLimitOptions {
  timeoutMs: number;
  /** Those of this time, for all calls. */
  deadlines: Deadlines;
  /** The time for which a stream may wait, for the upstream or for its reader. */
  idleMs: number;
  /** For the log. */
  origin: string;
  /** None where nobody can leave. */
  caller?: CallerSignal;
}

export function startCallLimit(options: CallLimitOptions): CallLimit {
  const { timeoutMs, deadlines, idleMs, origin, caller } = options;
  const cut = createCut();
  let timer: NodeJS.Timeout | undefined;
  let stopDeadline = startDeadline();
  /** Then an upload has no say in it any more. */
  let isAnswered = false;

  function startDeadline(): () => void {
    return deadlines.start(() => fail('timeout', `no whole answer within ${timeoutMs} ms`));
  }

  function fail(failure: 'timeout' | 'unread' | 'stopped', internal: string): void {
    cut.make(new UpstreamError(failure, { internal: `${origin}: ${internal}` }));
  }

  const leave = (): void => caller && cut.make(caller.reason);

  let listensToUpstream = false;

  function stopTimer(): void {
    stopDeadline();
    if (timer === undefined) return;
    clearTimeout(timer);
    timer = undefined;
    listensToUpstream = false;
  }

  function rest(unread: () => number): void {
    isAnswered = true;
    stopTimer();
    const before = unread();
    timer = setTimeout(() => {
      if (unread() < before) rest(unread);
      else fail('unread', `nothing was read for ${idleMs} ms`);
    }, idleMs);
  }

  caller?.addEventListener('abort', leave);
  return {
    cut,
    stop: () => fail('stopped', 'this node stops'),
    listen() {
      // At every chunk, so the timer is kept.
      if (listensToUpstream) return void timer?.refresh();
      isAnswered = true;
      stopTimer();
      listensToUpstream = true;
      timer = setTimeout(() => fail('timeout', `nothing came for ${idleMs} ms`), idleMs);
    },
    rest,
    upload(isUnread) {
      if (isAnswered) return;
      stopTimer();
      timer = setTimeout(() => {
        if (isUnread()) fail('timeout', `nothing of the request was read for ${idleMs} ms`);
        else cut.make(new ApiError('request_timeout'));
      }, idleMs);
    },
    uploaded() {
      if (isAnswered) return;
      stopTimer();
      stopDeadline = startDeadline();
    },
    end() {
      stopTimer();
      caller?.removeEventListener('abort', leave);
    },
  };
}
