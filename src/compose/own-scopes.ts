import type { OwnScopes } from '../oauth/scopes/scopes.ts';
import type { OwnApi } from '../own-api/read-own-api.ts';

/** The scopes of a folder, as consent pages and checks need them. */
export function ownScopes({ config }: OwnApi): OwnScopes {
  const scopes = Object.entries(config.scopes);
  return Object.fromEntries(
    scopes.map(([name, { consent, organization = true }]) => [name, { consent, organization }]),
  );
}
