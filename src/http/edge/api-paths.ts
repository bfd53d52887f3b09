/** Whether an address belongs to the versioned API. */
export type IsApiPath = (url: string) => boolean;

/** Those below `/v1/`, and those of the operator's own API, which are below the first names of its paths. */
export function createApiPaths(ownPaths: readonly string[]): IsApiPath {
  const own = new Set(ownPaths.map(firstName));
  if (own.size === 0) return isOurs;
  return (url) => isOurs(url) || own.has(firstName(url));
}

export function isOurs(url: string): boolean {
  return url.startsWith('/v1/');
}

function firstName(url: string): string {
  return /^\/([^/?]*)/.exec(url)?.[1] ?? '';
}
