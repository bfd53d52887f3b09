import type { Session } from '../storage/database.ts';
import { statement } from '../storage/statement.ts';
import type { LedgerRow } from './release-ledger.ts';

const READ_LEDGER = statement(
  'read_ledger',
  `select number, kind, version, effective_at as "effectiveAt", rehearsal, contract_sha256 as "contractSha256",
          own_sha256 as "folderSha256", actor, reason, decided_at as "decidedAt"
   from {schema}.releases order by number`,
);

const APPEND = statement(
  'append_to_ledger',
  `insert into {schema}.releases (kind, version, effective_at, rehearsal, contract_sha256, own_sha256, actor, reason, decided_at)
   values ($1, $2, $3, $4, $5, $6, $7, $8, $9)`,
);

const DATABASE_TIME = statement('database_time', 'select now() as now');

/** Reads the whole ledger: a few rows a year. */
export async function readLedger(session: Session): Promise<LedgerRow[]> {
  return session.run<LedgerRow>(READ_LEDGER, []);
}

export async function appendToLedger(session: Session, row: Omit<LedgerRow, 'number'>): Promise<void> {
  const { kind, version, effectiveAt, rehearsal, contractSha256, folderSha256, actor, reason, decidedAt } =
    row;
  await session.run(APPEND, [
    kind,
    version,
    effectiveAt,
    rehearsal,
    contractSha256,
    folderSha256,
    actor,
    reason,
    decidedAt,
  ]);
}

export async function readDatabaseTime(session: Session): Promise<Date> {
  const [row] = await session.run<{ now: Date }>(DATABASE_TIME, []);
  if (!row) throw new Error('the database did not answer with its time');
  return row.now;
}
