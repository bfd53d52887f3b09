import type { Scene } from '../../environments/environment.ts';
import { deleteExpiredSessions } from './store.ts';

/** Sessions that are over leave, some at a time. Answers with how many did. */
export async function forgetSessions(scene: Scene, now: Date, limit: number): Promise<number> {
  return deleteExpiredSessions(scene.session, now, limit);
}
