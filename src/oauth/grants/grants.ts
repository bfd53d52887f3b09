import type { Context } from '../../environments/environment.ts';
import type { OrganizationId, UserId } from '../../identity/types.ts';
import { digestOf } from '../../kernel/digest.ts';
import { newId } from '../../kernel/ids.ts';
import type { Scope } from '../scopes/scopes.ts';
import { type GrantTerms, wholeSeconds } from '../tokens/issue-token.ts';
import { findTokens, insertGrant } from '../tokens/store.ts';
import { isLive } from '../tokens/token-state.ts';
import type { Grant, OAuthClient } from '../types.ts';

export interface NewUserGrant {
  client: OAuthClient;
  userId: UserId;
  organizationIds: readonly OrganizationId[];
  scopes: readonly Scope[];
  /** The audience of its tokens, if not the client itself. */
  audience?: string;
}

/** A user allows a client to act for them in some of their organizations. */
export async function grantToUser(context: Context, input: NewUserGrant): Promise<Grant> {
  const grant = newUserGrant(context, input);
  await insertGrant(context.session, grant);
  return grant;
}

/** The same, yet to be stored. */
export function newUserGrant(context: Context, input: NewUserGrant): Grant {
  return newGrant(context, {
    clientId: input.client.id,
    subject: { type: 'user', id: input.userId },
    organizationIds: input.organizationIds,
    scopes: input.scopes,
    audience: input.audience ?? input.client.id,
  });
}

export interface NewOrganizationGrant extends Pick<NewUserGrant, 'client' | 'scopes' | 'audience'> {}

/** A client acts for its own organization (client_credentials). */
export async function grantToOrganization(context: Context, input: NewOrganizationGrant): Promise<Grant> {
  const grant = newOrganizationGrant(context, input);
  await insertGrant(context.session, grant);
  return grant;
}

/** The same, yet to be stored. */
export function newOrganizationGrant(context: Context, input: NewOrganizationGrant): Grant {
  const { client, scopes, audience = client.id } = input;
  const grant = newGrant(context, {
    clientId: client.id,
    subject: { type: 'organization', id: client.organizationId },
    organizationIds: [client.organizationId],
    scopes,
    audience,
  });
  // It has one token, and ends with it.
  return { ...grant, expiresAt: wholeSeconds(grant.createdAt, context.lifetimes.accessTokenSeconds) };
}

/** The grant of a refresh token, if both are live. */
export async function findLiveGrant(context: Context, refreshTokenValue: string): Promise<GrantTerms | null> {
  const [record] = await findTokens(context.session, [digestOf(refreshTokenValue)]);
  if (record?.kind !== 'refresh_token' || !isLive(record, context.clock.now())) return null;
  return { id: record.grantId, scopes: record.scopes, expiresAt: record.grantExpiresAt };
}

function newGrant(context: Context, input: Omit<Grant, 'id' | 'createdAt' | 'expiresAt'>): Grant {
  const now = context.clock.now();
  const expiresAt = wholeSeconds(now, context.lifetimes.refreshTokenAbsoluteSeconds);
  return { ...input, id: newId('gra', now), createdAt: now, expiresAt };
}
