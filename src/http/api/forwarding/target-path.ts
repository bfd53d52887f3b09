import type { Operation } from '@dateline/versions';
import { ApiError } from '../../../errors/api-error.ts';

export type Params = Readonly<Record<string, string>>;

/** Returns true if the caller may use an operation. */
export type MayUse = (operation: Operation) => boolean;

export type PathWriter = (params: Params, mayUse: MayUse) => string;

/**
 * Writes the paths of one operation for the upstream: what the pattern says, and in the place of each parameter its value,
 * percent-encoded. Which operation the upstream finds there depends on how it reads paths: some decode before they look for
 * slashes, some twice, some ignore case, dots at the end, or what follows a semicolon. A path that leads any of them to an operation
 * that the caller may not use is not found.
 */
export function createPathWriter(operation: Operation, all: readonly Operation[]): PathWriter {
  const segments = segmentsOf(operation);
  if (!segments.some(isParameter)) return () => operation.path;
  const others = all
    .filter(({ id, method }) => id !== operation.id && method === operation.method)
    .map((other) => ({ other, segments: segmentsOf(other).map(asRead) }));
  return (params, mayUse) => {
    const readings = pathsRead(operation, segments, params);
    const isElsewhere = others.some(
      ({ other, segments }) => readings.some((path) => leadsTo(path, segments)) && !mayUse(other),
    );
    if (isElsewhere) throw notFound('it may be the path of another operation');
    return operation.path.replaceAll(PARAMETER, (_braces, name: string) =>
      encodeURIComponent(params[name] ?? ''),
    );
  };
}

const PARAMETER = /\{(\w+)\}/g;

function segmentsOf({ path }: Operation): string[] {
  return path.split('/').filter(Boolean);
}

function isParameter(segment: string): boolean {
  return segment.startsWith('{');
}

/** Refuses values that would be more than one segment of a path, or none, to some upstream. */
export function requireSegments({ path, allowSlash = [] }: Operation, params: Params): void {
  for (const [, name = ''] of path.matchAll(PARAMETER))
    readingsOf(params[name] ?? '', allowSlash.includes(name));
}

/** A segment of a path as some upstream reads it, and whether the caller has chosen it. */
interface ReadSegment {
  text: string;
  isChosen: boolean;
}

/** The path in every reading: decoded once, as it is sent, and again while there is something to decode. */
function pathsRead(operation: Operation, segments: readonly string[], params: Params): ReadSegment[][] {
  const values = new Map<string, string[]>();
  for (const segment of segments.filter(isParameter)) {
    const name = segment.slice(1, -1);
    values.set(segment, readingsOf(params[name] ?? '', operation.allowSlash?.includes(name) === true));
  }
  const levels = Math.max(...[...values.values()].map((readings) => readings.length));
  return Array.from({ length: levels }, (_, level) =>
    segments.flatMap((segment): ReadSegment[] => {
      const readings = values.get(segment);
      if (!readings) return [{ text: asRead(segment), isChosen: false }];
      const reading = readings[level] ?? readings.at(-1) ?? '';
      return reading.split('/').map((text) => ({ text: asRead(text), isChosen: true }));
    }),
  );
}

/** Beyond that nobody means it. */
const READINGS_MAX = 4;
const ESCAPE = /%[0-9a-f]{2}/i;

/** A value as it is, and decoded again; refuses one that is no name of one thing in any of them. */
function readingsOf(value: string, mayHoldSlash: boolean): string[] {
  const readings = [value];
  for (let last = value; ; ) {
    if (isDangerous(last, mayHoldSlash)) throw notFound('a parameter that would change the path');
    if (!ESCAPE.test(last)) return readings;
    last = decodedAgain(last);
    readings.push(last);
    if (readings.length > READINGS_MAX) throw notFound('a parameter that is encoded many times');
  }
}

function decodedAgain(value: string): string {
  try {
    return decodeURIComponent(value.replaceAll(/%(?![0-9a-f]{2})/gi, '%25'));
  } catch {
    throw notFound('a parameter with bytes that are no UTF-8');
  }
}

function isDangerous(value: string, mayHoldSlash: boolean): boolean {
  // The last one is an escape of some servers for Windows.
  if (/[\\\p{Cc}]|%u[0-9a-f]{4}/iu.test(value) || (value.includes('/') && !mayHoldSlash)) return true;
  // Nothing is left of dots and semicolons.
  return value.split('/').some((segment) => asRead(segment) === '');
}

/** A segment without what some upstream ignores: the case, other forms of letters, dots and spaces at its end, and matrix parameters. */
function asRead(segment: string): string {
  const [plain = ''] = segment.normalize('NFKC').toLowerCase().split(/[;?#]/, 1);
  return plain.trim().replace(/[. ]+$/, '');
}

/** Returns true if a path may be one of a pattern that names something where the caller has chosen. */
function leadsTo(path: readonly ReadSegment[], pattern: readonly string[]): boolean {
  if (path.length !== pattern.length) return false;
  let isReached = false;
  for (const [index, { text, isChosen }] of path.entries()) {
    const segment = pattern[index] ?? '';
    if (isParameter(segment)) continue;
    // Some serve `/orders.json` as `/orders`.
    if (text !== segment && text.replace(/\.\w+$/, '') !== segment) return false;
    isReached ||= isChosen;
  }
  return isReached;
}

function notFound(internal: string): ApiError {
  return new ApiError('not_found', { internal });
}
