import type { Context } from '../../environments/environment.ts';
import { hexOf } from '../../kernel/digest.ts';
import type { OAuthClientId } from '../types.ts';
import { findTokens } from './store.ts';
import type { TokenRecord } from './token-record.ts';
import { tokenEnds } from './token-state.ts';

/**
 * The clients that hold these tokens, by digest in hex; unknown tokens are left out. An expired token still tells whose it is:
 * a client that cannot refresh presents it for long. One that was revoked does not, since anybody may have it.
 */
export async function tokenHolders(
  { session, clock }: Pick<Context, 'session' | 'clock'>,
  digests: readonly Buffer[],
): Promise<ReadonlyMap<string, OAuthClientId>> {
  if (digests.length === 0) return new Map();
  const now = clock.now();
  const held = (await findTokens(session, digests)).filter((token) => isHeld(token, now));
  return new Map(held.map(({ digest, clientId }) => [hexOf(digest), clientId]));
}

function isHeld(token: TokenRecord, now: Date): boolean {
  return tokenEnds(token, now).every(({ state }) => state === 'expired');
}
