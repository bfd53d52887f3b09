import { recordAudit } from '../../audit/audit-log.ts';
import type { Actor } from '../../audit/types.ts';
import type { Scene } from '../../environments/environment.ts';
import { cancelUnsentEvents } from '../events/store.ts';
import { deleteSecrets, markEndpointDeleted } from './store.ts';
import { type Wanted, withEndpoint } from './with-endpoint.ts';

/** Nothing is sent there any more. Its events stay readable; its secrets are gone. */
export async function deleteEndpoint(scene: Scene, wanted: Wanted, actor: Actor): Promise<void> {
  await withEndpoint(scene, wanted, async (inside, { id, organizationId }) => {
    await markEndpointDeleted(inside.session, id, inside.clock.now());
    await cancelUnsentEvents(inside.session, id);
    await deleteSecrets(inside.session, id);
    const details = { endpoint_id: id };
    await recordAudit(inside, [{ actor, action: 'webhook_endpoint.deleted', organizationId, details }]);
  });
}
