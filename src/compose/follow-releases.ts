import type { Environment } from '../environments/environment.ts';
import { StartupError } from '../errors/startup-error.ts';
import type { EnvironmentRuntime } from './environment-runtime.ts';

/** From here on versions move as the ledger says, by the database's time. Throws if this build must not serve them. */
export async function followReleases(
  { life, log, closing }: EnvironmentRuntime,
  { database }: Environment,
): Promise<void> {
  const stop = await life.begin(database, {
    onTrouble: (error) => log.warn({ internal: String(error) }, 'ledger not read'),
    onOverdue: ({ version, dueAt }) =>
      log.warn(
        { version, due_at: dueAt.toISOString() },
        'release overdue: deploy a build that has frozen this version, or decide with "dateline release"',
      ),
  });
  closing.stopThen(stop);
  const problem = life.problem();
  if (problem !== null) throw new StartupError(problem);
}
