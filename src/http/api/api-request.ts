import type { Json, Operation } from '@dateline/versions';
import type { FastifyRequest } from 'fastify';
import { ApiError } from '../../errors/api-error.ts';

/** A request to a route of the public API, whose parameters and query are text and whose body is whatever was sent. */
export interface ApiRoute {
  Params: Record<string, string>;
  Querystring: Json;
  Body: unknown;
}
export type ApiRequest = FastifyRequest<ApiRoute>;

/** Refuses a body of a type that the app can read, but not this operation. */
export function requireMediaType(request: ApiRequest, operation: Operation): void {
  if (request.body === undefined || request.body === null || operation.body === null) return;
  const sent = (request.headers['content-type'] ?? '').split(';', 1)[0]?.trim().toLowerCase();
  if (sent !== operation.body.mediaType)
    throw new ApiError('unsupported_media_type', {
      detail: `The body must be ${operation.body.mediaType}.`,
    });
  if (operation.errorShape) refuseSecretsInAddress(request);
}

const SECRET_FIELDS = ['client_secret', 'token', 'tokens', 'code', 'refresh_token', 'code_verifier'];

/** URLs end up in logs and browser histories (RFC 6749 §2.3.1). */
function refuseSecretsInAddress(request: ApiRequest): void {
  const named = SECRET_FIELDS.find((field) => field in request.query);
  if (named === undefined) return;
  throw new ApiError('invalid_request', { detail: `${named} belongs in the body, never in the address.` });
}
