import type { OrganizationId, UserId } from '../identity/types.ts';
import { type Id, isId } from '../kernel/ids.ts';
import type { Scope } from './scopes/scopes.ts';

export type OAuthClientId = Id<'oauth-client'>;
export type ClientSecretId = Id<'client-secret'>;
export type GrantId = Id<'grant'>;
export type TokenId = Id<'token'>;
export type RegistrationTokenId = Id<'registration-token'>;

export const clientIdPrefix = 'cli';
// Text that cannot be an id is treated like an id that is not stored, and never reaches the database.
export const isClientId = (id: string): id is OAuthClientId => isId(clientIdPrefix, id);

/** Dead tokens, codes, grants and deleted clients are kept for so long, to explain why a token died. */
export const DEAD_KEPT_DAYS = 7;

export type ClientKind = 'confidential' | 'public' | 'resource_server';
export const grantTypes = ['authorization_code', 'refresh_token', 'client_credentials'] as const;
export type GrantType = (typeof grantTypes)[number];

/** Algorithms for id_tokens (RFC 7518 §3.1). Each has keys of its own. */
export const signingAlgorithms = ['ES256', 'RS256'] as const;
export type SigningAlgorithm = (typeof signingAlgorithms)[number];
export const USUAL_ALGORITHM: SigningAlgorithm = 'ES256';

export interface OAuthClient {
  id: OAuthClientId;
  organizationId: OrganizationId;
  name: string;
  kind: ClientKind;
  allowedGrants: readonly GrantType[];
  scopes: readonly Scope[];
  redirectUris: readonly string[];
  /** Of a resource server: the `aud` of its tokens. */
  audiences: readonly string[];
  /** False where a client with a secret may do without it (RFC 9700 §2.1.1). */
  requiresPkce: boolean;
  /** The algorithm of its id_tokens. */
  idTokenAlgorithm: SigningAlgorithm;
  disabledAt: Date | null;
  createdAt: Date;
}

/** A live secret, as operators see it: its value was shown when it was made. */
export interface ClientSecret {
  id: ClientSecretId;
  createdAt: Date;
  lastUsedAt: Date | null;
}

/** Lets one client register itself, within these scopes and grants. */
export interface RegistrationToken {
  id: RegistrationTokenId;
  scopes: readonly Scope[];
  allowedGrants: readonly GrantType[];
  createdAt: Date;
  expiresAt: Date;
  usedAt: Date | null;
}

/** The subject of a token. */
export type Subject = { type: 'user'; id: UserId } | { type: 'organization'; id: OrganizationId };

export interface Grant {
  id: GrantId;
  clientId: OAuthClientId;
  subject: Subject;
  /** For a user: those chosen at consent. Only those the user still belongs to count. */
  organizationIds: readonly OrganizationId[];
  scopes: readonly Scope[];
  audience: string;
  createdAt: Date;
  expiresAt: Date;
}

export type TokenKind = 'access_token' | 'refresh_token';

export interface Token {
  id: TokenId;
  kind: TokenKind;
  grantId: GrantId;
  scopes: readonly Scope[];
  issuedAt: Date;
  expiresAt: Date;
}

/** A token that may be used now, with everything that is known about it. */
export interface ActiveToken {
  active: true;
  tokenId: TokenId;
  kind: TokenKind;
  clientId: OAuthClientId;
  grantId: GrantId;
  /** The granted scopes that its client may still have. */
  scopes: readonly Scope[];
  /** It was granted scopes, and its client may have none of them any more. */
  hasLostAllScopes: boolean;
  subject: Subject;
  organizationIds: readonly OrganizationId[];
  audience: string;
  issuedAt: Date;
  expiresAt: Date;
  /** The names of the stored signing keys, read together with the token. Absent where a standby was asked, or nothing is stored. */
  signingKeys?: string;
}

/** Unknown, malformed, expired, revoked or dead for any other reason: callers cannot see which. */
export interface InactiveToken {
  active: false;
}
