import type {
  CompiledOperation,
  CompiledVersion,
  Json,
  JsonSchema,
  Operation,
  UpgradableRequest,
} from '@dateline/versions';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Environment, Scene } from '../../environments/environment.ts';
import { errorResponse } from '../../errors/error-body.ts';
import type { Scope } from '../../oauth/scopes/scopes.ts';
import type { TokenVerifier } from '../../oauth/tokens/verify-token.ts';
import type { ActiveToken, OAuthClientId } from '../../oauth/types.ts';
import type { SecretBox } from '../../secrets/secret-box.ts';
import { type App, type AppSettings, createApp } from '../app/create-app.ts';
import { takeForms } from '../app/take-forms.ts';
import { requestContext } from '../edge/request-context.ts';
import { nameClient, nameOperation } from '../edge/request-use.ts';
import { authenticateToken } from './authenticate-token.ts';
import { errorShapesOf } from './error-shapes.ts';
import { requireMediaType } from './read-body.ts';
import { readHeaders } from './read-headers.ts';
import { readQuery } from './read-query.ts';
import { IDEMPOTENCY_KEY, replyOnce } from './reply-once.ts';
import { requestError, withChallenge } from './request-error.ts';
import { withoutPages } from './without-pages.ts';

/** What an operation without a token is given: a request as the newest version makes it. */
export interface OpenCall {
  /** What to work in: the environment, or a transaction of it in which the answer is kept for whoever asks again. */
  scene: Scene;
  request: UpgradableRequest;
  caller: Caller;
}

/** The same with the token that the operation needs. */
export interface Call extends OpenCall {
  token: ActiveToken;
}

/** What is known of a caller that has not said who it is. */
export interface Caller {
  /** The peer's, unless a trusted proxy says otherwise. */
  address(): string;
  authorization: string | undefined;
  /** Told by whatever has let a client in without a token: it counts as the one who asks. */
  admitted(clientId: OAuthClientId): void;
}

export interface Answer {
  status: number;
  /** As the newest version tells it; null for an answer without a body. */
  body: Json | null;
  /** What older versions tell beyond it. */
  extras?: Json;
  /** Where it is kept, it must be sealed. */
  holdsSecret?: true;
}

export type OperationHandler = (call: Call) => Promise<Answer>;
export type OperationHandlers = Readonly<Record<string, OperationHandler>>;

export interface VersionAppOptions {
  version: CompiledVersion;
  handlers: OperationHandlers;
  environment: Environment;
  /** For answers that are kept. */
  box: SecretBox;
  verifyToken: TokenVerifier;
  settings: AppSettings;
}

/** One version of the public API. Its routes, checks, answers and errors all come from its own contract. */
export function createVersionApp(options: VersionAppOptions): App {
  const { handlers, environment, box, verifyToken, settings } = options;
  const version = withoutPages(options.version);
  const shapeAt = errorShapesOf(version);
  const app = createApp({
    ...settings,
    writeError(error, request) {
      const compiled = version.operations.get(operationIdOf(request));
      const facts = (compiled ?? version).downgradeError(error);
      const { headers, members } = withChallenge(error, request);
      const path = compiled?.operation.path ?? request.url.split('?', 1)[0] ?? '';
      return errorResponse({ ...facts, headers, members }, shapeAt(path));
    },
  });
  takeForms(app);
  app.addHook('onRequest', (request, _reply, done) => {
    nameOperation(requestContext(request.raw), operationIdOf(request) || null);
    done();
  });
  for (const compiled of version.operations.values()) {
    const handler = handlers[compiled.headOperationId];
    if (!handler)
      throw new Error(`no code does ${compiled.headOperationId}, which ${version.version} promises`);
    const { operation } = compiled;
    app.route({
      method: operation.method,
      url: operation.path.replaceAll(/\{(\w+)\}/g, ':$1'),
      config: { operationId: operation.id },
      schema: { response: responseSchemas(operation) },
      handler: (request, reply) =>
        serve({ request, reply, compiled, handler, environment, box, verifyToken }),
    });
  }
  return app;
}

interface Serving {
  request: FastifyRequest;
  reply: FastifyReply;
  compiled: CompiledOperation;
  handler: OperationHandler;
  environment: Environment;
  box: SecretBox;
  verifyToken: TokenVerifier;
}

async function serve(serving: Serving): Promise<FastifyReply> {
  const { request, reply, compiled, environment, box, verifyToken } = serving;
  const { operation } = compiled;
  requireMediaType(request, operation);
  const token = await authorize(request, operation, verifyToken);
  const headers = readHeaders(request.headers, operation.headers);
  const asked = readRequest(request, headers, compiled);
  const tell = (scene: Scene) => answer(serving, { scene, request: asked, caller: callerOf(request), token });
  const key = headers[IDEMPOTENCY_KEY] as string | undefined;
  if (key !== undefined)
    return replyOnce({ key, request, reply, environment, box, operation, token, asked }, tell);
  const { status, body } = await tell(environment);
  // RFC 6749 §5.1 asks for it beside Cache-Control.
  if (operation.errorShape) reply.header('pragma', 'no-cache');
  return reply.status(status).send(body ?? undefined);
}

/** Does what is asked for, and tells it as the version of the request does. */
async function answer({ compiled, handler }: Serving, call: Call): Promise<Answer> {
  const { upgradeRequest, downgradeResponse } = compiled;
  const asked = call.request;
  const answered = await handler({ ...call, request: upgradeRequest?.(asked) ?? asked });
  const { body, extras = {} } = answered;
  if (body === null || downgradeResponse === null) return answered;
  return { ...answered, body: downgradeResponse(body, { request: asked, extras }) };
}

async function authorize(
  request: FastifyRequest,
  { security }: Operation,
  verify: TokenVerifier,
): Promise<ActiveToken> {
  // The handler of such an operation declares that it takes no token, or looks at its secret itself.
  if (security.scheme !== 'bearer') return undefined as unknown as ActiveToken;
  return authenticateToken(request, verify, security.scopes as Scope[]);
}

function readRequest(
  request: FastifyRequest,
  headers: Json,
  { operation, validateQuery, validateHeaders, validateBody }: CompiledOperation,
): UpgradableRequest {
  const query = readQuery(request.query as Json, operation.query);
  const body = request.body ?? (operation.body?.optional ? {} : request.body);
  const findings = [...validateQuery(query), ...validateHeaders(headers), ...validateBody(body)];
  if (findings.length > 0) throw requestError(operation, findings);
  return {
    params: request.params as Record<string, string>,
    query,
    body: operation.body ? (body as Json) : {},
    command: {},
  };
}

function responseSchemas({ responses }: Operation): Record<string, JsonSchema> {
  const withBody = Object.entries(responses).filter(([, body]) => body !== null);
  return Object.fromEntries(withBody.map(([status, body]) => [status, body?.schema as JsonSchema]));
}

function callerOf(request: FastifyRequest): Caller {
  return {
    address: () => request.ip,
    authorization: request.headers.authorization,
    admitted: (clientId) => nameClient(requestContext(request.raw), clientId),
  };
}

function operationIdOf(request: FastifyRequest): string {
  return (request.routeOptions?.config as { operationId?: string } | undefined)?.operationId ?? '';
}
