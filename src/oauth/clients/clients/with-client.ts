import type { Context } from '../../../environments/environment.ts';
import { ApiError } from '../../../errors/api-error.ts';
import type { OAuthClient } from '../../types.ts';
import { isClientId } from '../../types.ts';
import { lockClient } from './store.ts';

/** Changes to one client are serialised: each sees the result of the one before. */
export async function withClient<Result>(
  context: Context,
  id: string,
  work: (context: Context, client: OAuthClient) => Promise<Result>,
): Promise<Result> {
  if (!isClientId(id)) throw noSuchClient();
  return context.transaction(async (inside) => {
    const client = await lockClient(inside.session, id);
    if (!client) throw noSuchClient();
    return work(inside, client);
  });
}

export function noSuchClient(): ApiError {
  return new ApiError('not_found', { detail: 'There is no client with this id.' });
}
