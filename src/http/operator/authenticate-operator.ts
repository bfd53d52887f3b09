import type { FastifyRequest } from 'fastify';
import type { Actor } from '../../audit/types.ts';
import type { Scene } from '../../environments/environment.ts';
import { findOperatorKey } from '../../identity/operator-keys.ts';
import { digestOf, digestsEqual } from '../../kernel/digest.ts';
import { bearerValue, unauthorized } from '../app/bearer.ts';

/** Who holds an operator key, by the key's id; null if it is not a live one. */
export type OperatorFinder = (keyValue: string) => Promise<Actor | null>;

/** Knows the stored keys, and the one from the settings, which has no id. */
export function createOperatorFinder(scene: Scene, configuredKey: string | null): OperatorFinder {
  const configuredDigest = configuredKey === null ? null : digestOf(configuredKey);
  return async (keyValue) => {
    if (configuredDigest && digestsEqual(digestOf(keyValue), configuredDigest))
      return { type: 'operator', id: 'configured' };
    const key = await findOperatorKey(scene, keyValue);
    return key && { type: 'operator', id: key.id };
  };
}

export type OperatorAuthenticator = (request: FastifyRequest) => Promise<void>;

const operators = new WeakMap<FastifyRequest, Actor>();

/** Lets a request pass that carries a live operator key. */
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

/** Whose request this is, once it has passed. */
export function operatorOf(request: FastifyRequest): Actor {
  const operator = operators.get(request);
  if (!operator) throw new Error('this request has not passed the operator authenticator');
  return operator;
}
