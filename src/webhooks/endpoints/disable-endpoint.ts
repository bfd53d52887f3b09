import { recordAudit } from '../../audit/audit-log.ts';
import type { Scene } from '../../environments/environment.ts';
import { holdPendingEvents } from '../events/store.ts';
import { recordOccurrences } from '../publishing/record-occurrences.ts';
import type { DisabledReason, Endpoint, EndpointId } from '../types.ts';
import { clearLane, updateEndpoint } from './store.ts';
import { lockKnownEndpoint } from './with-endpoint.ts';

/** Stops deliveries to an endpoint that cannot take them. One that is disabled, or gone, stays as it is. */
export async function disableEndpoint(
  scene: Scene,
  id: EndpointId,
  reason: Exclude<DisabledReason, 'owner'>,
): Promise<void> {
  await scene.transaction(async (inside) => {
    const endpoint = await lockKnownEndpoint(inside, id);
    if (!endpoint || endpoint.disabledAt) return;
    const disabled = asDisabled(endpoint, reason, inside.clock.now());
    await updateEndpoint(inside.session, disabled);
    await afterDisabling(inside, disabled);
    await recordAudit(inside, [
      {
        actor: { type: 'system', id: null },
        action: 'webhook_endpoint.disabled',
        organizationId: endpoint.organizationId,
        reason,
        details: { endpoint_id: id },
      },
    ]);
  });
}

export function asDisabled(endpoint: Endpoint, reason: DisabledReason, at: Date): Endpoint {
  return { ...endpoint, disabledAt: at, disabledReason: reason, modifiedAt: at };
}

export function asEnabled(endpoint: Endpoint, at: Date): Endpoint {
  return { ...endpoint, disabledAt: null, disabledReason: null, modifiedAt: at };
}

/** Holds the endpoint's events and notifies the organization. The endpoint must be locked. */
export async function afterDisabling(scene: Scene, endpoint: Endpoint): Promise<void> {
  const { id, organizationId, disabledReason, disabledAt } = endpoint;
  await holdPendingEvents(scene.session, id);
  const data = {
    endpoint_id: id,
    organization_id: organizationId,
    reason: disabledReason,
    disabled_at: disabledAt?.toISOString(),
  };
  await recordOccurrences(scene, [
    { type: 'webhook_endpoint.disabled', organizationIds: [organizationId], data },
  ]);
}

/** Clears the failures. Held events stay held: only the owner knows whether they are still wanted. */
export async function afterEnabling(scene: Scene, { id }: Endpoint): Promise<void> {
  await clearLane(scene.session, id);
}
