import type { IncomingMessage } from 'node:http';
import type { ApiVersion, Selection } from '@dateline/versions';
import { type IsApiPath, isOurs } from '../../api/paths.ts';
import type { ServedVersions } from '../../releases/served-versions.ts';
import { HEADERS_FOR_SCRIPTS, isForScripts } from './cors.ts';
import { isRegistration, type LocalGuard, NO_GUARD } from './local-guard.ts';
import type { OriginGuard } from './origin-guard.ts';
import { type RequestIds, setRequestContext } from './request-context.ts';
import type { RequestTracing } from './trace-request.ts';

export interface BeginningOptions {
  /** Called at every request: a release may have happened since the last one. */
  versions: ServedVersions;
  requestIds: RequestIds;
  /** None: whoever reaches the port is served. */
  local?: LocalGuard;
  /** None: pages of any origin may call. */
  originGuard?: OriginGuard;
  isApiPath?: IsApiPath;
  /** None: nothing is traced. */
  trace?: RequestTracing | undefined;
}

export type RequestBeginning = (request: IncomingMessage) => Selection;

/** Chooses the version of a request, gives it an id, and makes the headers that every answer has. */
export function createRequestBeginning(options: BeginningOptions): RequestBeginning {
  const { versions, requestIds, local = NO_GUARD, originGuard, isApiPath = isOurs, trace } = options;
  const letsScriptsRead = (request: IncomingMessage): boolean =>
    !originGuard && !(local.isOn() && isRegistration(request)) && isForScripts(request.url ?? '/', isApiPath);

  return (request) => {
    const { lifecycle, select, deprecationHeaders } = versions.moment();
    // Node joins repeated headers with a comma, which no version contains: repeated ones are malformed, as they should be.
    const selection = select(request.headers['service-version'] as string | undefined);
    const version = selection.served ? selection.version : lifecycle.current;
    const requestId = requestIds.of(request);
    const headers = answerHeaders(version, requestId, letsScriptsRead(request));
    const deprecation = version === lifecycle.deprecated ? deprecationHeaders : [];
    for (const [name, value] of deprecation) headers[name] = value;
    setRequestContext(request, {
      requestId,
      startedAtMs: performance.now(),
      version,
      pinned: selection.served && selection.pinned,
      lifecycle,
      headers,
      route: 'unmatched',
      ...trace?.(request),
    });
    return selection;
  };
}

function answerHeaders(version: ApiVersion, requestId: string, forScripts: boolean): Record<string, string> {
  const headers = { 'service-version': version, vary: 'Service-Version', 'x-request-id': requestId };
  return forScripts ? Object.assign(headers, HEADERS_FOR_SCRIPTS) : headers;
}
