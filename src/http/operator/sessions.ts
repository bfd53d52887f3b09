import { IDLE_SECONDS } from '../../identity/operator-sessions/operator-sessions.ts';
import { operatorRoles } from '../../identity/types.ts';
import { unauthorized } from '../app/bearer.ts';
import type { App } from '../app/create-app.ts';
import { operatorOf } from './acting-operator.ts';
import type { ConsoleSessions } from './console-session.ts';
import { describe, object, oneOf, Secret, Text } from './fields.ts';
import { operationsOf } from './operation.ts';

const SignIn = object({
  operator_key: describe(Secret, 'A live operator key. It is not stored in the browser.'),
});

const SignedIn = object({
  id: describe(Text, 'The id of the key; configured for the one from the settings.'),
  name: describe(Text, 'Who or what uses the key.'),
  role: describe(oneOf(operatorRoles), 'What the session may do: what the key may.'),
  csrf_token: describe(Text, 'The X-CSRF-Token of every request that changes something.'),
});

/** For the console: a cookie in the place of a key. */
export function sessionRoutes(app: App, sessions: ConsoleSessions): void {
  const operation = operationsOf(app, 'Console');

  operation(
    'POST /operator/session',
    {
      id: 'sign_in',
      needs: 'no key',
      summary: 'Sign in to the console with an operator key',
      description: `Sets a cookie that scripts cannot read. The session ends by signing out, after ${IDLE_SECONDS / 60} minutes without use, after twelve hours, and when the key is revoked.`,
      body: SignIn,
      answer: { status: 201, description: 'Who is signed in now.', body: SignedIn },
      errors: ['unauthorized', 'form_refused'],
    },
    async (request, reply) => {
      const { operator_key: keyValue } = request.body;
      const visit = await sessions.signIn(request, reply, keyValue);
      if (!visit) throw unauthorized('dateline operator', keyValue);
      const { operator, csrfToken } = visit;
      return { id: operator.id, name: operator.name, role: operator.role, csrf_token: csrfToken };
    },
  );

  operation(
    'DELETE /operator/session',
    {
      id: 'sign_out',
      needs: 'any role',
      summary: 'Sign out of the console',
      answer: { status: 204, description: 'The session is over.' },
    },
    async (request, reply) => {
      await sessions.signOut(request, reply, operatorOf(request));
    },
  );
}
