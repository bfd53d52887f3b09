import type { OrganizationId, UserId } from '../../../identity/types.ts';
import type { Session } from '../../../storage/database.ts';
import { oneByOne, statement } from '../../../storage/statement.ts';
import type { Scope } from '../../scopes/scopes.ts';
import type { OAuthClientId } from '../../types.ts';

/** A user, a client, and the audience of its tokens. */
export interface ConsentKey {
  userId: UserId;
  clientId: OAuthClientId;
  audience: string;
}

export interface Consent {
  scopes: readonly Scope[];
  organizationIds: readonly OrganizationId[];
}

export interface StoredConsent extends Consent {
  /** The user has left one of the organizations since, and belongs to it again. */
  hasRejoined: boolean;
}

const SELECT_CONSENT = statement(
  'select_consent',
  `select k.scopes, k.organization_ids as "organizationIds",
          exists (select 1 from {schema}.memberships m
                  where m.user_id = k.user_id and m.organization_id = any(k.organization_ids)
                    and m.number > coalesce(k.number, 0)) as "hasRejoined"
   from (${oneByOne('oauth_consents', 'user_id = $1')}) k where k.client_id = $2 and k.audience = $3`,
);

export async function selectConsent(
  session: Session,
  { userId, clientId, audience }: ConsentKey,
): Promise<StoredConsent | null> {
  const [consent = null] = await session.run<StoredConsent>(SELECT_CONSENT, [userId, clientId, audience]);
  return consent;
}

const DELETE_ALL_CONSENTS = statement(
  'delete_all_consents',
  `with gone as (delete from {schema}.oauth_consents returning 1) select count(*)::int as count from gone`,
);

/** Every user is asked again. Returns how many consents there were. */
export async function deleteAllConsents(session: Session): Promise<number> {
  const [gone] = await session.run<{ count: number }>(DELETE_ALL_CONSENTS, []);
  return gone?.count ?? 0;
}

const UPSERT_CONSENT = statement(
  'upsert_consent',
  `insert into {schema}.oauth_consents as k (user_id, client_id, audience, scopes, organization_ids, given_at, number)
   values ($1, $2, $3, $4, $5, $6, nextval('{schema}.membership_numbers'))
   on conflict (user_id, client_id, audience) do update
   set scopes = excluded.scopes, organization_ids = excluded.organization_ids, given_at = excluded.given_at,
       number = case when $7::boolean then excluded.number else k.number end`,
);

/** Where the organizations were not chosen anew, only those count that counted before. */
export async function upsertConsent(
  session: Session,
  { userId, clientId, audience }: ConsentKey,
  given: Consent & { givenAt: Date; hasChosen: boolean },
): Promise<void> {
  const { scopes, organizationIds, givenAt, hasChosen } = given;
  const values = [userId, clientId, audience, scopes, organizationIds, givenAt, hasChosen];
  await session.run(UPSERT_CONSENT, values);
}
