import type { ColumnType, Kysely } from 'kysely';
import type { Session } from '../../storage/database.ts';
import { statement } from '../../storage/statement.ts';
import type { SigningAlgorithm } from '../types.ts';
import type { PublicJwk, SigningKey, SigningKeyId } from './types.ts';

interface SigningKeyTable {
  id: SigningKeyId;
  public_jwk: ColumnType<PublicJwk, string, never>;
  sealed_private_jwk: Uint8Array;
  created_at: Date;
  signs_from: Date;
}

interface Tables {
  oauth_signing_keys: SigningKeyTable;
  oauth_rsa_signing_keys: SigningKeyTable;
}

/** The keys of each algorithm have a table of their own. */
const tableOf = {
  ES256: 'oauth_signing_keys',
  RS256: 'oauth_rsa_signing_keys',
} as const satisfies Readonly<Record<SigningAlgorithm, keyof Tables>>;

const tables = (session: Session): Kysely<Tables> => session.tables<Tables>();

export interface StoredSigningKey extends SigningKey {
  sealedPrivateJwk: Uint8Array;
}

const selectIn = (table: keyof Tables) =>
  statement(
    `select_${table}`,
    `select id, public_jwk as "publicJwk", sealed_private_jwk as "sealedPrivateJwk", created_at as "createdAt",
       signs_from as "signsFrom"
     from {schema}.${table}`,
  );

const SELECT = { ES256: selectIn(tableOf.ES256), RS256: selectIn(tableOf.RS256) };

/** For other statements: the names of all ES256 keys as one text, null where there is none. */
export const SIGNING_KEY_NAMES = `(select string_agg(k.id, ' ' order by k.id) from {schema}.${tableOf.ES256} k)`;

/** Read for every signature: see `SigningKeys`. */
export async function selectSigningKeys(
  session: Session,
  algorithm: SigningAlgorithm,
): Promise<StoredSigningKey[]> {
  const rows = await session.run<Omit<StoredSigningKey, 'algorithm'>>(SELECT[algorithm], []);
  return rows.map((row) => ({ ...row, algorithm }));
}

export async function insertSigningKey(session: Session, key: StoredSigningKey): Promise<void> {
  await tables(session)
    .insertInto(tableOf[key.algorithm])
    .values({
      id: key.id,
      public_jwk: JSON.stringify(key.publicJwk),
      sealed_private_jwk: key.sealedPrivateJwk,
      created_at: key.createdAt,
      signs_from: key.signsFrom,
    })
    .execute();
}

export async function deleteSigningKeys(session: Session, keys: readonly SigningKey[]): Promise<void> {
  for (const { id, algorithm } of keys)
    await tables(session).deleteFrom(tableOf[algorithm]).where('id', '=', id).execute();
}

const lockSealedOtherwiseIn = (table: keyof Tables) =>
  statement(
    `lock_${table}_sealed_otherwise`,
    `select id, sealed_private_jwk as "sealedPrivateJwk" from {schema}.${table}
     where substr(sealed_private_jwk, 1, length($1::bytea)) <> $1::bytea
     order by id for update`,
  );

const LOCK_SEALED_OTHERWISE = {
  ES256: lockSealedOtherwiseIn(tableOf.ES256),
  RS256: lockSealedOtherwiseIn(tableOf.RS256),
};

type SealedKey = Pick<StoredSigningKey, 'id' | 'algorithm' | 'sealedPrivateJwk'>;

/** The keys that are not sealed under the key with this mark. */
export async function lockSealedOtherwise(
  session: Session,
  algorithm: SigningAlgorithm,
  mark: Buffer,
): Promise<SealedKey[]> {
  const rows = await session.run<Omit<SealedKey, 'algorithm'>>(LOCK_SEALED_OTHERWISE[algorithm], [mark]);
  return rows.map((row) => ({ ...row, algorithm }));
}

export async function updateSealed(
  session: Session,
  { id, algorithm }: SealedKey,
  sealed: Uint8Array,
): Promise<void> {
  await tables(session)
    .updateTable(tableOf[algorithm])
    .set({ sealed_private_jwk: sealed })
    .where('id', '=', id)
    .execute();
}
