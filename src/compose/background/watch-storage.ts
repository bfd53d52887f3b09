import type { Environment } from '../../environments/environment.ts';
import { lookUpNothing } from '../../oauth/tokens/look-up-nothing.ts';
import { watchDatabase } from '../../storage/watch-database.ts';
import type { EnvironmentRuntime } from '../environment-runtime.ts';

/** Returns a function that tells why the database prevents this node from serving; null if it does not. */
export function watchStorage(
  { log, metrics, closing }: EnvironmentRuntime,
  environment: Environment,
): () => string | null {
  const watch = watchDatabase(environment.database, {
    askAsRequestsDo: () => lookUpNothing(environment),
    onChange(problem) {
      if (problem === null) log.info('the database answers: ready again');
      else log.error({ internal: problem }, 'not ready');
    },
  });
  closing.stopThen(async () => watch.stop());
  metrics.watchDatabase(() => watch.problem() === null);
  return watch.problem;
}
