const PARAMETER = /\{([^{}]+)\}/g;

/** The names of a path's parameters, in their order. */
export function parametersIn(path: string): string[] {
  return [...path.matchAll(PARAMETER)].map(([, name = '']) => name);
}

/** Writes a path with something in the place of each of its parameters. */
export type PathFiller = (filled: (name: string) => string) => string;

/** Takes a path apart once, for those that are written at every request. */
export function pathFiller(path: string): PathFiller {
  // Text and the name of a parameter, in turn.
  const parts = path.split(PARAMETER);
  return (filled) => {
    let text = '';
    for (const [at, part] of parts.entries()) text += at % 2 === 0 ? part : filled(part);
    return text;
  };
}

/** A path with something in the place of each of its parameters. */
export function fillPath(path: string, filled: (name: string) => string): string {
  return pathFiller(path)(filled);
}

/** What is left of a path without the names of its parameters: two paths of one shape are the same address. */
export function pathShape(path: string): string {
  return fillPath(path, () => '{}');
}

/** Why a path cannot be served; null if it can be. */
export function pathProblem(path: string): string | null {
  if (!path.startsWith('/')) return 'a path begins with /';
  const segments = path.split('/').slice(1);
  // The last one is empty where the path ends with a slash.
  const wrong = segments.findIndex((segment, index) => segment === '' && index < segments.length - 1);
  if (wrong >= 0) return 'a part between two slashes is empty';
  const problem = segments.map(segmentProblem).find((reason) => reason !== null);
  if (problem !== undefined) return problem;
  const names = parametersIn(path);
  return new Set(names).size < names.length ? 'a parameter stands in it twice' : null;
}

// What RFC 3986 allows in a segment, without what a router or an upstream may take for something else.
const TEXT = /[^A-Za-z0-9._~!$&'()+,=:@-]/u;

function segmentProblem(segment: string): string | null {
  if (/^\.\.?$/.test(segment)) return `"${segment}" leads to another path`;
  if (segment.includes('}{')) return `"${segment}" has two parameters with nothing between them`;
  const [stray] = TEXT.exec(segment.replaceAll(PARAMETER, '')) ?? [];
  if (stray === undefined) return null;
  return `"${segment}" has the character ${stray} in it: besides parameters in braces, letters, digits and - . _ ~ ! $ & ' ( ) + , = : @ can be served`;
}
