import type { Context } from '../../environments/environment.ts';
import { ApiError } from '../../errors/api-error.ts';
import type { Reach } from '../endpoints/read-endpoints.ts';
import { holdEndpoint } from '../endpoints/store.ts';
import { DELIVERIES_CHANNEL, type WebhookEvent } from '../types.ts';
import { isWithheld } from '../withheld-kinds.ts';
import { readEvent } from './read-events.ts';
import { beginAgain, selectPayload } from './store.ts';

/**
 * Sends an event again: the same bytes in the same version. One that is waiting for its next attempt is brought forward
 * and is sent once. Throws where it cannot be sent.
 */
export async function redeliverEvent(context: Context, reach: Reach, id: string): Promise<WebhookEvent> {
  return context.transaction(async (inside) => {
    const event = await readEvent(inside, reach, id);
    const endpoint = await holdEndpoint(inside.session, event.endpointId);
    if (!endpoint) throw new ApiError('conflict', { detail: 'The endpoint of this event was deleted.' });
    requireEnabled(endpoint);
    if (isWithheld(inside, endpoint, event.type)) throw new ApiError('conflict', { detail: WITHHELD });
    if ((await selectPayload(inside.session, event)) === undefined) throw new ApiError('payload_expired');
    const begun = await beginAgain(inside.session, event.id, inside.clock.now());
    inside.signal(DELIVERIES_CHANNEL);
    return begun;
  });
}

const WITHHELD = 'The client that made the endpoint may not read this any more.';

export function requireEnabled({ disabledAt }: { disabledAt: Date | null }): void {
  if (disabledAt) throw new ApiError('conflict', { detail: 'The endpoint is disabled. Enable it first.' });
}
