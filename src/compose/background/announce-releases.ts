import type { Environment } from '../../environments/environment.ts';
import { keepAnnouncing } from '../../releases/notices/keep-announcing.ts';
import type { EnvironmentRuntime } from '../environment-runtime.ts';

/** Starts to notify organizations of releases that concern their webhook endpoints. */
export function announceReleasesIn(
  { closing, life: { versions }, log }: EnvironmentRuntime,
  environment: Environment,
): void {
  const stop = keepAnnouncing({
    context: environment,
    lifecycle: versions.lifecycle,
    onError: (error) => log.warn({ internal: String(error) }, 'releases not announced yet'),
  });
  closing.stopThen(stop);
}
