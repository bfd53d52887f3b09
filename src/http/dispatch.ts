import { ApiError } from '../errors/api-error.ts';
import type { ApiVersion } from '../versions/api-version.ts';
import { handleCors } from './cors.ts';
import type { App } from './create-app.ts';
import { answerError, type RequestHandler } from './edge-server.ts';
import { requestContext } from './request-context.ts';
import { beginUse } from './request-use.ts';

export interface Apps {
  /** One for each version this build can serve: they share no route, no check and no error. */
  versions: ReadonlyMap<ApiVersion, App>;
  operator: App;
  service: App;
}

/** Hands a request to the app it belongs to: by version for the public API, by path for the rest. */
export async function createDispatch(apps: Apps): Promise<RequestHandler> {
  await Promise.all([...apps.versions.values(), apps.operator, apps.service].map((app) => app.ready()));
  return (request, response) => {
    const url = request.url ?? '/';
    if (url.startsWith('/operator/')) return apps.operator.routing(request, response);
    const isPublicApi = url.startsWith('/v1/');
    const isForScripts = isPublicApi || url.startsWith('/.well-known/');
    if (isForScripts && handleCors(request, response) === 'answered') return;
    if (!isPublicApi) return apps.service.routing(request, response);
    const context = requestContext(request);
    const { version } = context;
    const app = apps.versions.get(version);
    // A release has happened for which this build is too old; its readiness says so too.
    if (!app)
      return answerError(
        request,
        response,
        new ApiError('build_outdated', { internal: `no contract of ${version}` }),
      );
    beginUse(context);
    app.routing(request, response);
  };
}
