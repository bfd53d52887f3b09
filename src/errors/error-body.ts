import type { ApiError } from './api-error.ts';
import { catalogue, type ErrorCode } from './catalogue.ts';

export interface ErrorResponse {
  status: number;
  headers: Record<string, string>;
  body: string;
}

/** What is told about an error, in whichever shape. */
export type ErrorFacts = Pick<ApiError, 'status' | 'detail' | 'headers' | 'members'> & { code: string };

/** The shapes that error bodies have or had; a contract names its own. */
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
};

export type ErrorShape = keyof typeof shapes;

export function isErrorShape(name: string): name is ErrorShape {
  return name in shapes;
}

/** The one place that turns an error into bytes. Nothing but public text gets in. */
export function errorResponse(error: ErrorFacts, shape: ErrorShape = 'plain'): ErrorResponse {
  const { mediaType, body } = shapes[shape](error);
  return {
    status: error.status,
    headers: {
      'content-type': mediaType,
      'cache-control': 'no-store',
      ...(error.status === 503 ? { 'retry-after': '1' } : {}),
      ...error.headers,
    },
    body: JSON.stringify(body),
  };
}

function titleOf(code: string): string {
  return code in catalogue ? catalogue[code as ErrorCode].text : code;
}
