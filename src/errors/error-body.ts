import type { ApiError } from './api-error.ts';

export interface ErrorResponse {
  status: number;
  headers: Record<string, string>;
  body: string;
}

/** The one place that turns an error into bytes. Nothing but public text gets in. */
export function errorResponse(error: ApiError): ErrorResponse {
  return {
    status: error.status,
    headers: {
      'content-type': 'application/json; charset=utf-8',
      'cache-control': 'no-store',
      ...(error.status === 503 ? { 'retry-after': '1' } : {}),
      ...error.headers,
    },
    body: JSON.stringify({ error: error.code, detail: error.detail, ...error.members }),
  };
}
