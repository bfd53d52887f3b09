import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Context } from '../../environments/environment.ts';

/** A cookie that holds a session. It outlives neither the browser nor its session. */
export interface SessionCookie {
  read(request: Pick<FastifyRequest, 'headers'>): string | null;
  write(reply: FastifyReply, value: string): void;
  /** Takes it from the browser. */
  remove(reply: FastifyReply): void;
}

export interface SessionCookieKind {
  /** People sign in to their account, operators to the console. */
  of: 'session' | 'console';
  /** `Lax` sends the cookie when a link on another site leads here; `Strict` does not. */
  sameSite: 'Lax' | 'Strict';
}

/**
 * Not readable by scripts, and not sent with posts from other sites. Over https it is sent over https only and
 * belongs to this host alone (`__Host-`). Browsers share cookies between ports, so each environment has its own name.
 */
export function createSessionCookie(
  { name, issuer }: Pick<Context, 'name' | 'issuer'>,
  { of, sameSite }: SessionCookieKind,
): SessionCookie {
  const secure = issuer.startsWith('https:');
  const cookieName = `${secure ? '__Host-' : ''}dateline_${name}_${of}`;
  const attributes = `Path=/; HttpOnly; SameSite=${sameSite}${secure ? '; Secure' : ''}`;
  const send = (reply: FastifyReply, value: string, more = ''): void =>
    void reply.header('set-cookie', `${cookieName}=${value}; ${attributes}${more}`);
  return {
    read: (request) => valueIn(request.headers.cookie ?? '', cookieName),
    write: (reply, value) => send(reply, value),
    remove: (reply) => send(reply, '', '; Max-Age=0'),
  };
}

/** Null for what cannot be one of ours. */
function valueIn(header: string, cookieName: string): string | null {
  const pairs = header.split(';').map((pair) => pair.trim());
  const pair = pairs.find((candidate) => candidate.startsWith(`${cookieName}=`));
  const value = pair?.slice(cookieName.length + 1) ?? '';
  return /^[A-Za-z0-9_]{43,64}$/.test(value) ? value : null;
}
