import type { Environment } from '../../environments/environment.ts';
import { type FailureKeeper, keepFailures } from '../../usage/failures/keep-failures.ts';
import type { EnvironmentRuntime } from '../environment-runtime.ts';

/** Starts to store the failed requests of this node; the last ones are stored when it stops. */
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
