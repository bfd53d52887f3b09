import type { FastifyRequest } from 'fastify';
import { requestContext } from '../edge/request-context.ts';

/** For the log line of the request: whose key it came with. */
export function nameOperator(request: FastifyRequest, keyId: string): void {
  requestContext(request.raw).operatorKeyId = keyId;
}
