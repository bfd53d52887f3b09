import type { ApiVersion } from '@dateline/versions';
import type { Build } from '../../api/build.ts';
import { frozenVersions } from '../../contracts/api.ts';
import type { Environment } from '../../environments/environment.ts';
import { StartupError } from '../../errors/startup-error.ts';
import type { EnvironmentRuntime } from '../environment-runtime.ts';

/** Starts to follow the ledger, by the database's time. Throws if this build must not serve its versions. */
export async function followReleases(
  { life, log, closing, build }: EnvironmentRuntime,
  { database }: Environment,
): Promise<void> {
  const stop = await life.begin(database, {
    onError: (error) => log.warn({ internal: String(error) }, 'ledger not read'),
    onOverdue: ({ version, dueAt }) =>
      log.warn(
        { version, due_at: dueAt.toISOString() },
        `release overdue: ${remedyFor(version, build)}, or decide with "dateline release"`,
      ),
  });
  closing.stopThen(stop);
  const problem = life.problem();
  if (problem !== null) throw new StartupError(problem);
}

/** A version is frozen only if it is frozen in both APIs: ours, and that of the folder. */
function remedyFor(due: ApiVersion, { folder }: Build): string {
  if (folder?.frozen.includes(due))
    return 'upgrade dateline: the API folder has frozen this version, and this build has not';
  if (folder && frozenVersions().includes(due))
    return 'release the API folder with "dateline contract release": dateline has frozen this version, and the folder has not';
  return 'deploy a build that has frozen this version';
}
