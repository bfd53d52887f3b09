import type { Context } from '../environments/environment.ts';
import { ApiError } from '../errors/api-error.ts';
import { digestsEqual } from '../kernel/digest.ts';
import { deleteExpiredKeys, type StoredAnswer, selectAnswer, upsertAnswer } from './store.ts';
import type { KeptAnswer, KeyedRequest } from './types.ts';

const KEPT_MS = 24 * 60 * 60 * 1000;
// More than one per request, so that a backlog shrinks; few enough that requests do not wait.
const FORGOTTEN_AT_ONCE = 10;

/**
 * Does the work once for a key, and repeats its answer for repeated requests. The answer is stored in the
 * transaction of the work, so a crash leaves both or neither. A repeat that arrives during the work waits for it.
 * Work that throws stores nothing: an error is not kept, and the corrected request may use the same key.
 */
export async function answerOnce(
  context: Context,
  request: KeyedRequest,
  work: (context: Context) => Promise<KeptAnswer>,
): Promise<KeptAnswer> {
  return context.transaction(async (inside) => {
    await inside.session.lock(lockName(request));
    const now = inside.clock.now();
    const stored = await selectAnswer(inside.session, request, now);
    if (stored) return answerAgain(stored, request);
    const answer = await work(inside);
    const expiresAt = new Date(now.getTime() + KEPT_MS);
    await upsertAnswer(inside.session, { ...request, ...answer, now, expiresAt });
    await deleteExpiredKeys(inside.session, { now, limit: FORGOTTEN_AT_ONCE });
    return answer;
  });
}

function answerAgain(stored: StoredAnswer, request: KeyedRequest): KeptAnswer {
  const { requestDigest, status, body, isSealed } = stored;
  if (!digestsEqual(requestDigest, request.requestDigest)) throw new ApiError('idempotency_key_reused');
  return { status, body: Buffer.from(body), ...(isSealed ? { isSealed } : {}) };
}

/** None of the parts holds a space. */
function lockName({ clientId, subjectId, organizationId, key }: KeyedRequest): string {
  return ['idempotency', clientId, subjectId, organizationId, key].join(' ');
}
