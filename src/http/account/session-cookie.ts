import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Scene } from '../../environments/environment.ts';

/** The only cookie. It outlives neither the browser nor its session. */
export interface SessionCookie {
  read(request: FastifyRequest): string | null;
  write(reply: FastifyReply, value: string): void;
}

/**
 * Not readable by scripts, and not sent with posts from other sites. Over https it is sent over https only and
 * belongs to this host alone (`__Host-`). Browsers share cookies between ports, so each environment has its own name.
 */
export function createSessionCookie({ name, issuer }: Pick<Scene, 'name' | 'issuer'>): SessionCookie {
  const secure = issuer.startsWith('https:');
  const cookieName = `${secure ? '__Host-' : ''}dateline_${name}_session`;
  return {
    read: (request) => valueIn(request.headers.cookie ?? '', cookieName),
    write(reply, value) {
      const attributes = `Path=/; HttpOnly; SameSite=Lax${secure ? '; Secure' : ''}`;
      reply.header('set-cookie', `${cookieName}=${value}; ${attributes}`);
    },
  };
}

/** Null for what cannot be one of ours. */
function valueIn(header: string, cookieName: string): string | null {
  const pairs = header.split(';').map((pair) => pair.trim());
  const pair = pairs.find((candidate) => candidate.startsWith(`${cookieName}=`));
  const value = pair?.slice(cookieName.length + 1) ?? '';
  return /^[A-Za-z0-9_]{43,64}$/.test(value) ? value : null;
}
