import type { FastifyInstance, FastifyRequest, RouteOptions } from 'fastify';

/**
 * Runs `make` once per route and its result first in each request. Reading `request.routeOptions` instead would build a
 * new object every time.
 */
export function onEachRoute(
  app: FastifyInstance,
  make: (route: RouteOptions) => (request: FastifyRequest) => void,
): void {
  app.addHook('onRoute', (route) => {
    const act = make(route);
    route.onRequest = [
      (request: FastifyRequest, _reply: unknown, done: () => void) => {
        act(request);
        done();
      },
      ...[route.onRequest ?? []].flat(),
    ];
  });
}
