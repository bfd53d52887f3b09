import type { Clock } from '../kernel/clock.ts';

export interface CircuitSettings {
  /** So many failures in a row, all within the window, open it. */
  failuresMax: number;
  windowMs: number;
  /** How long calls are refused before one is let through to try. */
  openMs: number;
}

export interface CircuitOptions extends CircuitSettings {
  clock: Clock;
  /** It has opened, or closed. A probe that fails keeps it open, and is not reported. */
  onTurn?(isOpen: boolean): void;
}

/** How a call ended, as far as the circuit is concerned. */
export type Verdict =
  /** There was an answer, whatever its status. */
  | 'answered'
  /** No connection, or no answer in time. */
  | 'failed'
  /** There was something, but not an answer. One caller's request may cause that, so it counts against a probe only. */
  | 'unclear'
  /** Nothing is known: the caller has left before the end. */
  | 'left';

export type Entry =
  | { isRefused: false; conclude(verdict: Verdict): void }
  | { isRefused: true; waitSeconds: number };

/** Spares callers the wait for a server that does not answer, and spares that server their calls. */
export interface Circuit {
  enter(): Entry;
  /** Until there is an answer again. */
  isOpen(): boolean;
  /** Whether a call would be refused now. */
  refuses(): boolean;
}

type State =
  | { is: 'closed'; failuresAtMs: readonly number[] }
  | { is: 'open'; sinceMs: number }
  | { is: 'probing'; sinceMs: number; probe: Verdicts };

/** Stands for one call that was let through. */
type Verdicts = (verdict: Verdict) => void;

const CLOSED: State = { is: 'closed', failuresAtMs: [] };

export function createCircuit(options: CircuitOptions): Circuit {
  const { failuresMax, windowMs, openMs, clock, onTurn = () => {} } = options;
  let state: State = CLOSED;

  function turn(next: State): void {
    const wasOpen = isOpen();
    state = next;
    if (wasOpen !== isOpen()) onTurn(isOpen());
  }

  function isOpen(): boolean {
    return state.is !== 'closed';
  }

  /** How long it stays open; 0 if a probe may go out now. */
  function restMs(sinceMs: number): number {
    const elapsedMs = nowMs() - sinceMs;
    // A clock that was set back must not keep it open for longer.
    return elapsedMs < 0 ? 0 : Math.max(0, openMs - elapsedMs);
  }

  function nowMs(): number {
    return clock.now().getTime();
  }

  function countFailure(failuresAtMs: readonly number[]): void {
    const atMs = nowMs();
    const recent = [...failuresAtMs.filter((one) => atMs - one < windowMs), atMs];
    turn(
      recent.length < failuresMax ? { is: 'closed', failuresAtMs: recent } : { is: 'open', sinceMs: atMs },
    );
  }

  function concludeProbe(verdict: 'failed' | 'unclear' | 'left', sinceMs: number): void {
    turn({ is: 'open', sinceMs: verdict === 'left' ? sinceMs : nowMs() });
  }

  function letThrough(): Verdicts {
    return function conclude(verdict) {
      if (verdict === 'answered') return turn(CLOSED);
      if (state.is === 'probing' && state.probe === conclude) return concludeProbe(verdict, state.sinceMs);
      // What was sent before it opened, and fails only now, is no news.
      if (state.is === 'closed' && verdict === 'failed') countFailure(state.failuresAtMs);
    };
  }

  function refusalMs(): number | null {
    switch (state.is) {
      case 'closed':
        return null;
      case 'open':
        return restMs(state.sinceMs) || null;
      case 'probing':
        // Nobody knows how long the probe takes.
        return 0;
      default:
        return state satisfies never;
    }
  }

  return {
    enter() {
      const waitMs = refusalMs();
      if (waitMs !== null) return { isRefused: true, waitSeconds: Math.max(1, Math.ceil(waitMs / 1000)) };
      const conclude = letThrough();
      if (state.is === 'open') turn({ is: 'probing', sinceMs: state.sinceMs, probe: conclude });
      return { isRefused: false, conclude };
    },
    isOpen,
    refuses: () => refusalMs() !== null,
  };
}
