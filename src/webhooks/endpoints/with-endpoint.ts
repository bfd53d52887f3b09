import type { Scene } from '../../environments/environment.ts';
import type { Endpoint, EndpointId } from '../types.ts';
import { type Reach, reachableEndpoint } from './read-endpoints.ts';
import { lockEndpoint, selectEndpoint } from './store.ts';

export interface Wanted {
  reach: Reach;
  id: string;
}

/** Locks an endpoint and does something with it. */
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
 * Changing an endpoint may publish an event to the other endpoints of its organization, which locks them. So changes in
 * one organization take turns: two that each hold one lock and want the other's would deadlock.
 */
export async function lockEndpointsOf({ session }: Scene, organizationId: string): Promise<void> {
  await session.lock(`webhook endpoints ${organizationId}`);
}

/** The same by id alone. Null if it was deleted. */
export async function lockKnownEndpoint(scene: Scene, id: EndpointId): Promise<Endpoint | null> {
  const known = await selectEndpoint(scene.session, id);
  if (!known) return null;
  await lockEndpointsOf(scene, known.organizationId);
  return lockEndpoint(scene.session, id);
}
