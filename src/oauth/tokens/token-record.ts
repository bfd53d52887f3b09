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
  scopes: Scope[];
  issuedAt: Date;
  expiresAt: Date;
  revokedAt: Date | null;
  /** Of a refresh token: when it was exchanged for its successor. */
  usedAt: Date | null;
  grantExpiresAt: Date;
  grantRevokedAt: Date | null;
  grantRevokedBefore: Date | null;
  clientDisabledAt: Date | null;
  clientDeletedAt: Date | null;
  clientRevokedBefore: Date | null;
  userBlockedAt: Date | null;
  /** Of a client's own token. A user's loses the organization, and stays live for the others. */
  organizationSuspendedAt: Date | null;
}

const suspendedAt = (organizationId: string): string =>
  `(select o.suspended_at from {schema}.organizations o where o.id = ${organizationId} and o.suspended_at is not null)`;

// Memberships are read live: a user who left an organization loses it at once. So does everyone while it is suspended.
const ORGANIZATION_IDS = `
  case when g.user_id is null then g.organization_ids
       else array(select m.organization_id from {schema}.memberships m
                  where m.user_id = g.user_id and m.organization_id = any(g.organization_ids)
                    and ${suspendedAt('m.organization_id')} is null
                  order by m.organization_id)
  end`;

/** What decides whether a token is active, and for whom, by where it is stored. */
const columns = {
  id: 't.id',
  kind: 't.kind',
  scopes: 't.scopes',
  grantId: 'g.id',
  audience: 'g.audience',
  clientId: 'c.id',
  clientOrganizationId: 'c.organization_id',
  userId: 'u.id',
  organizationIds: ORGANIZATION_IDS,
} as const;

const instants = {
  issuedAt: 't.issued_at',
  expiresAt: 't.expires_at',
  revokedAt: 't.revoked_at',
  usedAt: 't.used_at',
  grantExpiresAt: 'g.expires_at',
  grantRevokedAt: 'g.revoked_at',
  grantRevokedBefore: 'g.revoked_before',
  clientDisabledAt: 'c.disabled_at',
  clientDeletedAt: 'c.deleted_at',
  clientRevokedBefore: 'c.revoked_before',
  userBlockedAt: 'u.blocked_at',
  organizationSuspendedAt: `case when g.user_id is null then ${suspendedAt('c.organization_id')} end`,
} as const;

type Instant = keyof typeof instants;
const instantNames = Object.keys(instants) as Instant[];

/** Rounded down, as a `Date` is: a token must not look as if it had been issued after a cut that it lies before. */
const milliseconds = (instant: string): string => `floor(extract(epoch from ${instant}) * 1000)`;

const members = [
  ...Object.entries(columns).map(([name, sql]) => `'${name}', ${sql}`),
  ...Object.entries(instants).map(([name, sql]) => `'${name}', ${milliseconds(sql)}`),
];

/**
 * The token `t` as one JSON text, null where there is none: the driver takes longer for twenty columns than the database
 * for this. It needs `TOKEN_JOINS`.
 */
export const TOKEN_JSON = `case when t.id is not null then json_build_object(${members.join(', ')}) end`;

export const TOKEN_JOINS = `
  left join {schema}.oauth_grants g on g.id = t.grant_id
  left join {schema}.oauth_clients c on c.id = g.client_id
  left join {schema}.users u on u.id = g.user_id`;

/** What `TOKEN_JSON` selects. */
export type TokenRow = {
  [Name in Exclude<keyof TokenRecord, 'digest'>]: Name extends Instant
    ? number | Extract<TokenRecord[Name], null>
    : TokenRecord[Name];
};

/** Changes the row into a record in place: this runs for every request with a token. */
export function tokenOf(row: TokenRow, digest: Uint8Array): TokenRecord {
  const record = row as Record<Instant, unknown>;
  for (const name of instantNames) {
    const at = row[name];
    if (at !== null) record[name] = new Date(at);
  }
  return Object.assign(record, { digest }) as unknown as TokenRecord;
}
