import type { CompiledOperation, Operation } from '@dateline/versions';
import type { Environment } from '../../../environments/environment.ts';
import type { TokenVerifier } from '../../../oauth/tokens/verify-token.ts';
import { isDeclarable } from '../../../upstream/declarable-headers.ts';
import type { App } from '../../app/create-app.ts';
import { exposing } from '../../edge/cors.ts';
import type { ErrorShapes, RoutedVersion } from '../error-shapes.ts';
import { type FolderErrorWriter, INERT_HEADERS } from '../folder-errors.ts';
import type { ApiRoute } from '../read-request.ts';
import type { Backend } from './ask-backend.ts';
import { type Forwarding, forwardingOf, forwardOperation } from './forward-operation.ts';
import { declaredHeaders, impliedAnswerHeaders, impliedRequestHeaders } from './implied-headers.ts';
import { routeOf } from './route-of.ts';
import { createTargets } from './targets.ts';
import { startUpload, uploadTypesOf } from './upload.ts';

/** The operator's own API, as a version serves it. */
export interface FolderServing {
  backend: Backend;
  /** The operation that the upstream answers for one of any version: one of Next, or one that is kept as it was. */
  headOf(compiled: CompiledOperation): CompiledOperation;
  /** All of those. */
  heads: readonly Operation[];
  /** Returns true for the operator's own operations, in any version. */
  isForwarded(operationId: string): boolean;
  isStrict: boolean;
  bodyBytesMax: number;
  /** Its own form of errors. */
  writeError: FolderErrorWriter;
}

export interface ForwardedRoutesOptions {
  version: RoutedVersion;
  folder: FolderServing;
  environment: Environment;
  verifyToken: TokenVerifier;
  shapeAt: ErrorShapes;
}

/** Serves the operations of the operator's own API beside ours. Their bodies stay bytes until their contract is known. */
export function forwardedRoutes(app: App, options: ForwardedRoutesOptions): void {
  const { version, folder, environment, verifyToken, shapeAt } = options;
  const { backend, headOf, heads, isStrict, bodyBytesMax, writeError } = folder;
  const targets = createTargets(heads);
  const operations = [...version.operations.values()]
    .filter(({ operation }) => folder.isForwarded(operation.id))
    .sort(headsFirst);
  void app.register((inside, _options, done) => {
    // Last of all, so that no answer is without them: errors, streams and what handlers answer have them too.
    inside.addHook('onSend', (_request, reply, payload, done) => {
      reply.headers(INERT_HEADERS);
      done(null, payload);
    });
    inside.removeAllContentTypeParsers();
    inside.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => done(null, body));
    for (const compiled of operations) {
      const { operation } = compiled;
      // Made at the first call: an API may have thousands of operations, most of which are seldom called.
      let made: Forwarding | undefined;
      const forwarding = (): Forwarding => {
        made ??= forwardingOf({
          compiled,
          head: headOf(compiled),
          targets,
          environment,
          verifyToken,
          backend,
          errorShape: shapeAt(operation.path),
          writeError,
          isStrict,
        });
        return made;
      };
      const route = routeOf(operation.path);
      const exposed = exposing(exposedHeadersOf(compiled));
      const uploadTypes = uploadTypesOf(compiled, headOf(compiled).operation.body);
      const serve = (at: App) =>
        at.route<ApiRoute>({
          method: operation.method,
          url: route.url,
          bodyLimit: bodyBytesMax,
          config: { operationId: operation.id, requestHeaders: takenHeadersOf(compiled) },
          onSend(_request, reply, payload, done) {
            if (reply.hasHeader(EXPOSE_HEADERS)) reply.header(EXPOSE_HEADERS, exposed);
            done(null, payload);
          },
          handler: (request, reply) => {
            route.nameParams(request);
            return forwardOperation(forwarding(), request, reply);
          },
        });
      if (uploadTypes.length === 0) serve(inside);
      else
        void inside.register((apart, _options, ready) => {
          serve(takingUploads(apart, uploadTypes, bodyBytesMax));
          ready();
        });
    }
    done();
  });
}

/** Bodies of these types are not gathered: an upload takes no more memory than is on its way. */
function takingUploads(app: App, mediaTypes: string[], bytesMax: number): App {
  app.addContentTypeParser(mediaTypes, (request, payload, done) => {
    if (request.headers['content-length'] === '0') return done(null, Buffer.alloc(0));
    try {
      done(null, startUpload(payload, bytesMax));
    } catch (error) {
      done(error as Error);
    }
  });
  return app;
}

const EXPOSE_HEADERS = 'access-control-expose-headers';

/** The headers of its answers that scripts of other origins could not read otherwise (Fetch §3.3.3). */
function exposedHeadersOf(compiled: CompiledOperation): string[] {
  const { answerHeaders = [] } = compiled.operation;
  const declared = [...impliedAnswerHeaders(compiled), ...answerHeaders.filter(isDeclarable)];
  return [...new Set(['etag', 'content-disposition', ...declared])];
}

/** The headers that they may send. */
function takenHeadersOf(compiled: CompiledOperation): string[] {
  return [...declaredHeaders(compiled.operation), ...impliedRequestHeaders(compiled)];
}

/** The framework makes a HEAD of every GET, unless there is one already. */
function headsFirst(one: CompiledOperation, other: CompiledOperation): number {
  return Number(other.operation.method === 'HEAD') - Number(one.operation.method === 'HEAD');
}
