import type { FastifyRequest } from 'fastify';
import type { Environment } from '../../environments/environment.ts';
import type { PasswordCheck } from '../../identity/sign-in.ts';
import type { Site } from '../site/pages/layout.ts';
import type { Visits } from './visits.ts';

/** Dependencies of all routes for people. */
export interface AccountParts {
  environment: Environment;
  site: Site;
  visits: Visits;
  checkPassword: PasswordCheck;
}

/** Fields of a form; one without a value is absent. */
export type Fields = Readonly<Record<string, string | undefined>>;

export function fieldsOf(request: FastifyRequest): Fields {
  return (request.body ?? {}) as Fields;
}
