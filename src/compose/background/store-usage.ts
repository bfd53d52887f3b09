import type { Environment } from '../../environments/environment.ts';
import { type CallerKeeper, keepCallers } from '../../usage/callers/keep-callers.ts';
import { type FailureKeeper, keepFailures } from '../../usage/failures/keep-failures.ts';
import { keepUsage, type UsageKeeper } from '../../usage/keep-usage.ts';
import type { EnvironmentRuntime } from '../environment-runtime.ts';

/** Starts to store the usage counts of this node; the last ones are stored when it stops. */
export function storeUsage(
  { closing, counter, log }: EnvironmentRuntime,
  environment: Environment,
  callers: CallerKeeper,
): UsageKeeper {
  const usage = keepUsage({
    environment,
    counter,
    findCallers: callers.flush,
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
  callers: CallerKeeper,
): FailureKeeper {
  const keeper = keepFailures({
    environment,
    log: failures,
    findCallers: callers.flush,
    onError: (error) => log.warn({ internal: String(error) }, 'failed requests not stored'),
  });
  closing.stopThen(keeper.stop);
  return keeper;
}

/** Looks up the callers of requests that failed before they were known. Storing usage and failures begins with it. */
export function lookUpCallers({ callers, log }: EnvironmentRuntime, environment: Environment): CallerKeeper {
  return keepCallers({
    environment,
    parts: callers,
    onError: (error) => log.warn({ internal: String(error) }, 'callers of failed requests not found'),
  });
}
