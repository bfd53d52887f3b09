import type { Context } from '../../environments/environment.ts';
import { ApiError } from '../../errors/api-error.ts';
import { newId } from '../../kernel/ids.ts';
import { type Reach, readEndpoint } from '../endpoints/read-endpoints.ts';
import { type Wanted, withEndpoint } from '../endpoints/with-endpoint.ts';
import {
  DELIVERIES_CHANNEL,
  type Endpoint,
  type EndpointId,
  type RecoveryId,
  recoveryIdPrefix,
} from '../types.ts';
import { withheldKinds } from '../withheld-kinds.ts';
import { requireEnabled } from './redeliver-event.ts';
import {
  countRecovered,
  insertRecovery,
  markRecoveryCancelled,
  putBackRecovered,
  type RecoveryCounts,
  recoverEvents,
  type StoredRecovery,
  selectLastRecovery,
} from './store.ts';

export interface Recovery extends StoredRecovery, RecoveryCounts {
  state: 'running' | 'finished' | 'cancelled';
}

// What an endpoint that was down can take beside its usual load.
const PER_SECOND = 10;

/** Sends what has failed or was held since an instant, slowly, and in the order in which it was made. */
export async function startRecovery(context: Context, wanted: Wanted, since: Date): Promise<Recovery> {
  return withEndpoint(context, wanted, async (inside, endpoint) => {
    requireEnabled(endpoint);
    const startedAt = inside.clock.now();
    const id: RecoveryId = newId(recoveryIdPrefix, startedAt);
    const perSecond = Math.min(PER_SECOND, endpoint.maxPerSecond ?? PER_SECOND);
    const eventCount = await recoverEvents(inside.session, {
      id,
      endpointId: endpoint.id,
      since,
      startsAt: startedAt,
      perSecond,
      withheldKinds: withheldKinds(inside, endpoint),
    });
    const recovery = { id, endpointId: endpoint.id, since, startedAt, eventCount, cancelledAt: null };
    await insertRecovery(inside.session, recovery);
    inside.signal(DELIVERIES_CHANNEL);
    return withProgress(inside, recovery);
  });
}

/** The progress of the last one. */
export async function readRecovery(context: Context, reach: Reach, id: string): Promise<Recovery> {
  const endpoint = await readEndpoint(context, reach, id);
  return withProgress(context, await requireLast(context, endpoint));
}

/** The same by the endpoint's id alone, for operators; null if there was none. */
export async function lastRecovery(context: Context, endpointId: EndpointId): Promise<Recovery | null> {
  const recovery = await selectLastRecovery(context.session, endpointId);
  return recovery && withProgress(context, recovery);
}

/** Events without an attempt return to their state before the recovery. Events with one go on as usual. */
export async function cancelRecovery(context: Context, wanted: Wanted): Promise<Recovery> {
  return withEndpoint(context, wanted, async (inside, endpoint) => {
    const recovery = await requireLast(inside, endpoint);
    if (recovery.cancelledAt) return withProgress(inside, recovery);
    const cancelledAt = inside.clock.now();
    await putBackRecovered(inside.session, recovery.id);
    await markRecoveryCancelled(inside.session, recovery.id, cancelledAt);
    return withProgress(inside, { ...recovery, cancelledAt });
  });
}

async function requireLast({ session }: Context, { id }: Endpoint): Promise<StoredRecovery> {
  const recovery = await selectLastRecovery(session, id);
  if (!recovery) throw new ApiError('not_found', { detail: 'Nothing was ever recovered here.' });
  return recovery;
}

async function withProgress({ session }: Context, recovery: StoredRecovery): Promise<Recovery> {
  const counts = await countRecovered(session, recovery.id);
  return { ...recovery, ...counts, state: stateOf(recovery, counts) };
}

function stateOf({ cancelledAt }: StoredRecovery, { remaining }: RecoveryCounts): Recovery['state'] {
  if (cancelledAt) return 'cancelled';
  return remaining === 0 ? 'finished' : 'running';
}
