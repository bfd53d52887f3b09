import type { FastifyReply, FastifyRequest } from 'fastify';
import { errorResponse, isErrorShape } from '../errors/error-body.ts';
import type { Scope } from '../oauth/scopes.ts';
import type { ActiveToken } from '../oauth/types.ts';
import type { TokenVerifier } from '../oauth/verify-token.ts';
import type { Json, UpgradableRequest } from '../versions/change.ts';
import type { CompiledOperation, CompiledVersion } from '../versions/compile-api.ts';
import type { JsonSchema, Operation } from '../versions/contract.ts';
import { authenticateToken } from './authenticate-token.ts';
import { type App, type AppSettings, createApp } from './create-app.ts';
import { readQuery } from './read-query.ts';
import { validationError } from './validation-error.ts';

/** What an operation is given: a request as the newest version makes it, and who makes it. */
export interface Call {
  request: UpgradableRequest;
  /** Of operations that need a token. */
  token: ActiveToken;
}

export interface Answer {
  status: number;
  /** As the newest version tells it; null for an answer without a body. */
  body: Json | null;
  /** What older versions tell beyond it. */
  extras?: Json;
}

export type OperationHandler = (call: Call) => Promise<Answer>;
export type OperationHandlers = Readonly<Record<string, OperationHandler>>;

export interface VersionAppOptions {
  version: CompiledVersion;
  handlers: OperationHandlers;
  verifyToken: TokenVerifier;
  settings: AppSettings;
}

/** One version of the public API. Its routes, checks, answers and errors all come from its own contract. */
export function createVersionApp({ version, handlers, verifyToken, settings }: VersionAppOptions): App {
  const { name: shape } = version.contract.errorShape;
  if (!isErrorShape(shape))
    throw new Error(`the contract of ${version.version} names an error shape ${shape}, which is not known`);
  const app = createApp({
    ...settings,
    writeError(error, request) {
      const compiled = version.operations.get(operationIdOf(request));
      const facts = (compiled ?? version).downgradeError(error);
      return errorResponse({ ...facts, headers: error.headers, members: error.members }, shape);
    },
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
      handler: (request, reply) => serve({ request, reply, compiled, handler, verifyToken }),
    });
  }
  return app;
}

interface Serving {
  request: FastifyRequest;
  reply: FastifyReply;
  compiled: CompiledOperation;
  handler: OperationHandler;
  verifyToken: TokenVerifier;
}

async function serve({ request, reply, compiled, handler, verifyToken }: Serving): Promise<FastifyReply> {
  const { operation, upgradeRequest, downgradeResponse } = compiled;
  const token = await authorize(request, operation, verifyToken);
  const asked = readRequest(request, compiled);
  const { status, body, extras = {} } = await handler({ request: upgradeRequest?.(asked) ?? asked, token });
  const told = body && downgradeResponse ? downgradeResponse(body, { request: asked, extras }) : body;
  return reply.status(status).send(told ?? undefined);
}

async function authorize(
  request: FastifyRequest,
  { security }: Operation,
  verify: TokenVerifier,
): Promise<ActiveToken> {
  if (security.scheme === 'none') throw new Error('operations without a token are not served yet');
  return authenticateToken(request, verify, security.scopes as Scope[]);
}

function readRequest(
  request: FastifyRequest,
  { operation, validateQuery, validateBody }: CompiledOperation,
): UpgradableRequest {
  const query = readQuery(request.query as Json, operation.query);
  const findings = [...validateQuery(query), ...validateBody(request.body)];
  if (findings.length > 0) throw validationError(findings);
  return {
    params: request.params as Record<string, string>,
    query,
    body: operation.body ? (request.body as Json) : {},
    command: {},
  };
}

function responseSchemas({ responses }: Operation): Record<string, JsonSchema> {
  const withBody = Object.entries(responses).filter(([, body]) => body !== null);
  return Object.fromEntries(withBody.map(([status, body]) => [status, body?.schema as JsonSchema]));
}

function operationIdOf(request: FastifyRequest): string {
  return (request.routeOptions?.config as { operationId?: string } | undefined)?.operationId ?? '';
}
