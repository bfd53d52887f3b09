import { METHODS } from 'node:http';
import { type JsonSchema, validator } from '@dateline/versions';
import Fastify, {
  type FastifyError,
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
} from 'fastify';
import type { TSchema } from 'typebox';
import { ApiError } from '../../errors/api-error.ts';
import { type ErrorResponse, errorResponse } from '../../errors/error-body.ts';
import { runIn } from '../../tracing/span.ts';
import { noteError } from '../edge/answer-error.ts';
import { answersOptions, optionsHeaders } from '../edge/cors.ts';
import { dropRest } from '../edge/drop-rest.ts';
import { requestContext } from '../edge/request-context.ts';
import { allowedHeaders, allowedMethods, rememberRoutes } from './allowed-methods.ts';
import { onEachRoute } from './on-each-route.ts';
import { compressionProblem } from './read-body.ts';
import { takeJson } from './read-json.ts';
import { serializerOf } from './shared-serializers.ts';
import { toApiError } from './to-api-error.ts';
import { validationError } from './validation-error.ts';

const BODY_BYTES_MAX = 256 * 1024;
const PARAMETER_LENGTH_MAX = 200;

export type App = FastifyInstance;

declare module 'fastify' {
  interface FastifyInstance {
    /** The methods that an app takes at an address; none where it has nothing. */
    methodsAt(url: string): string[];
    /** The request headers that its contract declares at an address, in any method. */
    headersAt(url: string): string[];
  }
}

/** Settings that all apps of a node share. */
export interface AppSettings {
  trustedProxies: readonly string[];
  /** After this long without an answer the caller gets a 503. */
  requestMs: number;
}

export interface AppOptions extends AppSettings {
  /** Writes this app's errors; JSON by default. */
  writeError?: (error: ApiError, request: FastifyRequest) => ErrorResponse;
}

/**
 * A Fastify instance as all of ours are: schemas compiled by TypeBox, errors written by one function, and
 * no server of its own, since the edge hands it its requests.
 */
export function createApp({
  trustedProxies,
  requestMs,
  writeError = (error) => errorResponse(error),
}: AppOptions): App {
  function sendError(request: FastifyRequest, reply: FastifyReply, error: unknown): FastifyReply {
    const apiError = toApiError(error, request.routeOptions?.config);
    noteError(request.raw, apiError);
    if (apiError.code === 'payload_too_large') {
      // The framework would close the connection under a client that is still sending.
      reply.removeHeader('connection');
      dropRest(request.raw);
    }
    const { status, headers, body } = writeError(apiError, request);
    return reply.status(status).headers(headers).serializer(asItIs).send(body);
  }

  const app = Fastify({
    logger: false,
    bodyLimit: BODY_BYTES_MAX,
    trustProxy: [...trustedProxies],
    routerOptions: { ignoreTrailingSlash: true, maxParamLength: PARAMETER_LENGTH_MAX },
    // No hook has seen these.
    frameworkErrors: (error, request, reply) => sendError(request, withEdgeHeaders(request, reply), error),
  });
  app.setValidatorCompiler<TSchema>(({ schema }) => {
    const validate = validator(schema as JsonSchema);
    return (value: unknown) => {
      const findings = validate(value);
      return findings.length === 0 ? { value } : { error: validationError(findings) };
    };
  });
  app.setSerializerCompiler(({ schema }) => serializerOf(schema));
  // Fastify takes text/plain by default; here it is as unexpected as any other type.
  app.removeContentTypeParser('text/plain');
  takeJson(app);
  // No operation takes it, and the framework has words of its own for one without a media type.
  if (METHODS.includes('QUERY')) app.addHttpMethod('QUERY', { hasBody: false, overrideExisting: true });
  const routes = rememberRoutes(app);
  app.decorate('methodsAt', (url) => allowedMethods(routes, url));
  app.decorate('headersAt', (url) => allowedHeaders(routes, url));
  onEachRoute(app, ({ url }) => (request) => {
    requestContext(request.raw).route = url;
  });
  app.addHook('onRequest', (request, reply, done) => {
    // Answers may contain new secrets or data for one holder only, so by default they are not cached.
    withEdgeHeaders(request, reply).header('cache-control', 'no-store');
    done(compressionProblem(request));
  });
  // Not Fastify's own handlerTimeout: it forgets a request once its body has been read.
  app.addHook('preValidation', (request, reply, done) => {
    requestContext(request.raw).deadline = {
      atMs: performance.now() + requestMs,
      refuse() {
        if (!reply.sent) sendError(request, reply, new ApiError('timeout'));
      },
    };
    // Where a body was read, the parser has lost what the request is a part of.
    const { span } = requestContext(request.raw);
    if (span) runIn(span, done);
    else done();
  });
  app.setErrorHandler((error: FastifyError, request, reply) => sendError(request, reply, error));
  app.setNotFoundHandler((request, reply) => {
    const { url = '/' } = request.raw;
    const allowed = app.methodsAt(url);
    if (request.method === 'OPTIONS' && answersOptions(request.raw, allowed))
      return reply
        .status(204)
        .headers(optionsHeaders(requestContext(request.raw), allowed, app.headersAt(url)))
        .send();
    if (allowed.length === 0) return sendError(request, reply, new ApiError('not_found'));
    return sendError(
      request,
      reply,
      new ApiError('method_not_allowed', { headers: { allow: allowed.join(', ') } }),
    );
  });
  return app;
}

function withEdgeHeaders({ raw }: FastifyRequest, reply: FastifyReply): FastifyReply {
  return reply.headers(requestContext(raw).headers);
}

/** An error's body is serialised already. */
const asItIs = (body: unknown): string => String(body);
