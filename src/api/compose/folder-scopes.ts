import type { FolderScopes } from '../../oauth/scopes/scopes.ts';
import type { ApiFolder } from '../folder/read-api-folder.ts';

/** The scopes of a folder, as consent pages and checks need them. */
export function folderScopes({ config }: ApiFolder): FolderScopes {
  const scopes = Object.entries(config.scopes);
  return Object.fromEntries(
    scopes.map(([name, { consent, organization = true }]) => [name, { consent, organization }]),
  );
}
