import type { ColumnType, Kysely } from 'kysely';
import type { Session } from '../../storage/database.ts';
import { statement } from '../../storage/statement.ts';
import type { PublicJwk, SigningKey, SigningKeyId } from './types.ts';

interface Tables {
  oauth_signing_keys: {
    id: SigningKeyId;
    public_jwk: ColumnType<PublicJwk, string, never>;
    sealed_private_jwk: Uint8Array;
    created_at: Date;
    signs_from: Date;
  };
}

const tables = (session: Session): Kysely<Tables> => session.tables<Tables>();

export interface StoredSigningKey extends SigningKey {
  sealedPrivateJwk: Uint8Array;
}

export async function selectSigningKeys(session: Session): Promise<StoredSigningKey[]> {
  const rows = await tables(session)
    .selectFrom('oauth_signing_keys')
    .select([
      'id',
      'public_jwk as publicJwk',
      'sealed_private_jwk as sealedPrivateJwk',
      'created_at as createdAt',
      'signs_from as signsFrom',
    ])
    .execute();
  return rows;
}

export async function insertSigningKey(session: Session, key: StoredSigningKey): Promise<void> {
  await tables(session)
    .insertInto('oauth_signing_keys')
    .values({
      id: key.id,
      public_jwk: JSON.stringify(key.publicJwk),
      sealed_private_jwk: key.sealedPrivateJwk,
      created_at: key.createdAt,
      signs_from: key.signsFrom,
    })
    .execute();
}

export async function deleteSigningKeys(session: Session, ids: readonly SigningKeyId[]): Promise<void> {
  if (ids.length === 0) return;
  await tables(session).deleteFrom('oauth_signing_keys').where('id', 'in', ids).execute();
}

const LOCK_SEALED_OTHERWISE = statement(
  'lock_signing_keys_sealed_otherwise',
  `select id, sealed_private_jwk as "sealedPrivateJwk" from {schema}.oauth_signing_keys
   where substr(sealed_private_jwk, 1, length($1::bytea)) <> $1::bytea
   order by id for update`,
);

/** The keys that are not sealed under the key with this mark. */
export async function lockSealedOtherwise(
  session: Session,
  mark: Buffer,
): Promise<Pick<StoredSigningKey, 'id' | 'sealedPrivateJwk'>[]> {
  return session.run(LOCK_SEALED_OTHERWISE, [mark]);
}

export async function updateSealed(session: Session, id: SigningKeyId, sealed: Uint8Array): Promise<void> {
  await tables(session)
    .updateTable('oauth_signing_keys')
    .set({ sealed_private_jwk: sealed })
    .where('id', '=', id)
    .execute();
}
