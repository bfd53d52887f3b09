import type { FastifyRequest } from 'fastify';
import type { Scene } from '../../environments/environment.ts';
import { bearerValue, unauthorized } from '../app/bearer.ts';
import { createOperatorFinder, type Operator } from '../app/find-operator.ts';

export type OperatorAuthenticator = (request: FastifyRequest) => Promise<void>;

const operators = new WeakMap<FastifyRequest, Operator>();

/** Requires a live operator key. */
export function createOperatorAuthenticator(
  scene: Scene,
  configuredKey: string | null,
): OperatorAuthenticator {
  const findOperator = createOperatorFinder(scene, configuredKey);
  return async (request) => {
    const sent = bearerValue(request);
    const operator = sent === null ? null : await findOperator(sent);
    if (!operator) throw unauthorized('dateline operator', sent);
    operators.set(request, operator);
  };
}

/** The operator of an authenticated request. */
export function operatorOf(request: FastifyRequest): Operator {
  const operator = operators.get(request);
  if (!operator) throw new Error('this request has not passed the operator authenticator');
  return operator;
}
