import type { OrganizationId } from '../../identity/types.ts';
import type { Session } from '../../storage/database.ts';
import { statement } from '../../storage/statement.ts';
import type { ClientSecretId, OAuthClientId } from '../types.ts';

export interface LeakedSecret {
  id: ClientSecretId;
  clientId: OAuthClientId;
  organizationId: OrganizationId;
  revokedAt: Date | null;
}

const LOCK_SECRET = statement(
  'lock_secret',
  `select s.id, s.client_id as "clientId", c.organization_id as "organizationId", s.revoked_at as "revokedAt"
   from {schema}.oauth_client_secrets s join {schema}.oauth_clients c on c.id = s.client_id
   where s.digest = $1 for update of s`,
);

/** Locks a client secret until the transaction ends. */
export async function lockSecret(session: Session, digest: Buffer): Promise<LeakedSecret | null> {
  const [found] = await session.run<LeakedSecret>(LOCK_SECRET, [digest]);
  return found ?? null;
}

const REVOKE_SECRET = statement(
  'revoke_secret',
  'update {schema}.oauth_client_secrets set revoked_at = $2 where id = $1',
);

export async function revokeSecret(session: Session, id: ClientSecretId, revokedAt: Date): Promise<void> {
  await session.run(REVOKE_SECRET, [id, revokedAt]);
}

const BURN_CODE = statement('burn_code', 'update {schema}.oauth_codes set used_at = $2 where digest = $1');

/** Marks the code as used, without a grant. */
export async function burnCode(session: Session, digest: Buffer, usedAt: Date): Promise<void> {
  await session.run(BURN_CODE, [digest, usedAt]);
}
