import type { CompiledVersion, JsonSchema, Operation } from '@dateline/versions';
import type { FastifyRequest } from 'fastify';
import type { Environment } from '../../environments/environment.ts';
import { errorResponse } from '../../errors/error-body.ts';
import type { TokenVerifier } from '../../oauth/tokens/verify-token.ts';
import type { SecretBox } from '../../secrets/secret-box.ts';
import { type App, type AppSettings, createApp } from '../app/create-app.ts';
import { onEachRoute } from '../app/on-each-route.ts';
import { takeForms } from '../app/read-form.ts';
import { nameOperation, requestContext } from '../edge/request-context.ts';
import { errorShapesOf, withoutPages } from './error-shapes.ts';
import { type FolderServing, forwardedRoutes } from './forwarding/forwarded-routes.ts';
import { handlerOf, type OperationHandlers } from './handler.ts';
import type { ApiRoute } from './read-request.ts';
import { withChallenge } from './request-error.ts';
import { createOperationServer } from './serve-operation.ts';

export interface VersionAppOptions {
  version: CompiledVersion;
  handlers: OperationHandlers;
  environment: Environment;
  /** Seals stored answers. */
  box: SecretBox;
  verifyToken: TokenVerifier;
  settings: AppSettings;
  /** The operator's own API, where there is one. */
  folder?: FolderServing;
}

/** One version of the public API. Its routes, checks, answers and errors all come from its own contract. */
export function createVersionApp(options: VersionAppOptions): App {
  const { handlers, settings, folder, ...parts } = options;
  const version = withoutPages(options.version);
  const shapeAt = errorShapesOf(version);
  const app = createApp({
    ...settings,
    writeError(error, request) {
      const id = operationIdOf(request);
      const own = folder?.writeError(error, request.raw, id || undefined);
      if (own) return own;
      const compiled = version.operations.get(id);
      const facts = (compiled ?? version).downgradeError(error);
      const { headers, members } = withChallenge(error, request);
      const path = compiled?.operation.path ?? request.url.split('?', 1)[0] ?? '';
      return errorResponse({ ...facts, headers, members }, shapeAt(path));
    },
  });
  takeForms(app);
  onEachRoute(app, ({ config }) => {
    const operation = config?.operationId ?? null;
    return (request) => nameOperation(requestContext(request.raw), operation);
  });
  if (folder) forwardedRoutes(app, { ...parts, version, folder, shapeAt });
  for (const compiled of version.operations.values()) {
    const { operation } = compiled;
    if (folder?.isForwarded(operation.id)) continue;
    const handler = handlerOf(handlers, compiled.headOperationId);
    app.route<ApiRoute>({
      method: operation.method,
      url: operation.path.replaceAll(/\{(\w+)\}/g, ':$1'),
      config: {
        operationId: operation.id,
        ...(operation.body ? { bodyType: operation.body.mediaType } : {}),
        bodyNeeded: operation.body !== null && !operation.body.optional,
      },
      schema: { response: responseSchemas(operation) },
      handler: createOperationServer({ ...parts, compiled, handler }),
    });
  }
  return app;
}

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The operation that a route of the public API serves. */
    operationId?: string;
  }
}

function operationIdOf(request: FastifyRequest): string {
  // The framework's own refusals have no route.
  return request.routeOptions?.config?.operationId ?? '';
}

function responseSchemas({ responses }: Operation): Record<string, JsonSchema> {
  return Object.fromEntries(
    Object.entries(responses).flatMap(([status, body]) => (body === null ? [] : [[status, body.schema]])),
  );
}
