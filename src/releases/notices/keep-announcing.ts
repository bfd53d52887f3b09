import type { Context } from '../../environments/environment.ts';
import { repeat } from '../../kernel/repeat.ts';
import type { Lifecycle } from '../release-ledger.ts';
import { announceReleases } from './announce-releases.ts';

export interface AnnouncingOptions {
  context: Context;
  lifecycle(): Lifecycle;
  onError(error: unknown): void;
}

const EVERY_MS = 5_000;

/** Announces releases as long as it runs. Every node may: each notice is sent once. Answers with what stops it. */
export function keepAnnouncing({ context, lifecycle, onError }: AnnouncingOptions): () => Promise<void> {
  return repeat(() => announceReleases(context, lifecycle()), { everyMs: EVERY_MS, atOnce: true, onError });
}
