import type { FastifyRequest } from 'fastify';
import { requestContext } from '../edge/request-context.ts';

/** Lets an answer take as long as its reader needs. */
export function liftDeadline({ raw }: FastifyRequest): void {
  requestContext(raw).deadline = undefined;
}
