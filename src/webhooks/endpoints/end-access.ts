import { recordAudit } from '../../audit/audit-log.ts';
import type { Context } from '../../environments/environment.ts';
import { holdPendingEvents } from '../events/store.ts';
import { recordOccurrences } from '../publishing/record-occurrences.ts';
import type { Endpoint } from '../types.ts';
import { disabledOccurrence } from './disable-endpoint.ts';
import { disableEnded, type EndedAccess, organizationsOfEnded } from './store.ts';
import { lockEndpointsOf } from './with-endpoint.ts';

export type { EndedAccess } from './store.ts';

/**
 * Disables the endpoints that were made with an access which ends now, and holds their events. Called in the transaction
 * that ends the access, after it and before anything is published there: publishing locks endpoints too.
 */
export async function disableEndpointsOf(
  context: Context,
  ended: readonly EndedAccess[],
  because: string,
): Promise<void> {
  if (ended.length === 0) return;
  await context.transaction(async (inside) => {
    const organizationIds = await organizationsOfEnded(inside.session, ended);
    if (organizationIds.length === 0) return;
    for (const organizationId of organizationIds) await lockEndpointsOf(inside, organizationId);
    const now = inside.clock.now();
    await announce(inside, await disableEnded(inside.session, ended, { organizationIds, now }), because);
  });
}

async function announce(
  context: Context,
  disabled: readonly Pick<Endpoint, 'id' | 'organizationId'>[],
  because: string,
): Promise<void> {
  const ids = disabled.map(({ id }) => id);
  await holdPendingEvents(context.session, ids);
  const at = context.clock.now();
  await recordOccurrences(
    context,
    disabled.map((endpoint) =>
      disabledOccurrence({ ...endpoint, disabledReason: 'access_ended', disabledAt: at }),
    ),
    // Those that are disabled together are not informed of each other: there may be a thousand.
    { except: ids },
  );
  await recordAudit(
    context,
    disabled.map(({ id, organizationId }) => ({
      actor: { type: 'system', id: null },
      action: 'webhook_endpoint.disabled',
      organizationId,
      reason: because,
      details: { endpoint_id: id },
    })),
  );
}
