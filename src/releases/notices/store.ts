import type { ApiVersion } from '@dateline/versions';
import type { Session } from '../../storage/database.ts';
import { statement } from '../../storage/statement.ts';

export interface Notice {
  kind: 'released' | 'undone' | 'removal';
  version: ApiVersion;
  effectiveAt: Date;
  daysAhead: number;
}

const INSERT_NOTICE = statement(
  'insert_release_notice',
  `insert into {schema}.release_notices (kind, version, effective_at, days_ahead, told_at)
   values ($1, $2, $3, $4, $5)
   on conflict do nothing
   returning true as inserted`,
);

/** True if this node is the first to announce it. Others wait for its transaction, and get false. */
export async function insertNotice(
  session: Session,
  { kind, version, effectiveAt, daysAhead }: Notice,
  now: Date,
): Promise<boolean> {
  const rows = await session.run(INSERT_NOTICE, [kind, version, effectiveAt, daysAhead, now]);
  return rows.length > 0;
}
