import type { Scene } from '../../environments/environment.ts';
import { repeat } from '../../kernel/repeat.ts';
import { announceReleases, type ReleaseState } from './announce-releases.ts';

export interface AnnouncingOptions {
  scene: Scene;
  state(): ReleaseState;
  onTrouble(error: unknown): void;
}

const EVERY_MS = 5_000;

/** Announces releases as long as it runs. Every node may: each notice is sent once. Answers with what stops it. */
export function keepAnnouncing({ scene, state, onTrouble }: AnnouncingOptions): () => Promise<void> {
  return repeat(() => announceReleases(scene, state()), { everyMs: EVERY_MS, atOnce: true, onTrouble });
}
