import type { Anomaly } from '../checker/anomaly.ts';

/** One fault that was injected, and what came of it. */
export interface FaultOutcome {
  number: number;
  kind: string;
  target: string;
  beganMs: number;
  healedMs: number;
  /** A request was in flight while it was active. */
  isMet: boolean;
  /** Of those, how many failed, and how many took long. */
  failed: number;
  slow: number;
  /** Null if the service did not recover. */
  recoveredMs: number | null;
}

export interface PartOutcome {
  part: number;
  seconds: number;
  faults: readonly FaultOutcome[];
  anomalies: readonly (Anomaly & { during: number | null })[];
  figures: PartFigures;
}

export interface PartFigures {
  requests: number;
  unavailable: number;
  lost: number;
  tokens: number;
  endings: number;
  events: number;
  arrivals: number;
  creates: number;
}
