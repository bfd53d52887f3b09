export const ANOMALIES = [
  /** Active, or served, after an end of access was acknowledged. */
  'stale',
  /** Acknowledged, and not there. */
  'lost',
  /** An event under two ids, or with other bytes. */
  'altered',
  /** Inactive, or refused, though nothing has ended it. */
  'falsely inactive',
  /** An idempotent request that was done more than once. */
  'done twice',
  /** A 500. */
  'broken',
  /** The service did not answer again by itself. */
  'not recovered',
] as const;

export type AnomalyKind = (typeof ANOMALIES)[number];

export interface Anomaly {
  kind: AnomalyKind;
  /** When it showed. */
  atMs: number;
  text: string;
}
