import type { RequestTo } from '../../../contracts/head/operation-types.ts';
import type { registrationOperations } from '../../../contracts/head/registration.ts';
import type { Context } from '../../../environments/environment.ts';
import { ApiError } from '../../../errors/api-error.ts';
import type { OperatorFinder } from '../../../identity/operator-keys.ts';
import type { Clock } from '../../../kernel/clock.ts';
import { createThrottle, networkOf, type Throttle } from '../../../kernel/throttle.ts';
import { isRegistrationToken } from '../../../oauth/clients/registration/registration-tokens.ts';
import {
  endRegistration,
  findRegistration,
  type InitialAccess,
  isSecretOf,
  registerClient,
  replaceMetadata,
} from '../../../oauth/clients/registration/registrations.ts';
import type { StoredRegistration } from '../../../oauth/clients/registration/store.ts';
import { bearerIn, invalidToken } from '../../app/bearer.ts';
import { metadataBody, readMetadata } from '../client-metadata.ts';
import type { Caller, HandlersOf } from '../handler.ts';

export interface RegistrationParts {
  clock: Clock;
  findOperator: OperatorFinder;
}

const REALM = 'dateline';

/** Clients that register and manage themselves (RFC 7591, RFC 7592). */
export function registrationHandlers({
  clock,
  findOperator,
}: RegistrationParts): HandlersOf<typeof registrationOperations> {
  const throttle = createThrottle({ clock, failuresMax: 60, windowSeconds: 60, keysMax: 100_000 });
  return {
    async 'oauth2:register_client'({ context, request, caller }) {
      countRegistration(throttle, networkOf(caller.address()));
      const access = await requireInitialAccess(context, caller.authorization, {
        findOperator,
        takesOperatorKeys: request.command.takesOperatorKeys === true,
      });
      const registered = await registerClient(context, readMetadata(context, request), access);
      if (!registered) throw invalidToken(REALM, bearerIn(caller.authorization));
      const { clientSecretValue, registrationTokenValue } = registered;
      return {
        status: 201,
        body: {
          ...informationBody(context, registered, registrationTokenValue),
          ...(clientSecretValue === null ? {} : { client_secret: clientSecretValue }),
        },
      };
    },

    async 'oauth2:read_client'(call) {
      const { registration, tokenValue } = await requireRegistration(call.context, call);
      return { status: 200, body: informationBody(call.context, registration, tokenValue) };
    },

    'oauth2:replace_client': (call) =>
      call.context.transaction(async (context) => {
        const { registration, tokenValue } = await requireRegistration(context, call);
        await requireSameClient(context, registration, call.request.body);
        const replaced = await replaceMetadata(
          context,
          registration,
          readMetadata(context, call.request, registration.client),
        );
        return { status: 200, body: informationBody(context, replaced, tokenValue) };
      }),

    'oauth2:delete_client': (call) =>
      call.context.transaction(async (context) => {
        const { registration } = await requireRegistration(context, call);
        await endRegistration(context, registration);
        return { status: 204, body: null };
      }),
  };
}

interface RegistrationCall {
  request: { readonly params: { readonly client_id: string } };
  caller: Caller;
}

/** Every attempt counts, also those that succeed: each of them stores a client. */
function countRegistration(throttle: Throttle, address: string): void {
  const waitSeconds = throttle.waitSeconds(address);
  if (waitSeconds !== null)
    throw new ApiError('too_many_requests', {
      detail: 'Too many registrations from this address. Wait, then try again.',
      headers: { 'retry-after': String(waitSeconds) },
    });
  throttle.fail(address);
}

/** Registration is open in the sandbox; in production it needs a registration token, or in older versions an operator key. */
async function requireInitialAccess(
  context: Context,
  authorization: string | undefined,
  { findOperator, takesOperatorKeys }: { findOperator: OperatorFinder; takesOperatorKeys: boolean },
): Promise<InitialAccess> {
  const sent = bearerIn(authorization);
  if (sent !== null && isRegistrationToken(context, sent)) return { by: 'token', tokenValue: sent };
  if (context.name === 'sandbox') return { by: 'anybody' };
  const operator = sent === null ? null : await findOperator(sent);
  if (!operator) throw invalidToken(REALM, sent);
  if (takesOperatorKeys) return { by: 'operator', operator };
  throw new ApiError('insufficient_scope', {
    detail:
      'An operator key cannot register a client; send a registration token, created at /operator/registration-tokens.',
    headers: { 'www-authenticate': `Bearer realm="${REALM}", error="insufficient_scope"` },
  });
}

/** One refusal for a wrong token, a token of another client, and a deleted client: callers cannot see which. */
async function requireRegistration(context: Context, { request, caller }: RegistrationCall) {
  const tokenValue = bearerIn(caller.authorization);
  const registration =
    tokenValue === null ? null : await findRegistration(context, request.params.client_id, tokenValue);
  if (tokenValue === null || registration === null) throw invalidToken(REALM, tokenValue);
  return { registration, tokenValue };
}

/** RFC 7592 §2.2: a client names itself, and cannot become another one or choose its secret. */
async function requireSameClient(
  context: Context,
  { client }: StoredRegistration,
  { client_id, client_secret }: RequestTo<'oauth2:replace_client'>['body'],
): Promise<void> {
  if (client_id !== client.id)
    throw new ApiError('invalid_client_metadata', { detail: 'client_id is not the one of this client.' });
  if (client_secret !== undefined && !(await isSecretOf(context, client, client_secret)))
    throw new ApiError('invalid_client_metadata', {
      detail: 'client_secret is not that of this client; a client cannot choose it.',
    });
}

/** RFC 7592 §3. The token is the one that the caller has just sent. */
function informationBody({ issuer }: Context, registration: StoredRegistration, tokenValue: string) {
  const { client } = registration;
  return {
    client_id: client.id,
    client_id_issued_at: Math.floor(client.createdAt.getTime() / 1000),
    ...(client.kind === 'public' ? {} : { client_secret_expires_at: 0 }),
    registration_access_token: tokenValue,
    registration_client_uri: `${issuer}/v1/oauth2/register/${client.id}`,
    ...metadataBody(registration),
  };
}
