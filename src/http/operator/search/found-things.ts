import type { Environment } from '../../../environments/environment.ts';
import { selectOperatorKey, selectOrganizationsById, selectUser } from '../../../identity/store.ts';
import {
  isOperatorKeyId,
  isOrganizationId,
  isUserId,
  type OperatorKey,
  type Organization,
  type User,
} from '../../../identity/types.ts';
import { isId } from '../../../kernel/ids.ts';
import { selectClientOfSecret } from '../../../oauth/clients/authentication/store.ts';
import { type FoundClient, selectClient, selectClients } from '../../../oauth/clients/clients/store.ts';
import { findAskedToken } from '../../../oauth/tokens/explain-token.ts';
import { selectGrants } from '../../../oauth/tokens/store.ts';
import type { TokenRecord } from '../../../oauth/tokens/token-record.ts';
import { tokenEnds } from '../../../oauth/tokens/token-state.ts';
import { isClientId, type OAuthClientId } from '../../../oauth/types.ts';
import type { Session } from '../../../storage/database.ts';
import { selectFailedRequest } from '../../../usage/failures/store.ts';
import { type FailedRequest, failedRequestIdPrefix } from '../../../usage/failures/types.ts';
import { selectEvent } from '../../../webhooks/events/store.ts';
import { type FoundEndpoint, selectWatchedEndpoint } from '../../../webhooks/oversight/store.ts';
import { isEndpointId, isEventId, type WebhookEvent } from '../../../webhooks/types.ts';

export const foundKinds = [
  'client',
  'organization',
  'user',
  'webhook_endpoint',
  'event',
  'token',
  'grant',
  'request',
  'operator_key',
] as const;

/** A thing as the search shows it. */
export interface Found {
  kind: (typeof foundKinds)[number];
  id: string;
  name: string;
  detail: string;
  by: 'id' | 'words';
}

/** Each kind that is found by its words. */
export const inWords = {
  client: (client: FoundClient): Found => ({ ...clientFound(client), by: 'words' }),
  organization: (organization: Organization): Found => ({ ...organizationFound(organization), by: 'words' }),
  user: (user: User): Found => ({ ...userFound(user), by: 'words' }),
  webhook_endpoint: (endpoint: FoundEndpoint): Found => ({ ...endpointFound(endpoint), by: 'words' }),
};

/** What has this id of ours, or null. */
export async function thingById(environment: Environment, text: string): Promise<Found | null> {
  const { session } = environment;
  if (isClientId(text)) return found(await selectClient(session, text), clientFound);
  if (isId<'client-secret'>('sec', text)) {
    const clientId = await selectClientOfSecret(session, text);
    return clientId && found(await selectClient(session, clientId), clientFound);
  }
  if (isOrganizationId(text))
    return found((await selectOrganizationsById(session, [text]))[0], organizationFound);
  if (isUserId(text)) return found(await selectUser(session, text), userFound);
  if (isEndpointId(text)) return found((await selectWatchedEndpoint(session, text))?.endpoint, endpointFound);
  if (isEventId(text)) return found(await selectEvent(session, text), eventFound);
  if (isOperatorKeyId(text)) return found(await selectOperatorKey(session, text), keyFound);
  if (isId<'token'>('tok', text))
    return tokenFound(environment, await findAskedToken(environment, { tokenId: text }));
  if (isId<'grant'>('gra', text)) return grantFound(environment, text);
  const isRequest = isOurRequestId(text) || isId(failedRequestIdPrefix, text);
  return isRequest ? found(await selectFailedRequest(session, text), requestFound) : null;
}

/** True for the form of an X-Request-Id that the service has made. */
export function isOurRequestId(text: string): boolean {
  return /^req_[0-9A-Za-z]+$/.test(text);
}

/** A caller may choose its X-Request-Id, also one that is the name of something else: so it is found beside that. */
export async function requestsNamed(session: Session, text: string): Promise<Found[]> {
  const request = await selectFailedRequest(session, text);
  return request ? [{ ...requestFound(request), by: 'words' }] : [];
}

/** The token that was pasted, or null. */
export async function tokenByValue(environment: Environment, text: string): Promise<Found | null> {
  return tokenFound(environment, await findAskedToken(environment, { tokenValue: text }));
}

function found<Thing>(thing: Thing | null | undefined, body: (thing: Thing) => Found): Found | null {
  return thing ? body(thing) : null;
}

const clientFound = ({ id, name, kind, disabledAt }: FoundClient): Found => ({
  ...{ kind: 'client', id, name, by: 'id' },
  detail: `${kind.replace('_', ' ')}, ${disabledAt ? 'disabled' : 'enabled'}`,
});

const organizationFound = ({ id, name, suspendedAt }: Organization): Found => ({
  ...{ kind: 'organization', id, name, by: 'id' },
  detail: suspendedAt ? 'suspended' : 'active',
});

const userFound = ({ id, name, email, blockedAt }: User): Found => ({
  ...{ kind: 'user', id, name, by: 'id' },
  detail: blockedAt ? `${email}, blocked` : email,
});

const endpointFound = ({ id, url, disabledAt }: FoundEndpoint): Found => ({
  ...{ kind: 'webhook_endpoint', id, name: url, by: 'id' },
  detail: disabledAt ? 'disabled' : 'enabled',
});

const eventFound = ({ id, type, state }: WebhookEvent): Found => ({
  ...{ kind: 'event', id, name: type, detail: state, by: 'id' },
});

const keyFound = ({ id, name, role, revokedAt }: OperatorKey): Found => ({
  ...{ kind: 'operator_key', id, name, by: 'id' },
  detail: revokedAt ? `${role}, revoked` : role,
});

const requestFound = ({ requestId, method, route, operation, status, code }: FailedRequest): Found => ({
  ...{ kind: 'request', id: requestId, name: operation ?? `${method} ${route}`, by: 'id' },
  detail: code === null ? String(status) : `${status} ${code}`,
});

async function tokenFound(environment: Environment, token: TokenRecord | null): Promise<Found | null> {
  if (!token) return null;
  const isActive = tokenEnds(token, environment.clock.now()).length === 0;
  return {
    ...{ kind: 'token', id: token.id, name: await clientName(environment, token.clientId), by: 'id' },
    detail: `${token.kind} token, ${isActive ? 'active' : 'ended'}`,
  };
}

async function grantFound(
  environment: Environment,
  id: Parameters<typeof selectGrants>[1][number],
): Promise<Found | null> {
  const [grant] = await selectGrants(environment.session, [id]);
  if (!grant) return null;
  const holder = grant.userId ?? grant.clientOrganizationId;
  const name = await clientName(environment, grant.clientId);
  return { kind: 'grant', id, name, detail: `for ${holder}`, by: 'id' };
}

/** Also of a client that was deleted: its tokens are explained for some days. */
async function clientName({ session }: Environment, id: OAuthClientId): Promise<string> {
  const [client] = await selectClients(session, [id]);
  return client?.name ?? id;
}
