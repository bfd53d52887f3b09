import { recordAudit } from '../../audit/audit-log.ts';
import type { Actor } from '../../audit/types.ts';
import type { Context } from '../../environments/environment.ts';
import { ApiError } from '../../errors/api-error.ts';
import type { Endpoint, EndpointId } from '../types.ts';
import { updateEndpoint } from './store.ts';
import { lockKnownEndpoint } from './with-endpoint.ts';

/**
 * Lets the organization enable an endpoint again that an operator disabled. It stays disabled until then: its maker may have
 * lost access meanwhile, and who enables it becomes its maker. Null if it is gone.
 */
export async function allowEnabling(
  context: Context,
  id: EndpointId,
  actor: Actor,
): Promise<Endpoint | null> {
  return context.transaction(async (inside) => {
    const endpoint = await lockKnownEndpoint(inside, id);
    if (!endpoint) return null;
    if (endpoint.disabledReason !== 'operator')
      throw new ApiError('conflict', { detail: 'No operator has disabled this endpoint.' });
    const allowed: Endpoint = { ...endpoint, disabledReason: 'owner', modifiedAt: inside.clock.now() };
    await updateEndpoint(inside.session, allowed);
    const { organizationId } = endpoint;
    const details = { endpoint_id: id };
    await recordAudit(inside, [{ actor, action: 'webhook_endpoint.released', organizationId, details }]);
    return allowed;
  });
}
