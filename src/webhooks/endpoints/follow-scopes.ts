import type { Context } from '../../environments/environment.ts';
import { withholdEvents } from '../events/withhold-events.ts';
import { organizationsAskedForScopes, updateLostScopes } from './store.ts';
import { lockEndpointsOf } from './with-endpoint.ts';

/** The scopes that a client may have from now on, and those that it may not have any more. */
export interface ChangedScopes {
  clientId: string;
  left: readonly string[];
  removed: readonly string[];
}

/**
 * Withholds what a client may not read any more from the endpoints that it made, and sends what it may read again. An endpoint
 * that was subscribed where no scope was asked for keeps its kinds. Called in the transaction of the change.
 */
export async function followScopes(context: Context, changed: ChangedScopes): Promise<void> {
  await context.transaction(async (inside) => {
    const organizationIds = await organizationsAskedForScopes(inside.session, changed.clientId);
    if (organizationIds.length === 0) return;
    for (const organizationId of organizationIds) await lockEndpointsOf(inside, organizationId);
    await withholdEvents(inside, await updateLostScopes(inside.session, changed, organizationIds));
  });
}
