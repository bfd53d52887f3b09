import type { Environment } from '../../environments/environment.ts';
import { StartupError } from '../../errors/startup-error.ts';
import { readServedFolder, removeServedFolder, type ServedFolder, writeServedFolder } from './store.ts';

/**
 * A database serves the API of one folder, or none: with another one, tokens and endpoints would have scopes and kinds that
 * nobody knows. The first folder is taken as it is; another one only where the operator says so.
 */
export async function claimDatabase(
  environment: Environment,
  folder: ServedFolder | null,
  { adopts }: { adopts: boolean },
): Promise<void> {
  await environment.transaction(async ({ session, clock, name }) => {
    await session.lock('own_api');
    const served = await readServedFolder(session);
    if (served?.id === folder?.id && served?.title === folder?.title) return;
    if (served && served.id !== folder?.id && !adopts) throw new StartupError(refusal(name, served, folder));
    if (folder) await writeServedFolder(session, folder, clock.now());
    else await removeServedFolder(session);
  });
}

function refusal(environment: string, served: ServedFolder, folder: ServedFolder | null): string {
  const asked = folder ? `another folder, "${folder.title}"` : 'no API folder';
  return `The database of ${environment} serves the API "${served.title}", and ${asked} is named; name its folder with --api, or add --adopt if this is meant.`;
}
