/** The span of a caller, in whatever process that runs (W3C Trace Context). */
export interface TraceParent {
  traceId: string;
  spanId: string;
  isSampled: boolean;
}

const TRACEPARENT =
  /^(?!ff)([0-9a-f]{2})-(?!0{32})([0-9a-f]{32})-(?!0{16})([0-9a-f]{16})-([0-9a-f]{2})(-[!-~]*)?$/;
const FIRST_FORMAT = '00';
const SAMPLED = 0x01;

/** Null for what is none (§3.2.2): ids of zeros say nothing, and only later formats may go on after a dash. */
export function parseTraceparent(value: string | readonly string[] | undefined): TraceParent | null {
  const [, format, traceId, spanId, flags, rest] =
    (typeof value === 'string' && TRACEPARENT.exec(value)) || [];
  if (traceId === undefined || spanId === undefined || flags === undefined) return null;
  if (rest !== undefined && format === FIRST_FORMAT) return null;
  return { traceId, spanId, isSampled: (Number.parseInt(flags, 16) & SAMPLED) !== 0 };
}
