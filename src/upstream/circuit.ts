import type { Clock } from '../kernel/clock.ts';

export interface CircuitSettings {
  /** So many failures in a row, all within the window, open it; what one client's requests may have caused counts once. */
  failuresMax: number;
  windowMs: number;
  /** The time for which calls are refused before one is let through to try. */
  openMs: number;
}

export interface CircuitOptions extends CircuitSettings {
  clock: Clock;
  /** It has opened, or closed. A probe that fails keeps it open, and is not reported. */
  onTurn?(isOpen: boolean): void;
}

/** The end of a call, as far as the circuit is concerned. */
export type Verdict =
  /** There was an answer, whatever its status. */
  | 'answered'
  /** No connection: no request can cause that. */
  | 'failed'
  /** A connection, and no answer on it. A slow request causes that, so of one client it counts once. */
  | 'unanswered'
  /** There was something, but not an answer. One caller's request may cause that, so it counts against a probe only. */
  | 'unclear'
  /** Nothing is known: the caller has left before the end. */
  | 'left';

export type Entry =
  | { isRefused: false; conclude(verdict: Verdict): void }
  | { isRefused: true; waitSeconds: number };

/** Spares callers the wait for a server that does not answer, and spares that server their calls. */
export interface Circuit {
  enter(client: string): Entry;
  /** Until there is an answer again. */
  isOpen(): boolean;
  /** Returns true if a call would be refused now. */
  refuses(): boolean;
}

type State =
  | { is: 'closed'; failures: readonly CountedFailure[] }
  | { is: 'open'; sinceMs: number }
  | { is: 'probing'; sinceMs: number; probe: Verdicts };

interface CountedFailure {
  atMs: number;
  /** Whose requests may have caused it; null where none can. */
  client: string | null;
}

/** Stands for one call that was let through. */
type Verdicts = (verdict: Verdict) => void;

const CLOSED: State = { is: 'closed', failures: [] };

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

  /** The time for which it stays open; 0 if a probe may go out now. */
  function restMs(sinceMs: number): number {
    const elapsedMs = nowMs() - sinceMs;
    // A clock that was set back must not keep it open for longer.
    return elapsedMs < 0 ? 0 : Math.max(0, openMs - elapsedMs);
  }

  function nowMs(): number {
    return clock.now().getTime();
  }

  function countFailure(failures: readonly CountedFailure[], client: string | null): void {
    const atMs = nowMs();
    const isOther = (one: CountedFailure): boolean => client === null || one.client !== client;
    const before = failures.filter((one) => atMs - one.atMs < windowMs && isOther(one));
    const recent = [...before, { atMs, client }];
    turn(recent.length < failuresMax ? { is: 'closed', failures: recent } : { is: 'open', sinceMs: atMs });
  }

  function concludeProbe(verdict: Exclude<Verdict, 'answered'>, sinceMs: number): void {
    turn({ is: 'open', sinceMs: verdict === 'left' ? sinceMs : nowMs() });
  }

  function letThrough(client: string): Verdicts {
    return function conclude(verdict) {
      if (verdict === 'answered') return turn(CLOSED);
      if (state.is === 'probing' && state.probe === conclude) return concludeProbe(verdict, state.sinceMs);
      // What was sent before it opened, and fails only now, is no news.
      if (state.is !== 'closed') return;
      if (verdict === 'failed') countFailure(state.failures, null);
      if (verdict === 'unanswered') countFailure(state.failures, client);
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
    enter(client) {
      const waitMs = refusalMs();
      if (waitMs !== null) return { isRefused: true, waitSeconds: Math.max(1, Math.ceil(waitMs / 1000)) };
      const conclude = letThrough(client);
      if (state.is === 'open') turn({ is: 'probing', sinceMs: state.sinceMs, probe: conclude });
      return { isRefused: false, conclude };
    },
    isOpen,
    refuses: () => refusalMs() !== null,
  };
}

export interface CircuitsOptions extends Omit<CircuitOptions, 'onTurn'> {
  onTurn(operation: string, isOpen: boolean): void;
}

/** A circuit for each operation: that one of them gets no answers says nothing of the others. */
export interface Circuits {
  of(operation: string): Circuit;
  isAnyOpen(): boolean;
  /** Some operation answers, for all that is known. */
  answered(): void;
  /** Returns true if calls are refused, and nothing has answered since the last circuit opened. */
  refusesAll(): boolean;
}

export function createCircuits({ onTurn, ...options }: CircuitsOptions): Circuits {
  // As many as the contract has operations: nothing that a caller sends makes another one.
  const circuits = new Map<string, Circuit>();
  let hasAnswered = true;

  function make(operation: string): Circuit {
    const circuit = createCircuit({
      ...options,
      onTurn(isOpen) {
        if (isOpen) hasAnswered = false;
        onTurn(operation, isOpen);
      },
    });
    circuits.set(operation, circuit);
    return circuit;
  }

  const isAny = (is: (circuit: Circuit) => boolean): boolean => [...circuits.values()].some(is);

  return {
    of: (operation) => circuits.get(operation) ?? make(operation),
    isAnyOpen: () => isAny((circuit) => circuit.isOpen()),
    answered() {
      hasAnswered = true;
    },
    refusesAll: () => !hasAnswered && isAny((circuit) => circuit.refuses()),
  };
}
