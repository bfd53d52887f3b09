import { tableChore } from '../../environments/chore.ts';
import { deleteExpiredOperatorSessions } from './store.ts';

export const operatorSessionChore = tableChore('operator_sessions', ({ session }, now, limit) =>
  deleteExpiredOperatorSessions(session, now, limit),
);
