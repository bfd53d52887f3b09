import { tableChore } from '../../environments/chore.ts';
import { deleteExpiredSessions } from './store.ts';

export const sessionChore = tableChore('sign_in_sessions', ({ session }, now, limit) =>
  deleteExpiredSessions(session, now, limit),
);
