import { tableChore } from '../../../environments/chore.ts';
import { deleteRotations } from './store.ts';

/** A stored answer goes with the token or soon after the code that it answers, or soon after its successor was used. */
export const rotationChore = tableChore('oauth_rotations', ({ session }, now, limit) =>
  deleteRotations(session, now, limit),
);
