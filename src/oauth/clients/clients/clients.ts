import type { Context } from '../../../environments/environment.ts';
import { ApiError } from '../../../errors/api-error.ts';
import { newId } from '../../../kernel/ids.ts';
import {
  clientIdPrefix,
  isClientId,
  type OAuthClient,
  type OAuthClientId,
  USUAL_ALGORITHM,
} from '../../types.ts';
import { insertClient, lockClient, selectClient, selectClients, selectExistingClients } from './store.ts';

type Chosen = 'requiresPkce' | 'idTokenAlgorithm';

/** PKCE is required, and id_tokens are signed as usual, unless it says otherwise. */
export type NewClient = Omit<OAuthClient, 'id' | 'createdAt' | 'disabledAt' | Chosen> &
  Partial<Pick<OAuthClient, Chosen>>;

export async function createClient(context: Context, input: NewClient): Promise<OAuthClient> {
  const now = context.clock.now();
  const client: OAuthClient = {
    requiresPkce: true,
    idTokenAlgorithm: USUAL_ALGORITHM,
    ...input,
    id: newId(clientIdPrefix, now),
    createdAt: now,
    disabledAt: null,
  };
  await insertClient(context.session, client);
  return client;
}

export async function findClient(context: Context, id: string): Promise<OAuthClient | null> {
  return isClientId(id) ? selectClient(context.session, id) : null;
}

/** Finds clients by id; leaves out ids that are unknown. */
export async function findClients(context: Context, ids: readonly OAuthClientId[]): Promise<OAuthClient[]> {
  return ids.length === 0 ? [] : selectClients(context.session, ids);
}

/** Finds clients by id; leaves out ids that are unknown, and clients that were deleted. */
export async function findExistingClients(
  context: Context,
  ids: readonly OAuthClientId[],
): Promise<OAuthClient[]> {
  return ids.length === 0 ? [] : selectExistingClients(context.session, ids);
}

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
