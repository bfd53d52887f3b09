import type { FastifyRequest } from 'fastify';
import { ApiError } from '../../errors/api-error.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The type of body that a route takes, where its contract names one. */
    bodyType?: string;
    /** True if an empty body is refused; by default, if the schema has a body. */
    bodyNeeded?: boolean;
  }
}

/** Refuses a body of another type before it is read: a form that is called JSON is no malformed JSON. */
export function requireBodyType({ routeOptions }: FastifyRequest, sent: string): void {
  const { bodyType = sent } = routeOptions.config;
  if (bodyType !== sent) throw unsupportedType(bodyType);
}

export function unsupportedType(wanted: string): ApiError {
  return new ApiError('unsupported_media_type', { detail: `The body must be ${wanted}.` });
}

/** Nothing is unpacked here: a few bytes could become more than fits into memory (RFC 9110 §15.5.16). */
export function compressionProblem({ headers }: Pick<FastifyRequest, 'headers'>): ApiError | undefined {
  const coding = headers['content-encoding'];
  if (coding === undefined || coding.toLowerCase() === 'identity') return undefined;
  const hasBody = headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;
  if (!hasBody) return undefined;
  return new ApiError('unsupported_media_type', {
    detail: 'The body must not be compressed: no Content-Encoding, such as gzip, is accepted.',
    headers: { 'accept-encoding': 'identity' },
  });
}

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

export function decodeUtf8(body: Buffer): string {
  try {
    return utf8.decode(body);
  } catch {
    throw new ApiError('invalid_request', { detail: 'The body is not UTF-8.' });
  }
}
