import type { OrganizationId, UserId } from '../../identity/types.ts';
import type { Scope } from '../scopes/scopes.ts';
import type { GrantId, OAuthClientId, TokenId, TokenKind } from '../types.ts';

/** The parties and the reach of a grant. */
export interface GrantRecord {
  grantId: GrantId;
  audience: string;
  clientId: OAuthClientId;
  clientOrganizationId: OrganizationId;
  userId: UserId | null;
  organizationIds: OrganizationId[];
}

/** A token with everything that decides whether it is active, as it stands at one instant. */
export interface TokenRecord extends GrantRecord {
  digest: Uint8Array;
  id: TokenId;
  kind: TokenKind;
  /** The granted scopes that the client may still have. */
  scopes: Scope[];
  /** Its client may not have all that were granted. */
  hasLostScopes: boolean;
  issuedAt: Date;
  expiresAt: Date;
  revokedAt: Date | null;
  /** Of a refresh token: when it was exchanged for its successor. */
  usedAt: Date | null;
  grantExpiresAt: Date;
  grantRevokedAt: Date | null;
  grantRevokedBefore: Date | null;
  /** Until then the answer to the code of its grant may be repeated. Null once a token of it was used. */
  repeatableUntil: Date | null;
  clientDisabledAt: Date | null;
  clientDeletedAt: Date | null;
  clientRevokedBefore: Date | null;
  userBlockedAt: Date | null;
  /** Of a client's own token. A user's loses the organization, and stays live for the others. */
  organizationSuspendedAt: Date | null;
}

/** The members of a token that are instants. */
export type Instant = {
  [Name in keyof TokenRecord]: Date extends TokenRecord[Name] ? Name : never;
}[keyof TokenRecord];

/** A token as the database writes it: instants as milliseconds, and its digest apart. */
export type TokenRow = {
  [Name in Exclude<keyof TokenRecord, 'digest'>]: Name extends Instant
    ? number | Extract<TokenRecord[Name], null>
    : TokenRecord[Name];
};
