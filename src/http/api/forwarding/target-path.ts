import { type Operation, type PathFiller, parametersIn, pathFiller } from '@dateline/versions';
import { ApiError } from '../../../errors/api-error.ts';
import { asRead, isPlain, type ReadSegment, type Targets } from './targets.ts';

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
export function createPathWriter(operation: Operation, targets: Targets): PathWriter {
  const parameters = parametersOf(operation);
  if (parameters.length === 0) return () => operation.path;
  const segments = segmentsOf(operation);
  const fill = pathFiller(operation.path);
  return (params, mayUse) => {
    const isElsewhere = pathsRead(parameters, segments, params).some((path) =>
      targets.reachedBy(operation, path).some((other) => !mayUse(other)),
    );
    if (isElsewhere) throw notFound('it may be the path of another operation');
    return fill((name) => encodeURIComponent(params[name] ?? ''));
  };
}

interface PathParameter {
  name: string;
  mayHoldSlash: boolean;
}

function parametersOf({ path, allowSlash = [] }: Operation): PathParameter[] {
  return parametersIn(path).map((name) => ({ name, mayHoldSlash: allowSlash.includes(name) }));
}

/** A segment of the pattern: with parameters in it, or what is read there whoever calls. */
type PatternSegment = { fill: PathFiller } | ReadSegment;

function segmentsOf({ path }: Operation): PatternSegment[] {
  const segments = path.split('/').filter(Boolean);
  return segments.map((segment) =>
    segment.includes('{') ? { fill: pathFiller(segment) } : { text: asRead(segment), isChosen: false },
  );
}

/** Refuses values that would be more than one segment of a path, or none, to some upstream. */
export function createSegmentCheck(operation: Operation): (params: Params) => void {
  const parameters = parametersOf(operation);
  return (params) => {
    for (const { name, mayHoldSlash } of parameters) readingsOf(params[name] ?? '', mayHoldSlash);
  };
}

/** The path in every reading: decoded once, as it is sent, and again while there is something to decode. */
function pathsRead(
  parameters: readonly PathParameter[],
  segments: readonly PatternSegment[],
  params: Params,
): ReadSegment[][] {
  const values = new Map<string, string[]>();
  let levels = 1;
  for (const { name, mayHoldSlash } of parameters) {
    const readings = readingsOf(params[name] ?? '', mayHoldSlash);
    values.set(name, readings);
    levels = Math.max(levels, readings.length);
  }
  // At every request, so it is a plain loop.
  const paths: ReadSegment[][] = [];
  for (let level = 0; level < levels; level += 1) paths.push(pathRead(segments, values, level));
  return paths;
}

function pathRead(
  segments: readonly PatternSegment[],
  values: ReadonlyMap<string, readonly string[]>,
  level: number,
): ReadSegment[] {
  const path: ReadSegment[] = [];
  for (const segment of segments) {
    if ('text' in segment) path.push(segment);
    else {
      const valueNamed = (name: string): string =>
        values.get(name)?.[level] ?? values.get(name)?.at(-1) ?? '';
      for (const text of segment.fill(valueNamed).split('/'))
        path.push({ text: asRead(text), isChosen: true });
    }
  }
  return path;
}

/** Beyond that nobody means it. */
const READINGS_MAX = 4;
const ESCAPE = /%[0-9a-f]{2}/i;

/** A value as it is, and decoded again; refuses one that is no name of one thing in any of them. */
function readingsOf(value: string, mayHoldSlash: boolean): string[] {
  const readings = [value];
  if (isPlain(value)) return readings;
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

function notFound(internal: string): ApiError {
  return new ApiError('not_found', { internal });
}
