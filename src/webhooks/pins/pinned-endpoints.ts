import type { ApiVersion } from '@dateline/versions';
import type { Scene } from '../../environments/environment.ts';
import { type PinnedEndpoint, selectOrganizationsWithEndpoints, selectPinnedUpTo } from './store.ts';

/** The endpoints that chose this version or an older one: when it is removed, they get another one. */
export async function endpointsPinnedUpTo(scene: Scene, version: ApiVersion): Promise<PinnedEndpoint[]> {
  return selectPinnedUpTo(scene.session, version);
}

export async function organizationsWithEndpoints(scene: Scene): Promise<string[]> {
  return selectOrganizationsWithEndpoints(scene.session);
}
