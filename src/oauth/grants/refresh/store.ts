import type { Kysely } from 'kysely';
import type { Session } from '../../../storage/database.ts';
import { deletion } from '../../../storage/deletion.ts';
import { statement } from '../../../storage/statement.ts';
import type { GrantId } from '../../types.ts';

interface Tables {
  oauth_tokens: { digest: Uint8Array; used_at: Date | null };
  oauth_rotations: {
    token_digest: Uint8Array;
    grant_id: GrantId;
    successor_digest: Uint8Array;
    scope: string;
    sealed_answer: Uint8Array | null;
    expires_at: Date;
  };
}

const tables = (session: Session): Kysely<Tables> => session.tables<Tables>();

const LOCK_GRANT = statement('lock_grant', 'select 1 from {schema}.oauth_grants where id = $1 for update');

/** Locks the grant until the transaction ends. */
export async function lockGrant(session: Session, id: GrantId): Promise<void> {
  await session.run(LOCK_GRANT, [id]);
}

export async function markTokenUsed(session: Session, digest: Uint8Array, usedAt: Date): Promise<void> {
  await tables(session)
    .updateTable('oauth_tokens')
    .set({ used_at: usedAt })
    .where('digest', '=', digest)
    .execute();
}

export interface Rotation {
  tokenDigest: Uint8Array;
  grantId: GrantId;
  successorDigest: Uint8Array;
  scope: string;
  /** Null once the successor was used. */
  sealedAnswer: Uint8Array | null;
  expiresAt: Date;
}

export async function insertRotation(session: Session, rotation: Rotation): Promise<void> {
  await tables(session)
    .insertInto('oauth_rotations')
    .values({
      token_digest: rotation.tokenDigest,
      grant_id: rotation.grantId,
      successor_digest: rotation.successorDigest,
      scope: rotation.scope,
      sealed_answer: rotation.sealedAnswer,
      expires_at: rotation.expiresAt,
    })
    .execute();
}

export async function selectRotation(
  session: Session,
  tokenDigest: Uint8Array,
  now: Date,
): Promise<Pick<Rotation, 'scope' | 'sealedAnswer'> | null> {
  const row = await tables(session)
    .selectFrom('oauth_rotations')
    .select(['scope', 'sealed_answer as sealedAnswer'])
    .where('token_digest', '=', tokenDigest)
    .where('expires_at', '>', now)
    .executeTakeFirst();
  return row ?? null;
}

/** The successor is in use, so the answer was received: it goes, and the row itself at this instant. */
export async function closeRotationTo(
  session: Session,
  successorDigest: Uint8Array,
  expiresAt: Date,
): Promise<void> {
  await tables(session)
    .updateTable('oauth_rotations')
    .set({ sealed_answer: null, expires_at: expiresAt })
    .where('successor_digest', '=', successorDigest)
    .execute();
}

export const deleteRotations = deletion<Date>('delete_rotations', {
  table: 'oauth_rotations',
  key: 'token_digest',
  where: 'expires_at <= $1',
  orderBy: 'expires_at',
});
