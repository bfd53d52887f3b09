import type { Context } from '../../../environments/environment.ts';
import { ApiError } from '../../../errors/api-error.ts';
import type { UserId } from '../../../identity/types.ts';
import { isId } from '../../../kernel/ids.ts';
import { type Page, type PageRequest, toPage } from '../../../kernel/page.ts';
import { disableEndpointsOf } from '../../../webhooks/endpoints/end-access.ts';
import { lockLiveGrants } from '../../tokens/bulk/store.ts';
import { endGrantsById } from '../../tokens/end-tokens.ts';
import type { ActiveToken, GrantId, OAuthClientId } from '../../types.ts';
import {
  type Allowed,
  type CallerGrant,
  selectConsentsOfUser,
  selectGrantHolder,
  selectLiveGrants,
  selectLiveGrantsOfUser,
  withdrawConsent,
} from './store.ts';

const isGrantId = (id: string): id is GrantId => isId('gra', id);

/** Which live grants of its user a token may know of: its own, those to the same client, or all. */
export type GrantReach = 'own' | 'client' | 'user';

export async function listCallerGrants(
  context: Context,
  token: ActiveToken,
  { after, limit, reach }: PageRequest & { reach: GrantReach },
): Promise<Page<CallerGrant>> {
  if (after !== null && !isGrantId(after))
    throw new ApiError('validation_failed', { detail: 'cursor must be the next_cursor of an earlier page.' });
  const rows = {
    after: after ?? '',
    limit: limit + 1,
    now: context.clock.now(),
  };
  const clientId = reach === 'client' ? token.clientId : null;
  const grants =
    token.subject.type === 'user' && reach !== 'own'
      ? await selectLiveGrantsOfUser(context.session, token.subject.id, { ...rows, clientId })
      : await selectLiveGrants(context.session, [token.grantId], rows);
  return toPage(grants, limit, ({ id }) => id);
}

/** Revokes a grant for the subject of a token. A grant that is not within its reach is reported as not found. */
export async function endCallerGrant(
  context: Context,
  token: ActiveToken,
  { id, reach }: { id: string; reach: GrantReach },
): Promise<void> {
  const absent = new ApiError('not_found', { detail: 'There is no live grant with this id.' });
  const holder = isGrantId(id) ? await selectGrantHolder(context.session, id) : null;
  if (!holder || !isReached(token, holder, reach)) throw absent;
  const cause =
    holder.clientId === token.clientId
      ? ({ actor: { type: 'client', id: token.clientId }, reason: 'ended by its client' } as const)
      : ({
          actor: { type: 'user', id: token.subject.id },
          reason: `ended by its user, through ${token.clientId}`,
        } as const);
  // A user's grant is ended in their name, whichever application asks.
  const removesAccess = token.subject.type === 'user';
  const ended = await endGrantsById(context, [holder.id], { ...cause, removesAccess });
  if (ended.length === 0) throw absent;
}

function isReached(
  { subject, grantId, clientId }: ActiveToken,
  holder: { id: GrantId; userId: UserId | null; clientId: OAuthClientId },
  reach: GrantReach,
): boolean {
  if (subject.type !== 'user' || reach === 'own') return holder.id === grantId;
  return holder.userId === subject.id && (reach === 'user' || holder.clientId === clientId);
}

/**
 * Everything a user allows now, for the account page: also consents without a live grant, which would be granted again
 * without asking.
 */
export async function listAllowed(context: Context, userId: UserId): Promise<Allowed[]> {
  const grants = await liveGrantsOf(context, userId);
  const remembered = await selectConsentsOfUser(context.session, userId);
  return [...grants.map(({ createdAt, ...grant }) => ({ ...grant, since: createdAt })), ...remembered];
}

async function liveGrantsOf(context: Context, userId: UserId): Promise<CallerGrant[]> {
  return selectLiveGrantsOfUser(context.session, userId, {
    after: '',
    limit: null,
    now: context.clock.now(),
  });
}

/** Revokes everything a user has allowed a client, unused codes included. */
export async function endGrantsToClient(
  context: Context,
  userId: UserId,
  clientId: OAuthClientId,
): Promise<void> {
  await context.transaction(async (inside) => {
    await withdrawConsent(inside.session, userId, { clientId, now: inside.clock.now() });
    // Read last: a code exchanged a moment ago has made one more grant.
    const grants = await liveGrantsOf(inside, userId);
    const ids = grants.filter((grant) => grant.clientId === clientId).map(({ id }) => id);
    // Locked before endpoints are, as everywhere. Those are disabled also where no grant is live any more.
    await lockLiveGrants(inside.session, ids);
    await disableEndpointsOf(inside, [{ clientId, userId }], 'its user removed the access of its client');
    await endGrantsById(inside, ids, { actor: { type: 'user', id: userId }, reason: 'ended by its user' });
  });
}
