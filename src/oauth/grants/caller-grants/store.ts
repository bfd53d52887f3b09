import type { OrganizationId, UserId } from '../../../identity/types.ts';
import type { Session } from '../../../storage/database.ts';
import { statement } from '../../../storage/statement.ts';
import type { Scope } from '../../scopes/scopes.ts';
import type { GrantId, OAuthClientId } from '../../types.ts';

export interface CallerGrant {
  id: GrantId;
  clientId: OAuthClientId;
  clientName: string;
  /** Null for a client's own grant. */
  userId: UserId | null;
  scopes: Scope[];
  /** The granted organizations in which the user has been a member without a break. */
  organizationIds: OrganizationId[];
  audience: string;
  createdAt: Date;
  expiresAt: Date;
}

export interface Rows {
  after: string;
  /** Null for all. */
  limit: number | null;
  now: Date;
}

// A grant is live as long as one of its tokens can be used.
const LIVE_GRANTS = `
  select g.id, g.client_id as "clientId", c.name as "clientName", g.user_id as "userId", g.scopes, g.audience,
         g.created_at as "createdAt", g.expires_at as "expiresAt",
         case when g.user_id is null then g.organization_ids
              else array(select m.organization_id from {schema}.memberships m
                         where m.user_id = g.user_id and m.organization_id = any(g.organization_ids)
                           and m.number <= coalesce(g.number, 0)
                         order by m.organization_id)
         end as "organizationIds"
  from {schema}.oauth_grants g join {schema}.oauth_clients c on c.id = g.client_id
  where g.revoked_at is null and g.expires_at > $2 and c.disabled_at is null and c.deleted_at is null
    and exists (select 1 from {schema}.oauth_tokens t
                where t.grant_id = g.id and t.revoked_at is null and t.used_at is null and t.expires_at > $2
                  and t.issued_at >= coalesce(greatest(g.revoked_before, c.revoked_before), '-infinity'))
    and g.id > $3`;

const LIVE_GRANTS_OF_USER = statement(
  'live_grants_of_user',
  `${LIVE_GRANTS} and g.user_id = $1 and ($5::text is null or g.client_id = $5) order by g.id limit $4::int`,
);
const LIVE_GRANTS_OF_CLIENT = statement(
  'live_grants_of_client',
  `${LIVE_GRANTS} and g.client_id = $1 order by g.id limit $4::int`,
);
const LIVE_GRANTS_BY_ID = statement(
  'live_grants_by_id',
  `${LIVE_GRANTS} and g.id = any($1::text[]) order by g.id limit $4::int`,
);

/** The live grants of a user, to all clients or to one. */
export async function selectLiveGrantsOfUser(
  session: Session,
  userId: UserId,
  { now, after, limit, clientId = null }: Rows & { clientId?: OAuthClientId | null },
): Promise<CallerGrant[]> {
  return session.run<CallerGrant>(LIVE_GRANTS_OF_USER, [userId, now, after, limit, clientId]);
}

export async function selectLiveGrantsOfClient(
  session: Session,
  clientId: OAuthClientId,
  { now, after, limit }: Rows,
): Promise<CallerGrant[]> {
  return session.run<CallerGrant>(LIVE_GRANTS_OF_CLIENT, [clientId, now, after, limit]);
}

export async function selectLiveGrants(
  session: Session,
  ids: readonly GrantId[],
  { now, after, limit }: Rows,
): Promise<CallerGrant[]> {
  return session.run<CallerGrant>(LIVE_GRANTS_BY_ID, [ids, now, after, limit]);
}

/** The permissions of one application, by a live grant or a stored consent. */
export interface Allowed {
  clientId: OAuthClientId;
  clientName: string;
  /** Null for a client's own grant. */
  userId: UserId | null;
  scopes: readonly Scope[];
  organizationIds: readonly OrganizationId[];
  since: Date;
}

const CONSENTS_OF_USER = statement(
  'consents_of_user',
  `select k.client_id as "clientId", c.name as "clientName", k.scopes, k.given_at as since,
          array(select m.organization_id from {schema}.memberships m
                where m.user_id = k.user_id and m.organization_id = any(k.organization_ids)
                  and m.number <= coalesce(k.number, 0)
                order by m.organization_id) as "organizationIds"
   from {schema}.oauth_consents k join {schema}.oauth_clients c on c.id = k.client_id
   where k.user_id = $1 and c.disabled_at is null and c.deleted_at is null
   order by k.given_at, k.client_id`,
);

export async function selectConsentsOfUser(session: Session, userId: UserId): Promise<Allowed[]> {
  return session.run<Allowed>(CONSENTS_OF_USER, [userId]);
}

const BURN_CODES_OF = statement(
  'burn_codes_of_user_and_client',
  `update {schema}.oauth_codes set used_at = $3
   where user_id = $1 and client_id = $2 and used_at is null and expires_at > $3`,
);
const FORGET_CONSENTS = statement(
  'forget_consents',
  'delete from {schema}.oauth_consents where user_id = $1 and client_id = $2',
);

/** Withdraws the unused codes and the consent of a user for a client, so that no new token can be issued. */
export async function withdrawConsent(
  session: Session,
  userId: UserId,
  { clientId, now }: { clientId: OAuthClientId; now: Date },
): Promise<void> {
  // Same lock order as an exchange: the code, then the rest.
  await session.run(BURN_CODES_OF, [userId, clientId, now]);
  await session.run(FORGET_CONSENTS, [userId, clientId]);
}

const GRANT_HOLDER = statement(
  'grant_holder',
  `select id, client_id as "clientId", user_id as "userId" from {schema}.oauth_grants
   where id = $1 and revoked_at is null`,
);

/** The owner of a grant that is not revoked. */
export async function selectGrantHolder(
  session: Session,
  id: GrantId,
): Promise<{ id: GrantId; clientId: OAuthClientId; userId: UserId | null } | null> {
  const [holder] = await session.run<{ id: GrantId; clientId: OAuthClientId; userId: UserId | null }>(
    GRANT_HOLDER,
    [id],
  );
  return holder ?? null;
}
