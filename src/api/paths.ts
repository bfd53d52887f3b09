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

/** Matches the path of an operation, with or without a slash at its end. */
export function pathPattern(path: string): RegExp {
  const texts = path.split(/\{[^{}]*\}/).map((text) => text.replaceAll(/[\\^$.*+?()[\]{}|]/g, '\\$&'));
  return new RegExp(`^${texts.join('[^/]+')}/?$`);
}
