import type { FastifyContextConfig } from 'fastify';
import { ApiError } from '../../errors/api-error.ts';
import type { ErrorCode } from '../../errors/catalogue.ts';
import { errorCode, errorStack } from '../../kernel/error-facts.ts';
import { StorageUnavailableError } from '../../storage/storage-error.ts';
import { unsupportedType } from './read-body.ts';

/** Whatever was thrown, as an error that can be answered. */
export function toApiError(error: unknown, { bodyType }: FastifyContextConfig = {}): ApiError {
  if (error instanceof ApiError) return error;
  if (error instanceof StorageUnavailableError) {
    return new ApiError('storage_unavailable', { internal: error.message, cause: error });
  }
  const frameworkCode = errorCode(error) ?? '';
  const code = frameworkCodes[frameworkCode] ?? codeOfRefusal(error, frameworkCode);
  if (code === 'unsupported_media_type' && bodyType !== undefined) return unsupportedType(bodyType);
  // The framework's message quotes the address, which may contain a secret; its code is enough.
  if (code !== undefined) return new ApiError(code, { internal: frameworkCode });
  return new ApiError('internal_error', { internal: errorStack(error), cause: error });
}

const frameworkCodes: Readonly<Record<string, ErrorCode>> = {
  FST_ERR_BAD_URL: 'invalid_request',
  FST_ERR_MAX_PARAM_LENGTH: 'uri_too_long',
  FST_ERR_CTP_BODY_TOO_LARGE: 'payload_too_large',
  FST_ERR_CTP_INVALID_MEDIA_TYPE: 'unsupported_media_type',
  FST_ERR_CTP_EMPTY_JSON_BODY: 'invalid_request',
  FST_ERR_CTP_INVALID_JSON_BODY: 'invalid_request',
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: 'invalid_request',
  FST_ERR_VALIDATION: 'validation_failed',
};

/**
 * Maps a 4xx of the framework that the table lacks, as a new release may add one: the caller's mistake, not a fault of
 * ours.
 */
function codeOfRefusal(error: unknown, frameworkCode: string): ErrorCode | undefined {
  if (!frameworkCode.startsWith('FST_')) return undefined;
  const { statusCode = 500 } = error as { statusCode?: number };
  if (statusCode < 400 || statusCode >= 500) return undefined;
  return refusals[statusCode] ?? 'invalid_request';
}

const refusals: Readonly<Record<number, ErrorCode>> = {
  404: 'not_found',
  405: 'method_not_allowed',
  408: 'request_timeout',
  413: 'payload_too_large',
  414: 'uri_too_long',
  415: 'unsupported_media_type',
  431: 'headers_too_large',
};
