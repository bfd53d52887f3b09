export type VersionState = 'deprecated' | 'current' | 'next';

/** The state of each version that is served. */
export type VersionStates = ReadonlyMap<string, VersionState>;

/** As the service tells everybody. Without an answer none is known: then versions have no colours of their own. */
export async function versionStates(): Promise<VersionStates> {
  const response = await fetch('/versions', { headers: { accept: 'application/json' } }).catch(() => null);
  if (!response?.ok) return new Map();
  const { versions } = (await response.json()) as { versions: { version: string; state: VersionState }[] };
  return new Map(versions.map(({ version, state }) => [version, state]));
}
