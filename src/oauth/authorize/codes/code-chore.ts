import { daysAgo, tableChore } from '../../../environments/chore.ts';
import { DEAD_KEPT_DAYS } from '../../types.ts';
import { deleteCodes } from './store.ts';

export const codeChore = tableChore('oauth_codes', ({ session }, now, limit) =>
  deleteCodes(session, daysAgo(now, DEAD_KEPT_DAYS), limit),
);
