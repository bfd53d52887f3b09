/** True if a URL belongs to the versioned API. */
export type IsApiPath = (url: string) => boolean;

/** Matches `/v1/`, and the first segments of the paths of an API folder. */
export function createApiPaths(folderPaths: readonly string[]): IsApiPath {
  const names = new Set(folderPaths.map(firstName));
  if (names.size === 0) return isOurs;
  return (url) => isOurs(url) || names.has(firstName(url));
}

export function isOurs(url: string): boolean {
  return url.startsWith('/v1/');
}

function firstName(url: string): string {
  return /^\/([^/?]*)/.exec(url)?.[1] ?? '';
}

/** True for a path that is called as a template has it. */
export type PathMatcher = (path: string) => boolean;

/**
 * Matches the path of an operation, with or without a slash at its end. Not a regular expression: several parameters in one segment
 * would have it try every division of what a caller has sent.
 */
export function pathMatcher(template: string): PathMatcher {
  const segments = template.split('/').map((segment) => segment.split(/\{[^{}]*\}/));
  const beginning = template.split('{', 1)[0] ?? '';
  const isMatch = (path: string): boolean => {
    if (!path.startsWith(beginning)) return false;
    // No more of them than are looked at: many templates are tried for one path.
    const sent = path.split('/', segments.length + 1);
    return (
      sent.length === segments.length && segments.every((texts, index) => fits(sent[index] ?? '', texts))
    );
  };
  return (path) => isMatch(path) || (path.endsWith('/') && isMatch(path.slice(0, -1)));
}

/** True where these texts stand in a segment, from its beginning to its end, with something between any two of them. */
function fits(segment: string, [first = '', ...others]: readonly string[]): boolean {
  const last = others.pop();
  if (last === undefined) return segment === first;
  if (!segment.startsWith(first)) return false;
  // The leftmost place leaves the most for what follows.
  let end = first.length;
  for (const text of others) {
    const found = segment.indexOf(text, end + 1);
    if (found < 0) return false;
    end = found + text.length;
  }
  return segment.length > end + last.length && segment.endsWith(last);
}
