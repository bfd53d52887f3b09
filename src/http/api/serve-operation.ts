import type { CompiledOperation, Json, Operation, TokenSecurity } from '@dateline/versions';
import type { FastifyReply } from 'fastify';
import type { Context, Environment } from '../../environments/environment.ts';
import type { TokenVerifier } from '../../oauth/tokens/verify-token.ts';
import type { SecretBox } from '../../secrets/secret-box.ts';
import { nameClient, requestContext } from '../edge/request-context.ts';
import { authenticateToken, tokenNeeds } from './authenticate-token.ts';
import type { Answer, AnyHandler, Caller } from './handler.ts';
import { type ApiRequest, createRequestReader, refuseSecretsInQuery } from './read-request.ts';
import { JSON_TEXT, replyOnce, retryKeyIn, serialise } from './reply-once.ts';

export interface ServingParts {
  compiled: CompiledOperation;
  handler: AnyHandler;
  environment: Environment;
  /** Seals stored answers. */
  box: SecretBox;
  verifyToken: TokenVerifier;
}

/** Validates a request by the contract of its version, handles it, and answers in that version: with a body to send, or all of it. */
export type OperationServer = (request: ApiRequest, reply: FastifyReply) => Promise<SentBody | FastifyReply>;

type SentBody = Json | string | undefined;

/** Returns the server of one operation of one version. Called once, with its route. */
export function createOperationServer(parts: ServingParts): OperationServer {
  const { security } = parts.compiled.operation;
  return security.scheme === 'bearer' ? serveAuthenticated(parts, security) : serveAnyone(parts);
}

/** The operation is open, or its handler checks a secret of its own. */
function serveAnyone({ compiled, handler, environment }: ServingParts): OperationServer {
  const { operation } = compiled;
  const read = createRequestReader(compiled);
  const answer = createAnswerer(compiled, handler);
  return async (request, reply) => {
    refuseSecretsInQuery(request, operation);
    const { asked } = read(request);
    const call = { context: environment, caller: callerOf(request), request: asked };
    return send(reply, operation, await answer(call));
  };
}

/** The operation needs a token with these scopes. */
function serveAuthenticated(
  { compiled, handler, environment, box, verifyToken }: ServingParts,
  security: TokenSecurity,
): OperationServer {
  const { operation } = compiled;
  const needs = tokenNeeds(operation, security);
  const read = createRequestReader(compiled);
  const answer = createAnswerer(compiled, handler);
  return async (request, reply) => {
    refuseSecretsInQuery(request, operation);
    const token = await authenticateToken(request, verifyToken, needs);
    const { asked, headers } = read(request);
    const caller = callerOf(request);
    const work = (context: Context) => answer({ context, caller, token, request: asked });
    if (operation.method === 'GET') return send(reply, operation, await work(environment));
    const key = retryKeyIn(headers);
    if (key === null) return sendWhole(reply, operation, { environment, work });
    return replyOnce({ key, request, reply, environment, box, operation, token, asked }, work);
  };
}

/** Handles requests as those of Next, and downgrades the answers to their version: where nothing differs, nothing is done. */
function createAnswerer(
  { upgradeRequest, downgradeResponse, downgradeStatus }: CompiledOperation,
  handler: AnyHandler,
): AnyHandler {
  // Member by member: a literal that begins with a spread is built by V8's slow path, at every request.
  const handle: AnyHandler =
    upgradeRequest === null
      ? handler
      : ({ context, caller, token, request }) =>
          handler({ context, caller, token, request: upgradeRequest(request) });
  if (downgradeResponse === null && downgradeStatus === null) return handle;
  return async (call) => {
    const answered = await handle(call);
    const { status, body, extras = {} } = answered;
    const context = { request: call.request, status, extras };
    return {
      ...answered,
      status: downgradeStatus?.(status) ?? status,
      body: body && (downgradeResponse?.(body, context) ?? body),
    };
  };
}

/** Returns the body: a FastifyReply is thenable and would be awaited. */
function send(reply: FastifyReply, operation: Operation, { status, body }: SentAnswer): SentBody {
  // RFC 6749 §5.1 requires it beside Cache-Control.
  if (operation.errorShape) reply.header('pragma', 'no-cache');
  reply.status(status);
  return body ?? undefined;
}

interface SentAnswer {
  status: number;
  body: Json | string | null;
}

/** The work and its answer are one transaction: an answer that its contract rejects changes nothing. */
async function sendWhole(
  reply: FastifyReply,
  operation: Operation,
  { environment, work }: { environment: Environment; work(context: Context): Promise<Answer> },
): Promise<SentBody> {
  const answered = await environment.transaction(async (context) => {
    const { status, body } = await work(context);
    return { status, body: body && serialise(reply, status, body) };
  });
  if (answered.body !== null) reply.type(JSON_TEXT);
  return send(reply, operation, answered);
}

function callerOf(request: ApiRequest): Caller {
  return {
    address: () => request.ip,
    hasLeft: () => request.raw.socket.destroyed || request.raw.socket.readableEnded,
    authorization: request.headers.authorization,
    named: (clientId) => {
      requestContext(request.raw).namedClient = clientId;
    },
    admitted: (clientId) => nameClient(requestContext(request.raw), clientId),
  };
}
