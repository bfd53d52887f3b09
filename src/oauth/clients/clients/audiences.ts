import type { Context } from '../../../environments/environment.ts';
import { ApiError } from '../../../errors/api-error.ts';
import { StartupError } from '../../../errors/startup-error.ts';
import type { OAuthClient } from '../../types.ts';
import { findClient } from './clients.ts';
import { organizationsOfAudiences, selectClaimedAudiences } from './store.ts';

/** The audience of a token: the client itself, or the one resource server that `resource` names (RFC 8707). */
export async function chooseAudience(
  context: Context,
  client: OAuthClient,
  resource: string | undefined,
): Promise<string> {
  if (resource === undefined || resource === client.id) return client.id;
  const [server] = await organizationsOfAudiences(context.session, [resource]);
  if (!server) throw new ApiError('invalid_target');
  return resource;
}

/** A token for the upstream must be good for nothing else: its audience is no client, and no resource server has claimed it. */
export async function refuseClaimedAudience(context: Context, audience: string): Promise<void> {
  const { session, name } = context;
  const isTaken =
    (await findClient(context, audience)) !== null ||
    (await selectClaimedAudiences(session, [audience], null)).length > 0;
  if (!isTaken) return;
  throw new StartupError(
    `The audience of the upstream, ${audience}, is that of a client in ${name}; choose another one in dateline.config.mjs (or .ts).`,
  );
}
