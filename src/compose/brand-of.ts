import { resolve } from 'node:path';
import type { Brand } from '../config/brand.ts';
import type { Config } from '../config/load-config.ts';
import type { OwnApi } from '../own-api/read-own-api.ts';

/** What pages show: as the settings say, else the folder of an API, else ours. */
export function brandOf({ brand: set }: Config, own: OwnApi | null): Brand {
  const { title, brand: written } = own?.config ?? {};
  const logo = own && written?.logo !== undefined ? resolve(own.folder, written.logo) : null;
  return {
    name: set.name ?? written?.name ?? title ?? 'Dateline',
    colour: set.colour ?? written?.colour ?? null,
    logo: set.logo ?? logo,
  };
}
