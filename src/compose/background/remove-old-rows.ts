import type { Environment } from '../../environments/environment.ts';
import { keepHouse } from '../../housekeeping/keep-house.ts';
import type { EnvironmentRuntime } from '../environment-runtime.ts';
import { chores } from './chores.ts';

/** Starts to delete expired rows. */
export function removeOldRows(
  { options, closing, metrics, log }: EnvironmentRuntime,
  environment: Environment,
): void {
  const stop = keepHouse({
    context: environment,
    chores,
    ...(options.housekeepingMs === undefined ? {} : { roundMs: options.housekeepingMs }),
    // The embedded database works in this process: requests have half of the time.
    ...(environment.database.engine === 'pglite' ? { restMs: (tookMs: number) => tookMs } : {}),
    onRemoved: metrics.countRemoved,
    onError: (chore, error) => log.warn({ chore, internal: String(error) }, 'housekeeping failed'),
  });
  closing.stopThen(stop);
}
