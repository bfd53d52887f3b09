import type { Context } from '../../../environments/environment.ts';
import { ApiError } from '../../../errors/api-error.ts';
import type { OAuthClient } from '../../types.ts';
import { organizationsOfAudiences } from './store.ts';

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
