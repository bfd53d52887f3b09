import type { Context } from '../../../environments/environment.ts';
import { StartupError } from '../../../errors/startup-error.ts';
import { findClient } from './clients.ts';
import { selectClaimedAudiences } from './store.ts';

/** A token for the upstream must be good for nothing else: its audience is no client, and no resource server has claimed it. */
export async function refuseClaimedAudience(context: Context, audience: string): Promise<void> {
  const { session, name } = context;
  const isTaken =
    (await findClient(context, audience)) !== null ||
    (await selectClaimedAudiences(session, [audience], null)).length > 0;
  if (!isTaken) return;
  throw new StartupError(
    `The audience of the upstream, ${audience}, is that of a client in ${name}; choose another one in dateline.config.mjs.`,
  );
}
