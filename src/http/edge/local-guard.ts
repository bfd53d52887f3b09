import type { IncomingMessage } from 'node:http';
import { ApiError } from '../../errors/api-error.ts';
import { isThisMachine } from '../../kernel/addresses.ts';
import { urlOf } from '../../kernel/url.ts';
import { pathOf } from './request-context.ts';

/**
 * A sandbox that may send webhooks to its own machine is meant for the people at that machine. Their browsers run pages
 * of strangers, which must not use it to reach what else listens there.
 */
export interface LocalGuard {
  isOn(): boolean;
  /** Forwarded headers prove that others reach this service, though it listens on this machine only. */
  proxySeen(): void;
}

export const NO_GUARD: LocalGuard = { isOn: () => false, proxySeen() {} };

/** Why a request must not be served while the guard is on; null if it may. */
export function guardRefusal(request: IncomingMessage, guard: LocalGuard): ApiError | null {
  if (!guard.isOn()) return null;
  // A name that a stranger lets point here (DNS rebinding) makes our answers readable by the stranger's page.
  if (!isLocalHost(request.headers.host)) return new ApiError('misdirected_request');
  if (isForwarded(request)) guard.proxySeen();
  return isRegistration(request) && hasForeignOrigin(request) ? new ApiError('origin_refused') : null;
}

/** Registration needs no secret in the sandbox: any page could make itself a client. */
export function isRegistration(request: IncomingMessage): boolean {
  return REGISTRATION.test(decodedPath(request));
}

const REGISTRATION = /^\/v1\/oauth2\/register(?:\/|$)/;

/** As the router reads it. */
function decodedPath(request: IncomingMessage): string {
  const path = pathOf(request);
  if (!path.includes('%')) return path;
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}

function hasForeignOrigin({ headers: { origin } }: IncomingMessage): boolean {
  return origin !== undefined && !isLocalUrl(urlOf(origin));
}

// Nearly all requests name the same one, and to read it as a URL costs more than the rest of the guard.
let lastHost = { host: '', isLocal: false };

function isLocalHost(host: string | undefined): boolean {
  // Without one, no browser has sent it: HTTP/1.0.
  if (host === undefined) return true;
  if (host !== lastHost.host) lastHost = { host, isLocal: isLocalUrl(urlOf(`http://${host}`)) };
  return lastHost.isLocal;
}

function isLocalUrl(url: URL | null): boolean {
  return url !== null && isThisMachine(url.hostname);
}

function isForwarded({ headers }: IncomingMessage): boolean {
  return Object.keys(headers).some((name) => name === 'forwarded' || name.startsWith('x-forwarded-'));
}
