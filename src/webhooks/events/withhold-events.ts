import type { Scene } from '../../environments/environment.ts';
import { DELIVERIES_CHANNEL, type Endpoint } from '../types.ts';
import { withheldKinds } from '../withheld-kinds.ts';
import { releaseWithheldEvents, withholdPendingEvents } from './store.ts';

type Affected = Pick<Endpoint, 'id' | 'lostScopes'>;

/** Holds what waits and may not be sent any more, and lets go what may be sent again. The endpoints must be locked. */
export async function withholdEvents(scene: Scene, endpoints: readonly Affected[]): Promise<void> {
  for (const { ids, kinds } of byKinds(scene, endpoints)) {
    await withholdPendingEvents(scene.session, ids, kinds);
    await releaseWithheldEvents(scene.session, { ids, kinds, now: scene.clock.now() });
  }
  scene.signal(DELIVERIES_CHANNEL);
}

/** Endpoints from which the same kinds are withheld, together. */
function byKinds(scene: Scene, endpoints: readonly Affected[]) {
  const groups = new Map<string, { ids: Endpoint['id'][]; kinds: readonly string[] }>();
  for (const endpoint of endpoints) {
    const kinds = withheldKinds(scene, endpoint);
    const group = groups.get(kinds.join(' ')) ?? { ids: [], kinds };
    group.ids.push(endpoint.id);
    groups.set(kinds.join(' '), group);
  }
  return groups.values();
}
