import type { FastifyRequest } from 'fastify';
import { recordAudit } from '../../audit/audit-log.ts';
import type { NewAuditEntry } from '../../audit/types.ts';
import type { Scene } from '../../environments/environment.ts';
import { createOperatorFinder, type Operator } from '../../identity/operator-keys.ts';
import { bearerValue, unauthorized } from '../app/bearer.ts';

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
    if (!operator || sent === null) throw unauthorized('dateline operator', sent);
    operators.set(request, operator);
    rechecks.set(request, async () => (await findOperator(sent)) !== null);
  };
}

const rechecks = new WeakMap<FastifyRequest, () => Promise<boolean>>();

/** Whether the key of an authenticated request is still live: for answers that take longer than a moment. */
export async function isStillOperator(request: FastifyRequest): Promise<boolean> {
  return (await rechecks.get(request)?.()) ?? false;
}

/** The operator of an authenticated request. */
export function operatorOf(request: FastifyRequest): Operator {
  const operator = operators.get(request);
  if (!operator) throw new Error('this request has not passed the operator authenticator');
  return operator;
}

/** What was done, and to what; the actor comes from the request. Never with a secret in it. */
export type OperatorEntry = Omit<NewAuditEntry, 'actor'>;

export interface OperatorAction<Result> {
  act(scene: Scene): Promise<Result>;
  entry(result: Result): OperatorEntry;
}

/** Does what an operator asks for and records it, in one transaction. */
export async function audited<Result>(
  scene: Scene,
  request: FastifyRequest,
  { act, entry }: OperatorAction<Result>,
): Promise<Result> {
  return scene.transaction(async (inside) => {
    const result = await act(inside);
    await recordAudit(inside, [{ actor: operatorOf(request), ...entry(result) }]);
    return result;
  });
}
