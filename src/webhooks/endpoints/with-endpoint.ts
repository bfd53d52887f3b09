import type { Context } from '../../environments/environment.ts';
import type { Endpoint, EndpointId } from '../types.ts';
import { type Reach, reachableEndpoint } from './read-endpoints.ts';
import { lockEndpoint, selectEndpoint } from './store.ts';

export interface Wanted {
  reach: Reach;
  id: string;
}

/** Locks an endpoint and does something with it. */
export async function withEndpoint<Result>(
  context: Context,
  wanted: Wanted,
  work: (context: Context, endpoint: Endpoint) => Promise<Result>,
): Promise<Result> {
  return context.transaction(async (inside) => {
    const { organizationId } = await reachableEndpoint(inside, wanted, selectEndpoint);
    await lockEndpointsOf(inside, organizationId);
    return work(inside, await reachableEndpoint(inside, wanted, lockEndpoint));
  });
}

/**
 * Changing an endpoint may publish an event to the other endpoints of its organization, which locks them. So changes in
 * one organization take turns: two that each hold one lock and want the other's would deadlock.
 */
export async function lockEndpointsOf({ session }: Context, organizationId: string): Promise<void> {
  await session.lock(`webhook endpoints ${organizationId}`);
}

/** The same by id alone. Null if it was deleted. */
export async function lockKnownEndpoint(context: Context, id: EndpointId): Promise<Endpoint | null> {
  const known = await selectEndpoint(context.session, id);
  if (!known) return null;
  await lockEndpointsOf(context, known.organizationId);
  return lockEndpoint(context.session, id);
}
