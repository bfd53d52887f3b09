import { resolve } from 'node:path';
import type { ApiFolder } from '../api/folder/read-api-folder.ts';
import type { Brand } from '../config/brand.ts';
import type { Config } from '../config/load-config.ts';

/** The brand of the pages: from the settings, else from the API folder, else ours. */
export function brandOf({ brand: set }: Config, folder: ApiFolder | null): Brand {
  const { title, brand: written } = folder?.config ?? {};
  const logo = folder && written?.logo !== undefined ? resolve(folder.folder, written.logo) : null;
  return {
    name: set.name ?? written?.name ?? title ?? 'Dateline',
    colour: set.colour ?? written?.colour ?? null,
    logo: set.logo ?? logo,
  };
}
