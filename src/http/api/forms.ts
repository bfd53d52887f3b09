import type { Operation, ValidationFinding } from '@dateline/versions';
import type { FastifyRequest } from 'fastify';
import { FORM } from '../../contracts/head/operation-parts.ts';
import { ApiError } from '../../errors/api-error.ts';
import type { App } from '../app/create-app.ts';
import { readForm } from '../app/read-form.ts';
import { validationError } from '../app/validation-error.ts';

/** Lets an app read form bodies; which of its operations take one, their contract says. */
export function takeForms(app: App): void {
  app.addContentTypeParser(FORM, { parseAs: 'buffer' }, (_request, body, done) => {
    try {
      done(null, readForm(body as Buffer));
    } catch (error) {
      done(error as Error);
    }
  });
}

/** A body of a type that the app can read, but not this operation. */
export function requireMediaType(request: FastifyRequest, operation: Operation): void {
  if (request.body === undefined || request.body === null || operation.body === null) return;
  const sent = (request.headers['content-type'] ?? '').split(';', 1)[0]?.trim().toLowerCase();
  if (sent !== operation.body.mediaType)
    throw new ApiError('unsupported_media_type', {
      detail: `The body must be ${operation.body.mediaType}.`,
    });
  if (operation.errorShape) refuseSecretsInAddress(request);
}

const SECRET_FIELDS = ['client_secret', 'token', 'tokens', 'code', 'refresh_token', 'code_verifier'];

/** Addresses end up in logs and histories (RFC 6749 §2.3.1). */
function refuseSecretsInAddress(request: FastifyRequest): void {
  const named = SECRET_FIELDS.find((field) => field in (request.query as object));
  if (named === undefined) return;
  throw new ApiError('invalid_request', { detail: `${named} belongs in the body, never in the address.` });
}

/** What a request that is not as its contract says is called there. */
export function requestError(operation: Operation, findings: readonly ValidationFinding[]): ApiError {
  if (operation.errors[400]?.includes('invalid_client_metadata')) return metadataError(findings);
  return operation.errorShape ? oauthError(findings) : validationError(findings);
}

/** RFC 7591 §3.2.2 */
function metadataError(findings: readonly ValidationFinding[]): ApiError {
  const { detail } = validationError(findings);
  const isRedirect = findings.some(({ instancePath }) => instancePath.startsWith('/redirect_uris'));
  return new ApiError(isRedirect ? 'invalid_redirect_uri' : 'invalid_client_metadata', { detail });
}

/** A client that does not say who it is is not let in; anything else that is missing is a bad request. */
function oauthError(findings: readonly ValidationFinding[]): ApiError {
  const { detail } = validationError(findings);
  if (/\bclient_(id|secret)\b/.test(detail)) return new ApiError('invalid_client');
  return new ApiError('invalid_request', { detail });
}

/** RFC 6749 §5.2: who tried with the Authorization header is told how to. */
export function withChallenge(
  error: ApiError,
  request: FastifyRequest,
): Pick<ApiError, 'headers' | 'members'> {
  const { code, headers, members } = error;
  if (code !== 'invalid_client' || request.headers.authorization === undefined) return { headers, members };
  return { headers: { ...headers, 'www-authenticate': 'Basic realm="dateline"' }, members };
}
