import type { Scene } from '../../environments/environment.ts';
import type { Endpoint, EndpointId } from '../types.ts';
import { type Reach, reachableEndpoint } from './read-endpoints.ts';
import { lockEndpoint, selectEndpoint } from './store.ts';

export interface Wanted {
  reach: Reach;
  id: string;
}

/** Does something with an endpoint that nobody else changes meanwhile. */
export async function withEndpoint<Result>(
  scene: Scene,
  wanted: Wanted,
  work: (scene: Scene, endpoint: Endpoint) => Promise<Result>,
): Promise<Result> {
  return scene.transaction(async (inside) => {
    const { organizationId } = await reachableEndpoint(inside, wanted, selectEndpoint);
    await lockEndpointsOf(inside, organizationId);
    return work(inside, await reachableEndpoint(inside, wanted, lockEndpoint));
  });
}

/**
 * Whoever changes an endpoint may have to tell the others of its organization, and locks them for that. So they take
 * turns: two who have each locked one and want the other's would wait for ever.
 */
export async function lockEndpointsOf({ session }: Scene, organizationId: string): Promise<void> {
  await session.lock(`webhook endpoints ${organizationId}`);
}

/** The same for those who know nothing but its id. Null if it was deleted. */
export async function lockKnownEndpoint(scene: Scene, id: EndpointId): Promise<Endpoint | null> {
  const known = await selectEndpoint(scene.session, id);
  if (!known) return null;
  await lockEndpointsOf(scene, known.organizationId);
  return lockEndpoint(scene.session, id);
}
