import type { FastifyInstance } from 'fastify';

export interface KnownRoute {
  methods: readonly string[];
  /** The request headers that its contract declares, besides those that all routes take. */
  headers: readonly string[];
  matches(path: string): boolean;
}

/** Keeps a list of an app's routes, to distinguish a wrong method (405) from a wrong address (404). */
export function rememberRoutes(app: FastifyInstance): readonly KnownRoute[] {
  const routes: KnownRoute[] = [];
  app.addHook('onRoute', ({ method, url, config }) => {
    const pattern = new RegExp(
      `^${url.replaceAll('.', '\\.').replace(/:\w+/g, '[^/]+').replace(/\/$/, '')}/?$`,
    );
    const { requestHeaders: headers = [] } = config ?? {};
    routes.push({ methods: [method].flat(), headers, matches: (path) => pattern.test(path) });
  });
  return routes;
}

export function allowedMethods(routes: readonly KnownRoute[], url: string): string[] {
  return [...new Set(routesAt(routes, url).flatMap(({ methods }) => methods))];
}

export function allowedHeaders(routes: readonly KnownRoute[], url: string): string[] {
  return [...new Set(routesAt(routes, url).flatMap(({ headers }) => headers))];
}

function routesAt(routes: readonly KnownRoute[], url: string): KnownRoute[] {
  const path = url.split('?', 1)[0] ?? '';
  return routes.filter((route) => route.matches(path));
}

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The request headers that scripts of other origins may send, besides the usual ones. */
    requestHeaders?: readonly string[];
  }
}
