import type { Context } from '../../../environments/environment.ts';
import { deriveKey, seal, unseal } from '../../../kernel/seal.ts';
import { lockGrant, selectRotation } from '../../grants/refresh/store.ts';
import type { TokenAnswer } from '../../grants/token-answer.ts';
import { selectTokensOfGrant } from '../../tokens/store.ts';
import { isLive } from '../../tokens/token-state.ts';
import type { GrantId } from '../../types.ts';
import type { CodeUse } from './store.ts';

/** Seals the answer to a code, for a client that does not hear it. */
export function repeatableAnswer(
  { clock, lifetimes }: Context,
  codeValue: string,
  answer: TokenAnswer,
): CodeUse['repeatable'] {
  const until = new Date(clock.now().getTime() + lifetimes.rotationGraceSeconds * 1000);
  return { sealedAnswer: seal(answerKey(codeValue), JSON.stringify(answer)), until };
}

/**
 * The answer that a code was given before; null once a token of it was used or ended, and when the grace is over. To be called in
 * a transaction, whose commit follows that of the exchange: what is repeated is as durable as what was answered first.
 */
export async function repeatAnswer(
  { session, clock }: Context,
  codeValue: string,
  { digest, grantId }: { digest: Uint8Array; grantId: GrantId },
): Promise<TokenAnswer | null> {
  // A first use of its tokens has come before this lock, or waits for it.
  await lockGrant(session, grantId);
  const now = clock.now();
  const tokens = await selectTokensOfGrant(session, grantId, { limit: 2, after: null });
  if (!tokens.every((token) => token.repeatableUntil !== null && isLive(token, now))) return null;
  const { sealedAnswer = null } = (await selectRotation(session, digest, now)) ?? {};
  return sealedAnswer && JSON.parse(unseal(answerKey(codeValue), sealedAnswer));
}

/** Only the holder of the code can decrypt the answer it got. */
function answerKey(codeValue: string): Buffer {
  return deriveKey(codeValue, 'dateline code answer');
}
