import type { IncomingMessage } from 'node:http';

/** The path alone, without the query. */
export function pathOf({ url = '/' }: IncomingMessage): string {
  return url.split('?', 1)[0] ?? '/';
}

/** Converts a target in absolute form (RFC 9112 §3.2.2) to origin form. */
export function normalizeTarget(request: IncomingMessage): void {
  const { url = '/' } = request;
  if (url.startsWith('/') || !URL.canParse(url)) return;
  const { pathname, search } = new URL(url);
  request.url = pathname + search;
}
