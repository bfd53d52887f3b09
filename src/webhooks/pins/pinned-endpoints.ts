import type { ApiVersion } from '@dateline/versions';
import type { Context } from '../../environments/environment.ts';
import { type PinnedEndpoint, selectOrganizationsWithEndpoints, selectPinnedUpTo } from './store.ts';

/** The endpoints that chose this version or an older one: when it is removed, they get another one. */
export async function endpointsPinnedUpTo(context: Context, version: ApiVersion): Promise<PinnedEndpoint[]> {
  return selectPinnedUpTo(context.session, version);
}

export async function organizationsWithEndpoints(context: Context): Promise<string[]> {
  return selectOrganizationsWithEndpoints(context.session);
}
