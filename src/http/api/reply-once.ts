import type { Operation, UpgradableRequest } from '@dateline/versions';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Environment, Scene } from '../../environments/environment.ts';
import { answerOnce } from '../../idempotency/answer-once.ts';
import { requestDigest } from '../../idempotency/request-digest.ts';
import { placeOfAnswer } from '../../idempotency/sealed-answers.ts';
import type { KeyedRequest } from '../../idempotency/types.ts';
import type { ActiveToken } from '../../oauth/types.ts';
import type { SecretBox } from '../../secrets/secret-box.ts';
import { requestContext } from '../edge/request-context.ts';
import type { Answer } from './version-app.ts';

/** The header of a request that may be sent again; an operation's contract says whether it takes one. */
export const IDEMPOTENCY_KEY = 'Idempotency-Key';

export interface Keyed {
  key: string;
  request: FastifyRequest;
  reply: FastifyReply;
  environment: Environment;
  box: SecretBox;
  operation: Operation;
  token: ActiveToken;
  asked: UpgradableRequest;
}

export type Tell = (scene: Scene) => Promise<Answer>;

/** Replies with what was replied under this key before, to the byte; otherwise does what is asked for and keeps it. */
export async function replyOnce(keyed: Keyed, tell: Tell): Promise<FastifyReply> {
  const { reply, environment, box } = keyed;
  const request = keyedRequest(keyed);
  const place = placeOfAnswer(request);
  const kept = await answerOnce(environment, request, async (scene) => {
    const { status, body, holdsSecret } = await tell(scene);
    const text = body === null ? '' : (reply.serializeInput(body, String(status)) as string);
    if (!holdsSecret) return { status, body: Buffer.from(text) };
    return { status, body: await box.seal(scene, place, text), isSealed: true };
  });
  const body = kept.isSealed ? Buffer.from(box.unseal(place, kept.body)) : kept.body;
  return reply.status(kept.status).type('application/json; charset=utf-8').send(body);
}

/**
 * A key belongs to a client and the one it acts for, not to a token or a grant: whoever retries after an hour has
 * another token. A request in another version is another request.
 */
function keyedRequest({ key, request, operation, token, asked }: Keyed): KeyedRequest {
  const { version } = requestContext(request.raw);
  const { params, query, body } = asked;
  return {
    clientId: token.clientId,
    subjectId: token.subject.id,
    key,
    requestDigest: requestDigest({ version, operationId: operation.id, params, query, body }),
  };
}
