import type { ApiError } from './api-error.ts';
import { catalogue, type ErrorCode, isErrorCode } from './catalogue.ts';

export interface ErrorResponse {
  status: number;
  headers: Record<string, string>;
  body: string;
}

/** The public facts of an error, in any shape. */
export type ErrorFacts = Pick<ApiError, 'status' | 'detail' | 'headers' | 'members'> & { code: string };

/** The shapes of error bodies, past and present; a contract names its own. */
const shapes = {
  plain: ({ code, detail, members }: ErrorFacts) => ({
    mediaType: 'application/json; charset=utf-8',
    body: { error: code, detail, ...members },
  }),
  /** RFC 9457 */
  problem: ({ code, status, detail, members }: ErrorFacts) => ({
    mediaType: 'application/problem+json; charset=utf-8',
    body: { type: `urn:dateline:error:${code}`, title: titleOf(code), status, detail, code, ...members },
  }),
  /** RFC 6749 §5.2: codes of its own, and a description in a limited character set. */
  oauth: ({ code, status, detail, members }: ErrorFacts) => ({
    mediaType: 'application/json; charset=utf-8',
    headers: { pragma: 'no-cache' },
    body: { error: oauthCode(code, status), error_description: plainAscii(detail), ...members },
  }),
};

interface Shaped {
  mediaType: string;
  headers?: Record<string, string>;
  body: object;
}

export type ErrorShape = keyof typeof shapes;

export function isErrorShape(name: string): name is ErrorShape {
  return name in shapes;
}

/** The only function that turns an error into bytes. It takes public text only. */
export function errorResponse(error: ErrorFacts, shape: ErrorShape = 'plain'): ErrorResponse {
  const { mediaType, headers, body }: Shaped = shapes[shape](error);
  return {
    status: error.status,
    headers: {
      'content-type': mediaType,
      'cache-control': 'no-store',
      // What is down, here or behind us, may be back in a moment.
      ...(error.status >= 502 && error.status <= 504 ? { 'retry-after': '1' } : {}),
      ...headers,
      ...error.headers,
    },
    body: JSON.stringify(body),
  };
}

function titleOf(code: string): string {
  return isErrorCode(code) ? catalogue[code].text : code;
}

/** OAuth's own codes stay; any other code becomes one of three. */
const oauthCodes: ReadonlySet<string> = new Set<ErrorCode>([
  'invalid_client',
  'invalid_grant',
  'unauthorized_client',
  'unsupported_grant_type',
  'invalid_scope',
  'invalid_target',
  'invalid_redirect_uri',
  'invalid_client_metadata',
  'invalid_token',
  'insufficient_scope',
  'too_many_requests',
]);

function oauthCode(code: string, status: number): string {
  // RFC 6750 §3.1
  if (code === 'unauthorized') return 'invalid_token';
  if (oauthCodes.has(code)) return code;
  if (status === 503) return 'temporarily_unavailable';
  return status >= 500 ? 'server_error' : 'invalid_request';
}

/** RFC 6749 §5.2 allows %x20-21, %x23-5B and %x5D-7E. */
function plainAscii(text: string): string {
  return text.replaceAll('"', "'").replaceAll(/[^ !#-[\]-~]/g, '?');
}
