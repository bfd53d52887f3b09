import type { Scene } from '../environments/environment.ts';
import { ApiError } from '../errors/api-error.ts';
import { digestsEqual } from '../kernel/digest.ts';
import { deleteExpiredKeys, type StoredAnswer, selectAnswer, upsertAnswer } from './store.ts';
import type { KeptAnswer, KeyedRequest } from './types.ts';

const KEPT_MS = 24 * 60 * 60 * 1000;
// Several for each one that comes, so that what piled up goes away, and few enough that nobody waits for it.
const FORGOTTEN_AT_ONCE = 10;

/**
 * Does the work once for a key, and gives its answer again to whoever repeats the request. The answer is stored in the
 * transaction of the work, so a crash leaves both or neither. Whoever comes while the work is being done waits for it.
 * Work that throws leaves nothing behind: an error is no answer to keep, and the request may be mended and sent again.
 */
export async function answerOnce(
  scene: Scene,
  request: KeyedRequest,
  work: (scene: Scene) => Promise<KeptAnswer>,
): Promise<KeptAnswer> {
  return scene.transaction(async (inside) => {
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
function lockName({ clientId, subjectId, key }: KeyedRequest): string {
  return ['idempotency', clientId, subjectId, key].join(' ');
}
