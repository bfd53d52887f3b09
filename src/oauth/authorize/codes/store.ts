import type { Kysely } from 'kysely';
import type { OrganizationId, UserId } from '../../../identity/types.ts';
import type { Session } from '../../../storage/database.ts';
import { deletion } from '../../../storage/deletion.ts';
import type { Scope } from '../../scopes/scopes.ts';
import type { GrantId, OAuthClientId } from '../../types.ts';

interface Tables {
  oauth_codes: {
    digest: Uint8Array;
    client_id: OAuthClientId;
    user_id: UserId;
    organization_ids: readonly OrganizationId[];
    scopes: readonly Scope[];
    audience: string;
    redirect_uri: string;
    redirect_uri_omitted: boolean;
    code_challenge: string | null;
    nonce: string | null;
    authenticated_at: Date;
    expires_at: Date;
    grant_id: GrantId | null;
    used_at: Date | null;
  };
}

const tables = (session: Session): Kysely<Tables> => session.tables<Tables>();

export interface StoredCode {
  digest: Uint8Array;
  clientId: OAuthClientId;
  userId: UserId;
  organizationIds: readonly OrganizationId[];
  scopes: readonly Scope[];
  audience: string;
  redirectUri: string;
  /** The client did not name it and need not name it at the exchange (RFC 6749 §4.1.3). */
  redirectUriOmitted: boolean;
  /** RFC 7636, S256. Null where the request had none. */
  codeChallenge: string | null;
  nonce: string | null;
  authenticatedAt: Date;
  expiresAt: Date;
  grantId: GrantId | null;
  usedAt: Date | null;
}

export async function insertCode(
  session: Session,
  code: Omit<StoredCode, 'grantId' | 'usedAt'>,
): Promise<void> {
  await tables(session)
    .insertInto('oauth_codes')
    .values({
      digest: code.digest,
      client_id: code.clientId,
      user_id: code.userId,
      organization_ids: code.organizationIds,
      scopes: code.scopes,
      audience: code.audience,
      redirect_uri: code.redirectUri,
      redirect_uri_omitted: code.redirectUriOmitted,
      code_challenge: code.codeChallenge,
      nonce: code.nonce,
      authenticated_at: code.authenticatedAt,
      expires_at: code.expiresAt,
    })
    .execute();
}

/** Locks the code until the transaction ends. */
export async function lockCode(session: Session, digest: Uint8Array): Promise<StoredCode | null> {
  const row = await tables(session)
    .selectFrom('oauth_codes')
    .select([
      'digest',
      'client_id as clientId',
      'user_id as userId',
      'organization_ids as organizationIds',
      'scopes',
      'audience',
      'redirect_uri as redirectUri',
      'redirect_uri_omitted as redirectUriOmitted',
      'code_challenge as codeChallenge',
      'nonce',
      'authenticated_at as authenticatedAt',
      'expires_at as expiresAt',
      'grant_id as grantId',
      'used_at as usedAt',
    ])
    .where('digest', '=', digest)
    .forUpdate()
    .executeTakeFirst();
  return row ?? null;
}

export async function markCodeUsed(
  session: Session,
  digest: Uint8Array,
  { usedAt, grantId }: { usedAt: Date; grantId: GrantId },
): Promise<void> {
  await tables(session)
    .updateTable('oauth_codes')
    .set({ used_at: usedAt, grant_id: grantId })
    .where('digest', '=', digest)
    .execute();
}

export const deleteCodes = deletion<Date>('delete_codes', {
  table: 'oauth_codes',
  key: 'digest',
  where: 'expires_at <= $1',
  orderBy: 'expires_at',
});
