import type { Scene } from '../environments/environment.ts';
import { deleteAuditEntries } from './store.ts';

/** Removes the oldest entries from before an instant, so many at most; answers with how many. */
export async function forgetAudit(scene: Scene, before: Date, limit: number): Promise<number> {
  return deleteAuditEntries(scene.session, before, limit);
}
