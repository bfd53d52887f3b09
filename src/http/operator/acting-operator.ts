import type { FastifyRequest } from 'fastify';
import { recordAudit } from '../../audit/audit-log.ts';
import type { NewAuditEntry } from '../../audit/types.ts';
import type { Context } from '../../environments/environment.ts';
import { ApiError } from '../../errors/api-error.ts';
import { createOperatorFinder, type Operator } from '../../identity/operator-keys.ts';
import { type OperatorRole, operatorRoles } from '../../identity/types.ts';
import { bearerValue, unauthorized } from '../app/bearer.ts';
import { nameOperator } from '../app/name-operator.ts';
import type { ConsoleSessions } from './console-session.ts';
import type { Needs } from './operation.ts';

export type OperatorAuthenticator = (request: FastifyRequest) => Promise<void>;

const operators = new WeakMap<FastifyRequest, Operator>();

/** The operator that a request authenticated as, and a check that this still holds. */
interface Caller {
  operator: Operator;
  isStill(): Promise<boolean>;
}

/** Requires a live operator key, or a session of the console that was begun with one, with the role that is needed. */
export function createOperatorAuthenticator(
  context: Context,
  configuredKey: string | null,
  consoleSessions: ConsoleSessions,
): OperatorAuthenticator {
  const findOperator = createOperatorFinder(context, configuredKey);

  async function byKey(keyValue: string): Promise<Caller | null> {
    const operator = await findOperator(keyValue);
    return operator && { operator, isStill: async () => (await findOperator(keyValue)) !== null };
  }

  async function bySession(request: FastifyRequest): Promise<Caller | null> {
    const visit = await consoleSessions.visitOf(request);
    if (!visit) return null;
    csrfTokens.set(request, visit.csrfToken);
    const isStill = async () => (await consoleSessions.visitOf(request)) !== null;
    return { operator: visit.operator, isStill };
  }

  return async (request) => {
    // An address without an operation needs a key too: strangers cannot find out which exist.
    const needs = request.routeOptions.config?.operation?.needs ?? 'any role';
    if (needs === 'no key') return;
    const keyValue = bearerValue(request);
    const caller = await (keyValue === null ? bySession(request) : byKey(keyValue));
    if (!caller) throw unauthorized('dateline operator', keyValue);
    const { operator, isStill } = caller;
    nameOperator(request, operator.id);
    if (!rolesFor(needs).includes(operator.role)) throw insufficientRole(needs, operator);
    operators.set(request, operator);
    rechecks.set(request, isStill);
  };
}

const csrfTokens = new WeakMap<FastifyRequest, string>();

/** The CSRF token that the console sends with every change; null if the request came with a key. */
export function csrfTokenOf(request: FastifyRequest): string | null {
  return csrfTokens.get(request) ?? null;
}

/** The roles that are enough. An admin may do everything, and support reads what a viewer reads. */
const enough: Readonly<Record<Exclude<Needs, 'no key'>, readonly OperatorRole[]>> = {
  admin: ['admin'],
  viewer: ['viewer', 'support', 'admin'],
  support: ['support', 'admin'],
  publisher: ['publisher', 'admin'],
  'any role': operatorRoles,
};

export function rolesFor(needs: Exclude<Needs, 'no key'>): readonly OperatorRole[] {
  return enough[needs];
}

/** `viewer, support or admin`. */
export function roleWords(needs: Exclude<Needs, 'no key'>): string {
  return rolesFor(needs)
    .join(', ')
    .replace(/, (?=\w+$)/, ' or ');
}

function insufficientRole(needs: Exclude<Needs, 'no key'>, { id, role }: Operator): ApiError {
  const detail = `This needs an operator key with the role ${roleWords(needs)}; this one has the role ${role}.`;
  // What is refused is not audited: the log says who tried.
  return new ApiError('insufficient_role', { detail, internal: `the operator key is ${id}` });
}

const rechecks = new WeakMap<FastifyRequest, () => Promise<boolean>>();

/** True while the request's key or session is live: for answers that stream. */
export async function isStillOperator(request: FastifyRequest): Promise<boolean> {
  return (await rechecks.get(request)?.()) ?? false;
}

/** The operator of an authenticated request. */
export function operatorOf(request: FastifyRequest): Operator {
  const operator = operators.get(request);
  if (!operator) throw new Error('this request has not passed the operator authenticator');
  return operator;
}

/** The reason that the operator gave. Support must give one: somebody else has to answer for it later. */
export function reasonOf(request: FastifyRequest, reason: string | undefined): string | undefined {
  if (operatorOf(request).role === 'support' && (reason ?? '').trim() === '')
    throw new ApiError('validation_failed', {
      detail: 'reason is missing: a key with the role support must say why.',
    });
  return reason;
}

/** An audit entry without its actor, who comes from the request. It must not contain a secret. */
export type OperatorEntry = Omit<NewAuditEntry, 'actor'>;

export interface OperatorAction<Result> {
  act(context: Context): Promise<Result>;
  entry(result: Result): OperatorEntry;
}

/** Does what an operator asks for and records it, in one transaction. */
export async function audited<Result>(
  context: Context,
  request: FastifyRequest,
  { act, entry }: OperatorAction<Result>,
): Promise<Result> {
  return context.transaction(async (inside) => {
    const result = await act(inside);
    await recordAudit(inside, [{ actor: operatorOf(request), ...entry(result) }]);
    return result;
  });
}
