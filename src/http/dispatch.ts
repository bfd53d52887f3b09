import type { App } from './create-app.ts';
import type { RequestHandler } from './edge-server.ts';

export interface Apps {
  public: App;
  operator: App;
  service: App;
}

/** Hands a request to the app its path belongs to. */
export async function createDispatch(apps: Apps): Promise<RequestHandler> {
  await Promise.all([apps.public.ready(), apps.operator.ready(), apps.service.ready()]);
  return (request, response) => appFor(apps, request.url ?? '/').routing(request, response);
}

function appFor(apps: Apps, url: string): App {
  if (url.startsWith('/v1/')) return apps.public;
  if (url.startsWith('/operator/')) return apps.operator;
  return apps.service;
}
