import type { Context } from '../../environments/environment.ts';
import { DELIVERIES_CHANNEL, type Endpoint } from '../types.ts';
import { withheldKinds } from '../withheld-kinds.ts';
import { releaseWithheldEvents, withholdPendingEvents } from './store.ts';

type Affected = Pick<Endpoint, 'id' | 'lostScopes'>;

/** Holds what waits and may not be sent any more, and lets go what may be sent again. The endpoints must be locked. */
export async function withholdEvents(context: Context, endpoints: readonly Affected[]): Promise<void> {
  for (const { ids, kinds } of byKinds(context, endpoints)) {
    await withholdPendingEvents(context.session, ids, kinds);
    await releaseWithheldEvents(context.session, { ids, kinds, now: context.clock.now() });
  }
  context.signal(DELIVERIES_CHANNEL);
}

/** Endpoints from which the same kinds are withheld, together. */
function byKinds(context: Context, endpoints: readonly Affected[]) {
  const groups = new Map<string, { ids: Endpoint['id'][]; kinds: readonly string[] }>();
  for (const endpoint of endpoints) {
    const kinds = withheldKinds(context, endpoint);
    const group = groups.get(kinds.join(' ')) ?? { ids: [], kinds };
    group.ids.push(endpoint.id);
    groups.set(kinds.join(' '), group);
  }
  return groups.values();
}
