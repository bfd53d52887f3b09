import type { Kysely } from 'kysely';
import type { Columns, Session } from '../storage/database.ts';
import { statement } from '../storage/statement.ts';
import type { AnswerKey, KeptAnswer, KeyedRequest } from './types.ts';

interface Tables {
  idempotency_keys: Columns<StoredAnswer> & {
    client_id: string;
    subject_id: string;
    organization_id: string;
    key: string;
    expires_at: Date;
  };
}

const tables = (session: Session): Kysely<Tables> => session.tables<Tables>();

export interface StoredAnswer {
  requestDigest: Uint8Array;
  status: number;
  body: Uint8Array;
  isSealed: boolean;
}

export async function selectAnswer(
  session: Session,
  { clientId, subjectId, organizationId, key }: KeyedRequest,
  now: Date,
): Promise<StoredAnswer | null> {
  const row = await tables(session)
    .selectFrom('idempotency_keys')
    .select(['request_digest as requestDigest', 'status', 'body', 'is_sealed as isSealed'])
    .where('client_id', '=', clientId)
    .where('subject_id', '=', subjectId)
    .where('organization_id', '=', organizationId)
    .where('key', '=', key)
    .where('expires_at', '>', now)
    .executeTakeFirst();
  return row ?? null;
}

/** Replaces an answer that has expired and is still stored, never one that is valid. */
export async function upsertAnswer(
  session: Session,
  answer: KeyedRequest & KeptAnswer & { now: Date; expiresAt: Date },
): Promise<void> {
  const kept = {
    request_digest: answer.requestDigest,
    status: answer.status,
    body: answer.body,
    is_sealed: answer.isSealed ?? false,
    expires_at: answer.expiresAt,
  };
  const { numInsertedOrUpdatedRows } = await tables(session)
    .insertInto('idempotency_keys')
    .values({
      client_id: answer.clientId,
      subject_id: answer.subjectId,
      organization_id: answer.organizationId,
      key: answer.key,
      ...kept,
    })
    .onConflict((conflict) =>
      conflict
        .columns(['client_id', 'subject_id', 'organization_id', 'key'])
        .doUpdateSet(kept)
        .where('idempotency_keys.expires_at', '<=', answer.now),
    )
    .executeTakeFirst();
  if (numInsertedOrUpdatedRows === 0n) throw new Error('this idempotency key has an answer already');
}

const LOCK_SEALED_OTHERWISE = statement(
  'lock_answers_sealed_otherwise',
  `select client_id as "clientId", subject_id as "subjectId", organization_id as "organizationId", key, body
   from {schema}.idempotency_keys
   where is_sealed and substr(body, 1, length($1::bytea)) <> $1::bytea
   order by client_id, subject_id, organization_id, key limit $2 for update`,
);

/** Some of the answers that are sealed, but not under the key with this mark. */
export async function lockSealedOtherwise(
  session: Session,
  mark: Buffer,
  limit: number,
): Promise<(AnswerKey & { body: Uint8Array })[]> {
  return session.run(LOCK_SEALED_OTHERWISE, [mark, limit]);
}

export async function updateSealedAnswer(
  session: Session,
  { clientId, subjectId, organizationId, key }: AnswerKey,
  body: Uint8Array,
): Promise<void> {
  await tables(session)
    .updateTable('idempotency_keys')
    .set({ body })
    .where('client_id', '=', clientId)
    .where('subject_id', '=', subjectId)
    .where('organization_id', '=', organizationId)
    .where('key', '=', key)
    .execute();
}

/** Skips rows that another transaction has locked, so that requests never wait. */
export async function deleteExpiredKeys(
  session: Session,
  { now, limit }: { now: Date; limit: number },
): Promise<void> {
  const expired = tables(session)
    .selectFrom('idempotency_keys')
    .select(['client_id', 'subject_id', 'organization_id', 'key'])
    .where('expires_at', '<=', now)
    .orderBy('expires_at')
    .limit(limit)
    .forUpdate()
    .skipLocked();
  await tables(session)
    .deleteFrom('idempotency_keys')
    .where(({ eb, refTuple }) =>
      eb(
        refTuple('client_id', 'subject_id', 'organization_id', 'key'),
        'in',
        expired.$asTuple('client_id', 'subject_id', 'organization_id', 'key'),
      ),
    )
    .execute();
}
