import { ApiError } from '../errors/api-error.ts';
import type { UpstreamRequest } from './types.ts';

/**
 * A segment of one or two dots, in every spelling that some server resolves: an id of `..` in a path would leave the
 * part of the upstream that we speak to.
 */
const DOT_SEGMENT = /(?:[/\\]|%2f|%5c)(?:\.|%2e){1,2}(?:[/\\;]|%2f|%5c|%3b|$)/i;
const PLAIN_PATH = /^\/[!-~]*$/;
const PLAIN_QUERY = /^[!-~]*$/;

export type TargetWriter = (request: Pick<UpstreamRequest, 'path' | 'query'>) => string;

/** Writes the targets of request lines, below the path of the base address. */
export function createTargetWriter(baseUrl: URL): TargetWriter {
  const prefix = baseUrl.pathname.replace(/\/+$/, '');
  return ({ path, query }) => {
    requireTarget(path, query);
    return query === '' ? `${prefix}${path}` : `${prefix}${path}?${query}`;
  };
}

function requireTarget(path: string, query: string): void {
  if (!PLAIN_PATH.test(path) || /[?#\\]/.test(path) || DOT_SEGMENT.test(path))
    throw new ApiError('not_found', { internal: 'a path that is not sent upstream' });
  if (!PLAIN_QUERY.test(query) || query.includes('#'))
    throw new ApiError('invalid_request', { detail: 'The query is not percent-encoded.' });
}
