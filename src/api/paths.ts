/** Whether an address belongs to the versioned API. */
export type IsApiPath = (url: string) => boolean;

/** Those below `/v1/`, and those of the operator's own API, which are below the first names of its paths. */
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
