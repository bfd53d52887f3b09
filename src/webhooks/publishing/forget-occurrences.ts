import type { Scene } from '../../environments/environment.ts';
import { deleteOccurrences } from './store.ts';

/** Removes the oldest occurrences from before an instant, so many at most; answers with how many. */
export async function forgetOccurrences(scene: Scene, before: Date, limit: number): Promise<number> {
  return deleteOccurrences(scene.session, before, limit);
}
