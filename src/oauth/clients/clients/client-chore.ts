import { daysAgo, tableChore } from '../../../environments/chore.ts';
import { DEAD_KEPT_DAYS } from '../../types.ts';
import { deleteClients } from './store.ts';

export const clientChore = tableChore('oauth_clients', ({ session }, now, limit) =>
  deleteClients(session, daysAgo(now, DEAD_KEPT_DAYS), limit),
);
