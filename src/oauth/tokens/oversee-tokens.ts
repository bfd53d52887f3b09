import type { Context } from '../../environments/environment.ts';
import { ApiError } from '../../errors/api-error.ts';
import { isId } from '../../kernel/ids.ts';
import { type Page, type PageRequest, toPage } from '../../kernel/page.ts';
import { type Cause, endAll } from './end-tokens.ts';
import { canBeEnded } from './revoke-token.ts';
import { findTokenById, selectTokensOfGrant } from './store.ts';
import type { TokenRecord } from './token-record.ts';
import { type TokenEndState, tokenEnds } from './token-state.ts';

// For operators, who see the tokens of all clients.

/** A token of a grant, and how it ended first; null while it is active. */
export interface TokenOfGrant {
  token: TokenRecord;
  endedBy: TokenEndState | null;
}

/** The stored tokens of a grant, newest first: each refresh token is the successor of another. */
export async function tokensOfGrant(
  { session, clock }: Context,
  id: string,
  page: PageRequest,
): Promise<Page<TokenOfGrant>> {
  const found = isId<'grant'>('gra', id) ? await selectTokensOfGrant(session, id, page) : [];
  if (found.length === 0 && page.after === null)
    throw new ApiError('not_found', { detail: 'No token of a grant with this id is stored here.' });
  const now = clock.now();
  const { items, next } = toPage(found, page.limit, (token) => token.id);
  return { items: items.map((token) => ({ token, endedBy: firstEnd(token, now) })), next };
}

function firstEnd(token: TokenRecord, now: Date): TokenEndState | null {
  const [first] = [...tokenEnds(token, now)].sort((one, other) => one.at.getTime() - other.at.getTime());
  return first?.state ?? null;
}

/** An access token alone; a refresh token with its whole grant, as when its client revokes it. */
export async function endToken(context: Context, id: string, cause: Cause): Promise<void> {
  await context.transaction(async (inside) => {
    const token = isId<'token'>('tok', id) ? await findTokenById(inside.session, id) : null;
    if (!token || !canBeEnded(token, inside.clock.now()))
      throw new ApiError('not_found', { detail: 'There is no live token with this id.' });
    await endAll(inside, [{ token, ...cause }]);
  });
}
