import { setTimeout as delay } from 'node:timers/promises';
import type { Environment } from '../../environments/environment.ts';
import { batchQueries } from '../../storage/batch-queries.ts';
import { StorageUnavailableError } from '../../storage/storage-error.ts';
import { disableEndpoint } from '../endpoints/disable-endpoint.ts';
import type { EndpointId } from '../types.ts';
import type { Attempted } from './attempt.ts';
import { type Result, type Settled, settle } from './store.ts';

export interface ConclusionOptions {
  environment: Environment;
  /** Called for every attempt, as soon as it is stored. */
  onAttempt(result: Result): void;
}

/** Stores how an attempt went, and disables an endpoint that wants or does nothing any more. */
export type Conclusion = (attempted: Attempted, isCutOff: () => boolean) => Promise<void>;

/** An endpoint that has failed for so long, and so often, is disabled. */
const FAILING_MS_MAX = 5 * 24 * 3_600_000;
const FAILURES_MAX = 10;

export function createConclusion({ environment, onAttempt }: ConclusionOptions): Conclusion {
  const { session, clock } = environment;

  const sent = new WeakSet<Result>();

  /** What was stored the first time is only found the second time: a transaction makes sure that it stays. */
  function settleForGood(results: readonly Result[]): Promise<Settled[]> {
    const again = results.some((result) => sent.has(result));
    for (const result of results) sent.add(result);
    if (!again) return settle(session, results);
    return environment.database.transaction((inside) => settle(inside, results));
  }

  /** Attempts that end together are stored together. */
  const store = batchQueries<Result, Settled>(environment.database, {
    kind: 'writes',
    run: async (results) => {
      const settled = new Map((await settleForGood(results)).map((lane) => [lane.endpointId, lane]));
      return results.map(
        ({ attempt: { endpointId } }) =>
          settled.get(endpointId) ?? { endpointId, failingSince: null, failureCount: 0 },
      );
    },
    sizeMax: 128,
    inFlightMax: 1,
  });

  function hasFailedForTooLong({ failingSince, failureCount }: Settled): boolean {
    if (failingSince === null || failureCount < FAILURES_MAX) return false;
    return clock.now().getTime() - failingSince.getTime() >= FAILING_MS_MAX;
  }

  function disable(endpointId: EndpointId, reason: 'gone' | 'failing'): Promise<unknown> {
    return environment.transaction(
      (context) => disableEndpoint(context, endpointId, { reason, actor: { type: 'system', id: null } }),
      { endsNoAccess: true },
    );
  }

  return async ({ result, gone }, isCutOff) => {
    const { endpointId } = result.attempt;
    const settled = await untilStored(() => store(result), isCutOff);
    onAttempt(result);
    if (gone) await untilStored(() => disable(endpointId, 'gone'), isCutOff);
    else if (hasFailedForTooLong(settled)) await untilStored(() => disable(endpointId, 'failing'), isCutOff);
  };
}

const RETRY_MS = 1_000;

/**
 * Stores the result of an attempt, and retries for as long as the database is unreachable: the receiver has the event
 * already, and losing that would send it again. Gives up when the worker is cut off.
 */
async function untilStored<Value>(store: () => Promise<Value>, isCutOff: () => boolean): Promise<Value> {
  for (;;) {
    try {
      return await store();
    } catch (error) {
      if (!(error instanceof StorageUnavailableError) || isCutOff()) throw error;
      await delay(RETRY_MS, undefined, { ref: false });
    }
  }
}
