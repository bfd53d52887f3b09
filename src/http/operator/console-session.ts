import { createHmac } from 'node:crypto';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { recordAudit } from '../../audit/audit-log.ts';
import type { Context } from '../../environments/environment.ts';
import { ApiError } from '../../errors/api-error.ts';
import type { Operator } from '../../identity/operator-keys.ts';
import { createOperatorSessions } from '../../identity/operator-sessions/operator-sessions.ts';
import { digestsEqual } from '../../kernel/digest.ts';
import { deriveKey } from '../../kernel/seal.ts';
import { isSameOrigin } from '../app/same-origin.ts';
import { createSessionCookie } from '../app/session-cookie.ts';

export const CSRF_HEADER = 'x-csrf-token';

/** An operator in a browser: who, and what proves that a request comes from a page of ours. */
export interface ConsoleVisit {
  operator: Operator;
  csrfToken: string;
}

/** Lets the console call the operator API with a cookie instead of a key. */
export interface ConsoleSessions {
  signIn(request: FastifyRequest, reply: FastifyReply, keyValue: string): Promise<ConsoleVisit | null>;
  signOut(request: FastifyRequest, reply: FastifyReply, operator: Operator): Promise<void>;
  /** Null where no live session is named. Throws where somebody else's page has sent the request. */
  visitOf(request: FastifyRequest): Promise<ConsoleVisit | null>;
}

export function createConsoleSessions(context: Context, configuredKey: string | null): ConsoleSessions {
  const sessions = createOperatorSessions(context, configuredKey);
  const cookie = createSessionCookie(context, { of: 'console', sameSite: 'Strict' });

  async function endCurrent(inside: Context, request: FastifyRequest): Promise<void> {
    const sessionValue = cookie.read(request);
    if (sessionValue !== null) await sessions.end(inside, sessionValue);
  }

  return {
    async signIn(request, reply, keyValue) {
      // Or another site could sign somebody in as somebody else.
      if (!isSameOrigin(request, context.issuer)) throw new ApiError('form_refused');
      const started = await sessions.start(keyValue);
      if (!started) return null;
      await context.transaction(async (inside) => {
        await endCurrent(inside, request);
        await recordAudit(inside, [{ actor: started.operator, action: 'operator_session.started' }]);
      });
      cookie.write(reply, started.sessionValue);
      return { operator: started.operator, csrfToken: csrfTokenOf(started.sessionValue) };
    },
    async signOut(request, reply, operator) {
      await context.transaction(async (inside) => {
        await endCurrent(inside, request);
        await recordAudit(inside, [{ actor: operator, action: 'operator_session.ended' }]);
      });
      cookie.remove(reply);
    },
    async visitOf(request) {
      const sessionValue = cookie.read(request);
      const operator = sessionValue === null ? null : await sessions.find(sessionValue);
      if (!operator || sessionValue === null) return null;
      const csrfToken = csrfTokenOf(sessionValue);
      if (!isSameOrigin(request, context.issuer) || !provesPage(request, csrfToken))
        throw new ApiError('form_refused');
      return { operator, csrfToken };
    },
  };
}

/** It tells nothing about the value of the session, and is nothing without it. */
function csrfTokenOf(sessionValue: string): string {
  return createHmac('sha256', deriveKey(sessionValue, 'dateline console')).update('csrf').digest('base64url');
}

/** Whatever changes something needs the token, which other sites cannot read. */
function provesPage({ method, headers }: FastifyRequest, csrfToken: string): boolean {
  if (method === 'GET' || method === 'HEAD') return true;
  return digestsEqual(Buffer.from(String(headers[CSRF_HEADER] ?? '')), Buffer.from(csrfToken));
}
