import { buildFacts } from '../../api/build.ts';
import { keepSightings } from '../../doctor/keep-sightings.ts';
import type { Environment } from '../../environments/environment.ts';
import type { EnvironmentRuntime } from '../environment-runtime.ts';

/** Starts to record what this node has stored, so that it notices a restored backup. */
export function keepSightingsIn(
  { options, build, log, closing }: EnvironmentRuntime,
  environment: Environment,
): void {
  let lastError = '';
  const stop = keepSightings({
    environment,
    dataDir: options.config.dataDir,
    about: buildFacts(build),
    onRestored: (lastSeenAt) =>
      log.error(
        { last_seen_at: lastSeenAt },
        'the database lost data that this node had stored: a backup was restored; "dateline doctor" says what to do',
      ),
    onError(error) {
      // Once, not every time: a data folder may be read-only for good.
      if (lastError !== String(error))
        log.warn({ internal: String(error) }, 'sighting of the database not stored');
      lastError = String(error);
    },
  });
  closing.stopThen(stop);
}
