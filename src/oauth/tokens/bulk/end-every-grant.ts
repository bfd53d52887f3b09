import type { Context } from '../../../environments/environment.ts';
import type { GrantId } from '../../types.ts';
import { type Cause, endGrantsById } from '../end-tokens.ts';
import type { Selection } from './selection.ts';
import { burnCodes, countUsableTokens, selectGrantIds } from './store.ts';

const EVERYTHING: Selection = { clientId: null, subject: null, organizationId: null, issuedBefore: null };
const AT_ONCE_MAX = 1_000;

export interface EveryGrant {
  grants: number;
  /** Those that were live until now. */
  tokens: number;
  codes: number;
}

/**
 * Ends every grant with its tokens, and every code, in the transaction of the context. Webhook endpoints stay enabled: nobody
 * has lost the access that they were made with, and who it is for can get it again.
 */
export async function endEveryGrant(context: Context, cause: Cause): Promise<EveryGrant> {
  const { session, clock } = context;
  const now = clock.now();
  const codes = await burnCodes(session, EVERYTHING, { now, endingBefore: null });
  let [grants, tokens] = [0, 0];
  for (let after: GrantId | null = null; ; ) {
    const ids: GrantId[] = await selectGrantIds(session, EVERYTHING, { after, limit: AT_ONCE_MAX, now });
    tokens += (await countUsableTokens(session, ids, { now, issuedBefore: null })).tokens;
    grants += (await endGrantsById(context, ids, { ...cause, removesAccess: false })).length;
    after = ids.at(-1) ?? null;
    if (ids.length < AT_ONCE_MAX) return { grants, tokens, codes };
  }
}
