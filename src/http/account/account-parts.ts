import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Context, Environment } from '../../environments/environment.ts';
import { findSession, type SignedIn } from '../../identity/sessions/sign-in-sessions.ts';
import type { PasswordCheck } from '../../identity/sign-in.ts';
import { randomBase62 } from '../../kernel/base62.ts';
import { createSessionCookie } from '../app/session-cookie.ts';
import type { Site } from '../site/pages/layout.ts';

/** Dependencies of all routes for people. */
export interface AccountParts {
  environment: Environment;
  site: Site;
  visits: Visits;
  checkPassword: PasswordCheck;
}

/** Fields of a form; one without a value is absent. */
export type Fields = Readonly<Record<string, string | undefined>>;

export function fieldsOf(request: FastifyRequest): Fields {
  return (request.body ?? {}) as Fields;
}

/** A browser on our pages. */
export interface Visit {
  /** The secret value of its cookie: a session's, or a random one until the user signs in. */
  value: string;
  signedIn: SignedIn | null;
}

export interface Visits {
  of(request: FastifyRequest, reply: FastifyReply): Promise<Visit>;
  /** Sets the cookie to this session. */
  goOnAs(reply: FastifyReply, sessionValue: string): void;
  /** Sets the cookie to a new random value, without a session. */
  goOnSignedOut(reply: FastifyReply): void;
}

// As many random bits as SHA-256 can hold.
const VALUE_LENGTH = 43;

export function createVisits(context: Context): Visits {
  const cookie = createSessionCookie(context, { of: 'session', sameSite: 'Lax' });
  function begin(reply: FastifyReply): string {
    const value = randomBase62(VALUE_LENGTH);
    cookie.write(reply, value);
    return value;
  }
  return {
    async of(request, reply) {
      const value = cookie.read(request);
      if (value === null) return { value: begin(reply), signedIn: null };
      return { value, signedIn: await findSession(context, value) };
    },
    goOnAs: (reply, sessionValue) => cookie.write(reply, sessionValue),
    goOnSignedOut: (reply) => void begin(reply),
  };
}
