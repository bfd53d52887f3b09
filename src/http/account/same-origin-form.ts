import { createHmac } from 'node:crypto';
import type { FastifyRequest } from 'fastify';
import { ApiError } from '../../errors/api-error.ts';
import { digestsEqual } from '../../kernel/digest.ts';
import { deriveKey } from '../../kernel/seal.ts';
import { isSameOrigin } from '../app/same-origin.ts';
import { fieldsOf, type Visit } from './account-parts.ts';

/** The values that a form is bound to: everything its page shows and its sender must not change. */
export type FormSubject = readonly unknown[];

/** Proves that a form comes from a page that we sent to this browser, for this subject. */
export function formToken({ value }: Visit, subject: FormSubject): string {
  const key = deriveKey(value, 'dateline form');
  return createHmac('sha256', key).update(JSON.stringify(subject)).digest('base64url');
}

/** Refuses posts from other sites, and forms made for another browser, session or subject. */
export function requireSameOriginForm(
  request: FastifyRequest,
  visit: Visit,
  { subject, issuer }: { subject: FormSubject; issuer: string },
): void {
  const sent = fieldsOf(request).form_token ?? '';
  const own = digestsEqual(Buffer.from(sent), Buffer.from(formToken(visit, subject)));
  if (!own || !isSameOrigin(request, issuer)) throw new ApiError('form_refused');
}
