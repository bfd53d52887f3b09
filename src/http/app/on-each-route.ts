import type { FastifyInstance, FastifyRequest, RouteOptions } from 'fastify';

/**
 * What each request does first, made once with its route. A request that asks for its route gets all that is known of it,
 * collected anew each time.
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
