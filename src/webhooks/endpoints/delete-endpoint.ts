import { recordAudit } from '../../audit/audit-log.ts';
import type { Actor } from '../../audit/types.ts';
import type { Context } from '../../environments/environment.ts';
import { cancelUnsentEvents } from '../events/store.ts';
import type { Endpoint, EndpointId } from '../types.ts';
import { deleteSecrets, markEndpointDeleted } from './store.ts';
import { lockKnownEndpoint, type Wanted, withEndpoint } from './with-endpoint.ts';

/** Nothing is sent there any more. Its events stay readable; its secrets are gone. */
export async function deleteEndpoint(context: Context, wanted: Wanted, actor: Actor): Promise<void> {
  await withEndpoint(context, wanted, (inside, endpoint) => deleteLocked(inside, endpoint, actor));
}

/** The same by id alone, for operators. Null if it is gone already. */
export async function deleteKnownEndpoint(
  context: Context,
  id: EndpointId,
  actor: Actor,
): Promise<Endpoint | null> {
  return context.transaction(async (inside) => {
    const endpoint = await lockKnownEndpoint(inside, id);
    if (endpoint) await deleteLocked(inside, endpoint, actor);
    return endpoint;
  });
}

async function deleteLocked(context: Context, { id, organizationId }: Endpoint, actor: Actor): Promise<void> {
  await markEndpointDeleted(context.session, id, context.clock.now());
  await cancelUnsentEvents(context.session, id);
  await deleteSecrets(context.session, id);
  const details = { endpoint_id: id };
  await recordAudit(context, [{ actor, action: 'webhook_endpoint.deleted', organizationId, details }]);
}
