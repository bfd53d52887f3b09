import { tableChore } from '../../../environments/chore.ts';
import { deleteRotations } from './store.ts';

/** A stored rotation answer is useless once its grace is over. */
export const rotationChore = tableChore('oauth_rotations', ({ session }, now, limit) =>
  deleteRotations(session, now, limit),
);
