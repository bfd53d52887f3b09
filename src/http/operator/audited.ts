import type { FastifyRequest } from 'fastify';
import { recordAudit } from '../../audit/audit-log.ts';
import type { NewAuditEntry } from '../../audit/types.ts';
import type { Scene } from '../../environments/environment.ts';
import { operatorOf } from './authenticate-operator.ts';

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
