import type { FastifyInstance } from 'fastify';

export interface KnownRoute {
  methods: readonly string[];
  matches(path: string): boolean;
}

/** Keeps a list of an app's routes, to distinguish a wrong method (405) from a wrong address (404). */
export function rememberRoutes(app: FastifyInstance): readonly KnownRoute[] {
  const routes: KnownRoute[] = [];
  app.addHook('onRoute', ({ method, url }) => {
    const pattern = new RegExp(
      `^${url.replaceAll('.', '\\.').replace(/:\w+/g, '[^/]+').replace(/\/$/, '')}/?$`,
    );
    routes.push({ methods: [method].flat(), matches: (path) => pattern.test(path) });
  });
  return routes;
}

export function allowedMethods(routes: readonly KnownRoute[], url: string): string[] {
  const path = url.split('?', 1)[0] ?? '';
  return [...new Set(routes.filter((route) => route.matches(path)).flatMap((route) => route.methods))];
}
