import type { Actor } from '../../audit/types.ts';
import type { Context } from '../../environments/environment.ts';
import { ApiError } from '../../errors/api-error.ts';
import type { UserId } from '../../identity/types.ts';
import { isId } from '../../kernel/ids.ts';
import { type Page, type PageRequest, toPage } from '../../kernel/page.ts';
import { endGrantsById } from '../tokens/end-tokens.ts';
import type { GrantId, OAuthClientId } from '../types.ts';
import { type CallerGrant, selectLiveGrantsOfClient, selectLiveGrantsOfUser } from './caller-grants/store.ts';

// For operators, who see the grants of all users and clients.

export async function grantsOfUser(
  { session, clock }: Context,
  userId: UserId,
  { limit, after }: PageRequest,
): Promise<Page<CallerGrant>> {
  const rows = { after: after ?? '', limit: limit + 1, now: clock.now() };
  return toPage(await selectLiveGrantsOfUser(session, userId, rows), limit, ({ id }) => id);
}

export async function grantsOfClient(
  { session, clock }: Context,
  clientId: OAuthClientId,
  { limit, after }: PageRequest,
): Promise<Page<CallerGrant>> {
  const rows = { after: after ?? '', limit: limit + 1, now: clock.now() };
  return toPage(await selectLiveGrantsOfClient(session, clientId, rows), limit, ({ id }) => id);
}

/** Writes its own audit entry. */
export async function endGrant(
  context: Context,
  id: string,
  { actor, reason }: { actor: Actor; reason: string },
): Promise<void> {
  const ended = isId<'grant'>('gra', id)
    ? await endGrantsById(context, [id as GrantId], { actor, reason })
    : [];
  if (ended.length === 0) throw new ApiError('not_found', { detail: 'There is no live grant with this id.' });
}
