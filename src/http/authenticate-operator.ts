import type { FastifyRequest } from 'fastify';
import type { Scene } from '../environments/environment.ts';
import { findOperatorKey } from '../identity/operator-keys.ts';
import { digestOf, digestsEqual } from '../kernel/digest.ts';
import { bearerValue, unauthorized } from './bearer.ts';

export type OperatorAuthenticator = (request: FastifyRequest) => Promise<void>;

/** Lets a request pass that carries a live operator key: a stored one, or the one from the settings. */
export function createOperatorAuthenticator(
  scene: Scene,
  configuredKey: string | null,
): OperatorAuthenticator {
  const configuredDigest = configuredKey === null ? null : digestOf(configuredKey);
  return async (request) => {
    const sent = bearerValue(request);
    if (sent !== null && configuredDigest && digestsEqual(digestOf(sent), configuredDigest)) return;
    const key = sent === null ? null : await findOperatorKey(scene, sent);
    if (!key) throw unauthorized('dateline operator', sent);
  };
}
