import type { Operation, ValidationFinding } from '@dateline/versions';
import type { FastifyRequest } from 'fastify';
import { ApiError } from '../../errors/api-error.ts';
import { namesIn, validationError } from '../app/validation-error.ts';

/** The error that an operation's contract defines for an invalid request. */
export function requestError(
  operation: Operation,
  findings: readonly ValidationFinding[],
  authorization: string | undefined,
): ApiError {
  if (operation.errors[400]?.includes('invalid_client_metadata')) return metadataError(findings);
  return operation.errorShape ? oauthError(findings, authorization) : validationError(findings);
}

/** RFC 7591 §3.2.2 */
function metadataError(findings: readonly ValidationFinding[]): ApiError {
  const { detail } = validationError(findings);
  const isRedirect = findings.some(({ instancePath }) => instancePath.startsWith('/redirect_uris'));
  return new ApiError(isRedirect ? 'invalid_redirect_uri' : 'invalid_client_metadata', { detail });
}

/** Missing or malformed credentials are `invalid_client`; anything else is `invalid_request`. */
function oauthError(findings: readonly ValidationFinding[], authorization: string | undefined): ApiError {
  const missing = CREDENTIALS.filter((name) => findings.some((finding) => lacks(finding, name)));
  if (missing.length > 0)
    return new ApiError('invalid_client', { detail: missingText(missing, authorization) });
  if (findings.some(isAboutCredentials)) return new ApiError('invalid_client');
  return new ApiError('invalid_request', { detail: validationError(findings).detail });
}

const CREDENTIALS = ['client_id', 'client_secret'];

function missingText(missing: readonly string[], authorization: string | undefined): string {
  if (authorization === undefined)
    return `${missing.join(' and ')} ${missing.length > 1 ? 'are' : 'is'} missing from the body.`;
  return 'Send client_id and client_secret in the body: the Authorization header is not accepted here.';
}

function lacks({ params }: ValidationFinding, name: string): boolean {
  return namesIn(params, 'requiredProperties').includes(name);
}

function isAboutCredentials({ instancePath, params }: ValidationFinding): boolean {
  const missing = namesIn(params, 'requiredProperties');
  const [, field = ''] = instancePath.split('/');
  return [field, ...missing].some((name) => CREDENTIALS.includes(name));
}

/** RFC 6749 §5.2: a client that used the Authorization header gets a challenge. */
export function withChallenge(
  error: ApiError,
  request: FastifyRequest,
): Pick<ApiError, 'headers' | 'members'> {
  const { code, headers, members } = error;
  if (code !== 'invalid_client' || request.headers.authorization === undefined) return { headers, members };
  return { headers: { ...headers, 'www-authenticate': 'Basic realm="dateline"' }, members };
}
