import type { IncomingMessage, ServerResponse } from 'node:http';
import { type ApiVersion, methods } from '@dateline/versions';
import { type IsApiPath, isOurs } from '../../api/paths.ts';
import { ApiError } from '../../errors/api-error.ts';
import type { Lifecycle } from '../../releases/release-ledger.ts';
import { answerError } from './answer-error.ts';
import { isPage, isPreflight, optionsHeaders } from './cors.ts';
import type { RequestHandler } from './edge-state.ts';
import { beginUse, requestContext } from './request-context.ts';

/** An app as the edge uses it. */
export interface RoutedApp {
  ready(): PromiseLike<unknown>;
  routing: RequestHandler;
  /** The methods that it takes at an address; none where there is nothing. */
  methodsAt(url: string): string[];
  /** The request headers that its contract declares there. */
  headersAt(url: string): string[];
}

export interface Apps {
  /** One for each version this build can serve: they share no route, no check and no error. */
  versions: ReadonlyMap<ApiVersion, RoutedApp>;
  /** The pages for people. */
  account: RoutedApp;
  /** The authorization endpoint of each version. */
  authorize: ReadonlyMap<ApiVersion, RoutedApp>;
  /** Null where operators are served apart: then there is nothing at its addresses. */
  operator: RoutedApp | null;
  service: RoutedApp;
}

/** The apps of the operators' own listener. */
export interface OperatorApps {
  operator: RoutedApp;
  site: RoutedApp;
}

/** Hands a request to the app it belongs to: by version for the public API, by path for the rest. */
export async function createDispatch(apps: Apps, isApiPath: IsApiPath = isOurs): Promise<RequestHandler> {
  const { versions, account, authorize, operator, service } = apps;
  const all = [
    ...versions.values(),
    ...authorize.values(),
    account,
    service,
    ...(operator ? [operator] : []),
  ];
  await Promise.all(all.map((app) => app.ready()));
  return (request, response) => {
    const url = request.url ?? '/';
    if (isOfService(request)) return answerOptions(request, response, { methods });
    if (operator && isOperators(url)) return operator.routing(request, response);
    if (/^\/account(?:[/?]|$)/.test(url)) return account.routing(request, response);
    if (!isApiPath(url)) return service.routing(request, response);
    const context = requestContext(request);
    const { version } = context;
    const forPeople = isPage(url);
    if (isPreflight(request) && !forPeople) {
      const served = servedApps(versions, context.lifecycle);
      return answerOptions(request, response, {
        methods: [...new Set(served.flatMap((app) => app.methodsAt(url)))],
        headers: [...new Set(served.flatMap((app) => app.headersAt(url)))],
      });
    }
    const app = (forPeople ? authorize : versions).get(version);
    // This build is too old for a version that was released meanwhile; its readiness reports that too.
    if (!app)
      return answerError(
        request,
        response,
        new ApiError('build_outdated', { internal: `no contract of ${version}` }),
      );
    // A browser cannot choose a version, so its requests are not usage of one.
    if (forPeople) return app.routing(request, response);
    // Asking what may be asked is no use.
    if (request.method !== 'OPTIONS') beginUse(context);
    app.routing(request, response);
  };
}

/** All served versions: a preflight says nothing of the version that the request itself will name. */
function servedApps(versions: Apps['versions'], { deprecated, current, next }: Lifecycle): RoutedApp[] {
  return [deprecated, current, next].flatMap((version) => versions.get(version) ?? []);
}

function answerOptions(
  request: IncomingMessage,
  response: ServerResponse,
  allowed: { methods: readonly string[]; headers?: readonly string[] },
): void {
  const context = requestContext(request);
  const { methods, headers = [] } = allowed;
  const answered = optionsHeaders(context, methods, headers);
  response.writeHead(204, { ...context.headers, 'cache-control': 'no-store', ...answered }).end();
}

/** Hands a request of the operators' own listener to its app. */
export async function createOperatorDispatch({ operator, site }: OperatorApps): Promise<RequestHandler> {
  await Promise.all([operator.ready(), site.ready()]);
  return (request, response) => {
    if (isOfService(request)) return answerOptions(request, response, { methods });
    (isOperators(request.url) ? operator : site).routing(request, response);
  };
}

/** Hands every request of a listener to its one app. */
export async function createSingleDispatch(app: RoutedApp): Promise<RequestHandler> {
  await app.ready();
  return (request, response) => {
    if (isOfService(request)) return answerOptions(request, response, { methods });
    app.routing(request, response);
  };
}

/** Matches `OPTIONS *`, which asks about the service as a whole (RFC 9110 §9.3.7). */
function isOfService({ url, method }: IncomingMessage): boolean {
  return url === '*' && method === 'OPTIONS';
}

function isOperators(url = '/'): boolean {
  return url.startsWith('/operator/');
}
