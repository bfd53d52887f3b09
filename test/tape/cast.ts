import type { Environment } from '../../src/environments/environment.ts';
import { addMember } from '../../src/identity/members.ts';
import { createOrganization } from '../../src/identity/organizations.ts';
import type { OrganizationId } from '../../src/identity/types.ts';
import { createUser } from '../../src/identity/users.ts';
import { newId } from '../../src/kernel/ids.ts';
import {
  newClientSecretValue,
  storeClientSecret,
} from '../../src/oauth/clients/authentication/client-secrets.ts';
import { createClient } from '../../src/oauth/clients/clients/clients.ts';
import { grantToOrganization, grantToUser } from '../../src/oauth/grants/grants.ts';
import type { Scope } from '../../src/oauth/scopes/scopes.ts';
import { issueAccessToken, issueRefreshToken } from '../../src/oauth/tokens/issue-token.ts';
import { insertEndpoint } from '../../src/webhooks/endpoints/store.ts';
import { insertEvents, type NewEvent } from '../../src/webhooks/publishing/store.ts';
import {
  type EndpointId,
  endpointIdPrefix,
  eventIdPrefix,
  occurrenceIdPrefix,
} from '../../src/webhooks/types.ts';
import type { TestClock } from '../support/service/test-clock.ts';

/**
 * The callers. Frozen tapes contain their names and data: add to the cast, but never change what is there.
 * - owner: all scopes, one organization; unscoped: the same person with next to none;
 * - machine: the owner's client for itself;
 * - manager: all scopes, two organizations; stranger: all scopes, another organization;
 * - steward: looks after all grants of a person;
 * - unknown: sends a token that was never issued; nobody: sends none.
 */
export const actors = [
  'owner',
  'unscoped',
  'machine',
  'manager',
  'stranger',
  'steward',
  'unknown',
  'nobody',
] as const;
export type Actor = (typeof actors)[number];

export interface Cast {
  /** Null for nobody. */
  token(actor: string): string | null;
  /** What requests may name, such as `{{owner.organization}}`. */
  variables: Readonly<Record<string, string>>;
}

// Listed one by one, not "all scopes": a scope that is added later must not appear in earlier recordings.
const SCOPES: readonly Scope[] = [
  'openid',
  'profile',
  'email',
  'products:read',
  'products:write',
  'webhooks:read',
  'webhooks:write',
  'organizations:read',
];

/** Creates all of them in the hour before the play; whatever has a time in an answer has a minute of its own. */
export async function bringOn(environment: Environment, clock: TestClock, playsAt: Date): Promise<Cast> {
  const makeOrganization = async (name: string, minute: number): Promise<OrganizationId> => {
    clock.set(new Date(playsAt.getTime() - (60 - minute) * 60_000));
    return (await createOrganization(environment, { name })).id;
  };
  const bakery = await makeOrganization('Bakery', 1);
  const north = await makeOrganization('Café North', 2);
  const south = await makeOrganization('Café South', 3);
  const garage = await makeOrganization('Garage', 4);
  const owner = await createActor(environment, 'Owner', [bakery]);
  const manager = await createActor(environment, 'Manager', [north, south]);
  const stranger = await createActor(environment, 'Stranger', [garage]);
  const steward = await createActor(environment, 'Steward', [garage], [...SCOPES, 'grants:manage']);
  const tokens: Readonly<Record<string, string | null>> = {
    owner: (await owner.allow(SCOPES)).access,
    unscoped: (await owner.allow(['openid'])).access,
    machine: await owner.actAlone(),
    manager: (await manager.allow(SCOPES)).access,
    stranger: (await stranger.allow(SCOPES)).access,
    steward: (await steward.allow(['grants:manage'])).access,
    unknown: 'dl_test_at_that_was_never_issued',
    nobody: null,
  } satisfies Record<Actor, string | null>;
  const [kept, spare] = [await owner.allow(SCOPES), await owner.allow(SCOPES)];
  const ending = await owner.allow(['openid']);
  const managed = await steward.allow(['openid']);
  const expired = await createExpiredEvent(environment, garage);
  clock.set(playsAt);
  return {
    token(actor) {
      const token = tokens[actor];
      if (token === undefined) throw new Error(`there is no "${actor}" in the cast`);
      return token;
    },
    variables: {
      'owner.organization': bakery,
      'manager.organization': north,
      'manager.other_organization': south,
      'stranger.organization': garage,
      'owner.client': owner.client.id,
      'owner.secret': owner.secretValue,
      'owner.basic': Buffer.from(`${owner.client.id}:${owner.secretValue}`).toString('base64'),
      'owner.access_token': kept.access,
      'owner.refresh_token': kept.refresh,
      'owner.ending_grant': ending.grantId,
      'steward.ending_grant': managed.grantId,
      'owner.spare_access_token': spare.access,
      'owner.spare_refresh_token': spare.refresh,
      'stranger.endpoint': expired.endpointId,
      'stranger.expired_event': expired.id,
      'stranger.client': stranger.client.id,
      'stranger.secret': stranger.secretValue,
      'public.client': (await createPublicClient(environment, garage)).id,
      'web.client': (await createWebClient(environment, garage)).id,
    },
  };
}

