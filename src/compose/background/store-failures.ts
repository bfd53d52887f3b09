import type { Environment } from '../../environments/environment.ts';
import { type FailureKeeper, keepFailures } from '../../usage/failures/keep-failures.ts';
import type { EnvironmentRuntime } from '../environment-runtime.ts';

/** From here on requests that fail on this node reach the database, the last ones when it stops. */
export function storeFailures(
  { closing, failures, log }: EnvironmentRuntime,
  environment: Environment,
): FailureKeeper {
  const keeper = keepFailures({
    environment,
    log: failures,
    onError: (error) => log.warn({ internal: String(error) }, 'failed requests not stored'),
  });
  closing.stopThen(keeper.stop);
  return keeper;
}
