import type { ValidationFinding } from '@dateline/versions';
import { finding, type SentEvent } from './event-findings.ts';

/** As much as a whole request to the API may have. */
const BYTES_MAX = 256 * 1024;
const DEPTH_MAX = 64;

/** Finds data that no database could store, or that is not what its sender wrote any more. */
export function unstorable({ data }: SentEvent): ValidationFinding[] {
  const lost = lossIn(data, '/data', DEPTH_MAX);
  if (lost) return [lost];
  const isTooLong = Buffer.byteLength(JSON.stringify(data)) > BYTES_MAX;
  return isTooLong ? [finding('/data', `has more than ${BYTES_MAX} bytes`)] : [];
}

function lossIn(value: unknown, path: string, depthLeft: number): ValidationFinding | null {
  if (typeof value === 'string') return value.includes('\0') ? finding(path, 'holds a NUL character') : null;
  if (typeof value === 'number') return isExact(value) ? null : finding(path, INEXACT);
  if (typeof value !== 'object' || value === null) return null;
  if (depthLeft === 0) return finding('/data', `is nested more than ${DEPTH_MAX} levels deep`);
  for (const [name, item] of Object.entries(value)) {
    const lost = name.includes('\0')
      ? finding(path, 'has a name with a NUL character')
      : lossIn(item, `${path}/${name}`, depthLeft - 1);
    if (lost) return lost;
  }
  return null;
}

const INEXACT = 'is a number that readers of JSON do not keep exactly; send it as text';

/** A whole number beyond 2^53 may have been another one before it was read. */
function isExact(value: number): boolean {
  return Number.isFinite(value) && (!Number.isInteger(value) || Number.isSafeInteger(value));
}
