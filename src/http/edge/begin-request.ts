import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Selection } from '@dateline/versions';
import type { ServedVersions } from '../../releases/served-versions.ts';
import { allowScripts } from './cors.ts';
import { setRequestContext } from './request-context.ts';
import type { RequestIds } from './request-ids.ts';

export interface BeginningOptions {
  /** Called at every request: a release may have happened since the last one. */
  versions: ServedVersions;
  requestIds: RequestIds;
}

export type RequestBeginning = (request: IncomingMessage, response: ServerResponse) => Selection;

/** Chooses the version of a request, gives it an id, and sets the headers that every answer has. */
export function createRequestBeginning({ versions, requestIds }: BeginningOptions): RequestBeginning {
  return (request, response) => {
    const { lifecycle, select, deprecationHeaders } = versions.moment();
    // Node joins repeated headers with a comma, which no version contains: repeated ones are malformed, as they should be.
    const selection = select(request.headers['service-version'] as string | undefined);
    const version = selection.served ? selection.version : lifecycle.current;
    const requestId = requestIds.of(request);
    setRequestContext(request, {
      requestId,
      startedAtMs: performance.now(),
      version,
      pinned: selection.served && selection.pinned,
      lifecycle,
      route: 'unmatched',
    });
    response.setHeader('service-version', version);
    response.setHeader('vary', 'Service-Version');
    response.setHeader('x-request-id', requestId);
    allowScripts(request.url ?? '/', response);
    const deprecation = version === lifecycle.deprecated ? deprecationHeaders : [];
    for (const [name, value] of deprecation) response.setHeader(name, value);
    return selection;
  };
}
