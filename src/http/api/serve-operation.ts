import type { CompiledOperation, Json, Operation, UpgradableRequest } from '@dateline/versions';
import type { FastifyReply } from 'fastify';
import type { Environment, Scene } from '../../environments/environment.ts';
import type { TokenVerifier } from '../../oauth/tokens/verify-token.ts';
import type { ActiveToken } from '../../oauth/types.ts';
import type { SecretBox } from '../../secrets/secret-box.ts';
import { nameClient, requestContext } from '../edge/request-context.ts';
import { authenticateToken } from './authenticate-token.ts';
import type { Answer, AnyHandler, Caller } from './handler.ts';
import {
  type ApiRequest,
  createRequestReader,
  type ReadRequest,
  refuseSecretsInQuery,
} from './read-request.ts';
import { JSON_TEXT, replyOnce, retryKeyIn, serialise } from './reply-once.ts';

/** What serves one operation of one version: made once, with its route. */
export interface Serving extends ServingParts {
  read(request: ApiRequest): ReadRequest;
}

export interface ServingParts {
  compiled: CompiledOperation;
  handler: AnyHandler;
  environment: Environment;
  /** Seals stored answers. */
  box: SecretBox;
  verifyToken: TokenVerifier;
}

export function servingOf(parts: ServingParts): Serving {
  return { ...parts, read: createRequestReader(parts.compiled) };
}

/** Validates a request by the contract of its version, handles it, and answers in that version. */
export async function serveOperation(
  serving: Serving,
  request: ApiRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const { compiled, environment, box, verifyToken } = serving;
  const { operation } = compiled;
  refuseSecretsInQuery(request, operation);
  const token = await tokenFor(operation, request, verifyToken);
  const { asked, headers } = serving.read(request);
  const caller = callerOf(request);
  const work = (scene: Scene) => answer(serving, asked, { scene, caller, ...(token && { token }) });
  if (token === null || operation.method === 'GET') return send(reply, operation, await work(environment));
  const key = retryKeyIn(headers);
  if (key === null) return sendWhole(reply, operation, { environment, work });
  return replyOnce({ key, request, reply, environment, box, operation, token, asked }, work);
}

/** Null where the operation takes none: it is open, or its handler checks a secret of its own. */
async function tokenFor(
  { security }: Operation,
  request: ApiRequest,
  verify: TokenVerifier,
): Promise<ActiveToken | null> {
  return security.scheme === 'bearer' ? authenticateToken(request, verify, security.scopes) : null;
}

/** Handles the request as one of Next, and downgrades the answer to the version of the request. */
async function answer(
  { compiled: { upgradeRequest, downgradeResponse }, handler }: Serving,
  asked: UpgradableRequest,
  call: { scene: Scene; caller: Caller; token?: ActiveToken },
): Promise<Answer> {
  const answered = await handler({ ...call, request: upgradeRequest ? upgradeRequest(asked) : asked });
  const { body, extras = {} } = answered;
  if (body === null || downgradeResponse === null) return answered;
  return { ...answered, body: downgradeResponse(body, { request: asked, extras }) };
}

function send(reply: FastifyReply, operation: Operation, { status, body }: SentAnswer): FastifyReply {
  // RFC 6749 §5.1 requires it beside Cache-Control.
  if (operation.errorShape) reply.header('pragma', 'no-cache');
  return reply.status(status).send(body ?? undefined);
}

interface SentAnswer {
  status: number;
  body: Json | string | null;
}

/** The work and its answer are one transaction: an answer that its contract rejects changes nothing. */
async function sendWhole(
  reply: FastifyReply,
  operation: Operation,
  { environment, work }: { environment: Environment; work(scene: Scene): Promise<Answer> },
): Promise<FastifyReply> {
  const answered = await environment.transaction(async (scene) => {
    const { status, body } = await work(scene);
    return { status, body: body && serialise(reply, status, body) };
  });
  if (answered.body !== null) reply.type(JSON_TEXT);
  return send(reply, operation, answered);
}

function callerOf(request: ApiRequest): Caller {
  return {
    address: () => request.ip,
    authorization: request.headers.authorization,
    admitted: (clientId) => nameClient(requestContext(request.raw), clientId),
  };
}
