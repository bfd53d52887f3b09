import type { FastifyInstance } from 'fastify';
import { type PathMatcher, pathMatcher } from '../../api/paths.ts';

export interface KnownRoute {
  methods: readonly string[];
  /** The request headers that its contract declares, besides those that all routes take. */
  headers: readonly string[];
  matches: PathMatcher;
}

/** Keeps a list of an app's routes, to distinguish a wrong method (405) from a wrong address (404). */
export function rememberRoutes(app: FastifyInstance): readonly KnownRoute[] {
  const routes: KnownRoute[] = [];
  app.addHook('onRoute', ({ method, url, config }) => {
    const { requestHeaders: headers = [] } = config ?? {};
    routes.push({ methods: [method].flat(), headers, matches: pathMatcher(templateOf(url)) });
  });
  return routes;
}

/** A parameter is `:name` in a route, and `:name(.+?)` beside text, where a colon is written twice. */
function templateOf(url: string): string {
  const path = url.replaceAll(/::|:\w+(?:\(\.\+\?\))?/g, (found) => (found === '::' ? ':' : '{}'));
  return path.replace(/\/$/, '');
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
