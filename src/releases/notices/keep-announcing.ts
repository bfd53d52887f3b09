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

/**
 * Announces releases until it is stopped. Every node may run it: each notice is sent once. Returns a function that
 * stops it.
 */
export function keepAnnouncing({ context, lifecycle, onError }: AnnouncingOptions): () => Promise<void> {
  return repeat(() => announceReleases(context, lifecycle()), { everyMs: EVERY_MS, atOnce: true, onError });
}
