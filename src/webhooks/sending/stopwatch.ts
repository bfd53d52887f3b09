/** Finding the address; connecting, with TLS; waiting for the head of the answer; reading the rest. */
export type Stage = 'lookup' | 'connect' | 'wait' | 'read';

/** The duration of each stage in milliseconds. One that was not reached, or not needed, is not there. */
export type StageTimes = Partial<Record<Stage, number>>;

export interface Stopwatch {
  /** The stage is over, and the next one begins. */
  end(stage: Stage): void;
  times(): StageTimes;
  totalMs(): number;
}

export function startStopwatch(): Stopwatch {
  const startedAtMs = performance.now();
  const times: StageTimes = {};
  let lastMs = startedAtMs;
  return {
    end(stage) {
      const nowMs = performance.now();
      times[stage] = Math.round(nowMs - lastMs);
      lastMs = nowMs;
    },
    times: () => times,
    totalMs: () => Math.round(performance.now() - startedAtMs),
  };
}
