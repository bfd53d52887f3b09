import type { IncomingMessage } from 'node:http';
import { ApiError } from '../../errors/api-error.ts';
import { urlOf } from '../../kernel/url.ts';
import { trustIn } from './request-context.ts';

/** Why a request must not be served where only its own pages may call; null if it may. */
export type OriginGuard = (request: IncomingMessage) => ApiError | null;

/**
 * For a listener of operators alone. Browsers share cookies between the ports of a host, so a page of another port would come
 * with the session of whoever looks at it. Whatever names an origin has to name this one: that of the address it was sent to.
 */
export function createOriginGuard(trustedProxies: readonly string[]): OriginGuard {
  const isTrusted = trustIn(trustedProxies);

  /** Null where nothing that is believed says it: what is in front may speak TLS, or not. */
  function schemeOf({ headers, socket }: IncomingMessage): string | null {
    const sent = headers['x-forwarded-proto'];
    if (typeof sent !== 'string' || !isTrusted(socket.remoteAddress)) return null;
    // Of several, the last was added by the proxy that speaks to us.
    return `${sent.split(',').at(-1)?.trim().toLowerCase()}:`;
  }

  return (request) => {
    const { origin, host } = request.headers;
    if (origin === undefined) return null;
    const sent = urlOf(origin);
    const self = sent && urlOf(`${sent.protocol}//${host}`);
    const scheme = schemeOf(request);
    const isSameOrigin =
      self !== null && self.origin === origin.toLowerCase() && (scheme === null || scheme === self.protocol);
    return isSameOrigin ? null : new ApiError('origin_refused', { detail: OTHER_ORIGIN });
  };
}

const OTHER_ORIGIN = 'Only pages of this origin may call it.';
