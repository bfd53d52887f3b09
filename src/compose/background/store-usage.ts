import type { Environment } from '../../environments/environment.ts';
import { type FailureKeeper, keepFailures } from '../../usage/failures/keep-failures.ts';
import { keepUsage, type UsageKeeper } from '../../usage/keep-usage.ts';
import type { EnvironmentRuntime } from '../environment-runtime.ts';

/** Starts to store the usage counts of this node; the last ones are stored when it stops. */
export function storeUsage(
  { closing, counter, log }: EnvironmentRuntime,
  environment: Environment,
): UsageKeeper {
  const usage = keepUsage({
    environment,
    counter,
    onDelay: (error) => log.warn({ internal: String(error) }, 'usage not stored yet; will retry'),
    onLoss: (requests) => log.warn({ requests }, 'usage is incomplete: some requests were not counted'),
  });
  closing.stopThen(usage.stop);
  return usage;
}

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
