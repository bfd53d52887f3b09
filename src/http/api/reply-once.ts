import type { Json, Operation, UpgradableRequest } from '@dateline/versions';
import type { FastifyReply } from 'fastify';
import type { Context, Environment } from '../../environments/environment.ts';
import { answerOnce } from '../../idempotency/answer-once.ts';
import { requestDigest } from '../../idempotency/request-digest.ts';
import { answerPurpose } from '../../idempotency/sealed-answers.ts';
import type { KeyedRequest } from '../../idempotency/types.ts';
import { chooseOrganization } from '../../identity/choose-organization.ts';
import type { ActiveToken } from '../../oauth/types.ts';
import type { SecretBox } from '../../secrets/secret-box.ts';
import { requestContext } from '../edge/request-context.ts';
import type { Answer } from './handler.ts';
import type { ApiRequest } from './read-request.ts';

/** The header of a repeatable request; an operation's contract says whether it takes one. */
const IDEMPOTENCY_KEY = 'Idempotency-Key';

export function retryKeyIn(headers: Json): string | null {
  const key = headers[IDEMPOTENCY_KEY];
  return typeof key === 'string' ? key : null;
}

export interface Keyed {
  key: string;
  request: ApiRequest;
  reply: FastifyReply;
  environment: Environment;
  box: SecretBox;
  operation: Operation;
  token: ActiveToken;
  asked: UpgradableRequest;
}

/** Repeats the answer stored under this key, byte by byte; otherwise does the work and stores its answer. */
export async function replyOnce(
  keyed: Keyed,
  work: (context: Context) => Promise<Answer>,
): Promise<FastifyReply> {
  const { reply, environment, box } = keyed;
  const request = keyedRequest(keyed);
  const purpose = answerPurpose(request);
  const kept = await answerOnce(environment, request, async (context) => {
    const { status, body, holdsSecret } = await work(context);
    const text = body === null ? '' : serialise(reply, status, body);
    if (!holdsSecret) return { status, body: Buffer.from(text) };
    return { status, body: await box.seal(context, purpose, text), isSealed: true };
  });
  const body = kept.isSealed ? Buffer.from(box.unseal(purpose, kept.body)) : kept.body;
  return reply.status(kept.status).type(JSON_TEXT).send(body);
}

/**
 * A key belongs to a client and its subject, not to a token or a grant: a retry after an hour has another token. It also belongs
 * to the organization, so that nobody who has left it gets its answer again. A request in another version is another request.
 */
function keyedRequest({ key, request, operation, token, asked }: Keyed): KeyedRequest {
  const { version } = requestContext(request.raw);
  const { params, query, body } = asked;
  return {
    clientId: token.clientId,
    subjectId: token.subject.id,
    organizationId: chooseOrganization(token.organizationIds, organizationIn(body)),
    key,
    requestDigest: requestDigest({ version, operationId: operation.id, params, query, body }),
  };
}

function organizationIn({ organization_id: named }: Json): string | null {
  return typeof named === 'string' ? named : null;
}

export const JSON_TEXT = 'application/json; charset=utf-8';

/** Serialises an answer by the schema of its route and status; throws where it does not match. */
export function serialise(reply: FastifyReply, status: number, body: Json): string {
  return String(reply.serializeInput(body, String(status)));
}
