import type { Kysely } from 'kysely';
import type { OrganizationId, UserId } from '../../../identity/types.ts';
import type { Session } from '../../../storage/database.ts';
import type { Scope } from '../../scopes/scopes.ts';
import type { OAuthClientId } from '../../types.ts';
import type { Consent, ConsentKey } from './consents.ts';

interface Tables {
  oauth_consents: {
    user_id: UserId;
    client_id: OAuthClientId;
    audience: string;
    scopes: readonly Scope[];
    organization_ids: readonly OrganizationId[];
    given_at: Date;
  };
}

const tables = (session: Session): Kysely<Tables> => session.tables<Tables>();

export async function selectConsent(session: Session, key: ConsentKey): Promise<Consent | null> {
  const row = await tables(session)
    .selectFrom('oauth_consents')
    .select(['scopes', 'organization_ids as organizationIds'])
    .where('user_id', '=', key.userId)
    .where('client_id', '=', key.clientId)
    .where('audience', '=', key.audience)
    .executeTakeFirst();
  return row ?? null;
}

export async function upsertConsent(
  session: Session,
  key: ConsentKey,
  { scopes, organizationIds, givenAt }: Consent & { givenAt: Date },
): Promise<void> {
  const given = { scopes, organization_ids: organizationIds, given_at: givenAt };
  await tables(session)
    .insertInto('oauth_consents')
    .values({ user_id: key.userId, client_id: key.clientId, audience: key.audience, ...given })
    .onConflict((conflict) => conflict.columns(['user_id', 'client_id', 'audience']).doUpdateSet(given))
    .execute();
}
