import { recordAudit } from '../../audit/audit-log.ts';
import type { Actor } from '../../audit/types.ts';
import type { Context } from '../../environments/environment.ts';
import { holdPendingEvents } from '../events/store.ts';
import { recordOccurrences } from '../publishing/record-occurrences.ts';
import type { DisabledReason, Endpoint, EndpointId, NewOccurrence } from '../types.ts';
import { clearLane, updateEndpoint } from './store.ts';
import { lockKnownEndpoint } from './with-endpoint.ts';

/**
 * Stops deliveries to an endpoint that cannot take them, or that an operator wants to have none. One that is disabled stays
 * as it is, except that an operator's word counts more than another reason. Null if it is gone. The operator's explanation is
 * for the audit log alone: the organization is told the reason.
 */
export async function disableEndpoint(
  context: Context,
  id: EndpointId,
  { reason, explanation = reason, actor }: Disabling,
): Promise<Endpoint | null> {
  return context.transaction(async (inside) => {
    const endpoint = await lockKnownEndpoint(inside, id);
    if (!endpoint || (endpoint.disabledAt && reason !== 'operator')) return endpoint;
    const disabled = asDisabled(endpoint, reason, inside.clock.now());
    await updateEndpoint(inside.session, disabled);
    if (!endpoint.disabledAt) await afterDisabling(inside, disabled);
    await recordAudit(inside, [
      {
        actor,
        action: 'webhook_endpoint.disabled',
        organizationId: endpoint.organizationId,
        reason: explanation,
        details: { endpoint_id: id },
      },
    ]);
    return disabled;
  });
}

interface Disabling {
  reason: 'gone' | 'failing' | 'operator';
  explanation?: string | undefined;
  actor: Actor;
}

export function asDisabled(endpoint: Endpoint, reason: DisabledReason, at: Date): Endpoint {
  return { ...endpoint, disabledAt: at, disabledReason: reason, modifiedAt: at };
}

export function asEnabled(endpoint: Endpoint, at: Date): Endpoint {
  return { ...endpoint, disabledAt: null, disabledReason: null, modifiedAt: at };
}

/** Holds the endpoint's events and notifies the organization. The endpoint must be locked. */
export async function afterDisabling(context: Context, endpoint: Endpoint): Promise<void> {
  await holdPendingEvents(context.session, [endpoint.id]);
  await recordOccurrences(context, [disabledOccurrence(endpoint)]);
}

export function disabledOccurrence(
  endpoint: Pick<Endpoint, 'id' | 'organizationId' | 'disabledReason' | 'disabledAt'>,
): NewOccurrence {
  const { id, organizationId, disabledReason, disabledAt } = endpoint;
  const data = {
    endpoint_id: id,
    organization_id: organizationId,
    reason: disabledReason,
    disabled_at: disabledAt?.toISOString(),
  };
  return { type: 'webhook_endpoint.disabled', organizationIds: [organizationId], data };
}

/** Clears the failures. Held events stay held: only the owner knows whether they are still wanted. */
export async function afterEnabling(context: Context, { id }: Endpoint): Promise<void> {
  await clearLane(context.session, id);
}