/** A person in some organizations, with a client of theirs and its grant. */
async function createActor(
  environment: Environment,
  name: string,
  organizationIds: OrganizationId[],
  scopes = SCOPES,
) {
  const user = await createUser(environment, {
    email: `${name.toLowerCase()}@example.com`,
    name,
    password: 'correct horse battery',
  });
  for (const organizationId of organizationIds)
    await addMember(environment, { organizationId, userId: user.id });
  const client = await createClient(environment, {
    organizationId: organizationIds[0] as OrganizationId,
    name: `${name}’s client`,
    kind: 'confidential',
    allowedGrants: ['authorization_code', 'refresh_token', 'client_credentials'],
    scopes,
    redirectUris: [],
    audiences: [],
  });
  const secretValue = newClientSecretValue(environment);
  await storeClientSecret(environment, { clientId: client.id, secretValue });
  return {
    client,
    secretValue,
    async actAlone(): Promise<string> {
      const grant = await grantToOrganization(environment, { client, scopes: ['products:read'] });
      return (await issueAccessToken(environment, grant)).tokenValue;
    },
    async allow(scopes: readonly Scope[]): Promise<Allowed> {
      const grant = await grantToUser(environment, { client, userId: user.id, organizationIds, scopes });
      const access = await issueAccessToken(environment, grant);
      const refresh = await issueRefreshToken(environment, grant);
      return { grantId: grant.id, access: access.tokenValue, refresh: refresh.tokenValue };
    },
  };
}

interface Allowed {
  grantId: string;
  access: string;
  refresh: string;
}

async function createPublicClient(environment: Environment, organizationId: OrganizationId) {
  return createClient(environment, {
    organizationId,
    name: 'Public client',
    kind: 'public',
    allowedGrants: ['authorization_code', 'refresh_token'],
    scopes: SCOPES,
    redirectUris: ['http://127.0.0.1/callback'],
    audiences: [],
  });
}

async function createWebClient(environment: Environment, organizationId: OrganizationId) {
  return createClient(environment, {
    organizationId,
    name: 'Web client',
    kind: 'confidential',
    allowedGrants: ['authorization_code', 'refresh_token'],
    scopes: SCOPES,
    redirectUris: ['https://app.example/callback'],
    audiences: [],
  });
}

/** An event that was delivered so long ago that its payload is deleted. */
async function createExpiredEvent(
  { session, clock, contracts }: Environment,
  organizationId: OrganizationId,
) {
  const createdAt = clock.now();
  const endpointId: EndpointId = newId(endpointIdPrefix, createdAt);
  const shared = { organizationId, format: 'raw', createdAt } as const;
  await insertEndpoint(session, {
    ...shared,
    id: endpointId,
    url: 'http://localhost:9/in',
    events: ['*'],
    pinnedVersion: contracts.current(),
    description: null,
    maxPerSecond: null,
    madeBy: null,
    lostScopes: null,
    modifiedAt: createdAt,
    disabledAt: null,
    disabledReason: null,
  });
  const event: NewEvent = {
    ...shared,
    id: newId(eventIdPrefix, createdAt),
    occurrenceId: newId(occurrenceIdPrefix, createdAt),
    endpointId,
    type: 'token.revoked',
    apiVersion: contracts.current(),
    payloadSha256: null,
    state: 'delivered',
  };
  await insertEvents(session, [event]);
  return event;
}
