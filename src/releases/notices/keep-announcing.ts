import { setTimeout as delay } from 'node:timers/promises';
import type { Scene } from '../../environments/environment.ts';
import { announceReleases, type ReleaseState } from './announce-releases.ts';

export interface AnnouncingOptions {
  scene: Scene;
  state(): ReleaseState;
  onTrouble(error: unknown): void;
  everyMs?: number;
}

const EVERY_MS = 5_000;

/** Announces releases as long as it runs. Every node may: each thing is announced once. Answers with what stops it. */
export function keepAnnouncing({
  scene,
  state,
  onTrouble,
  everyMs = EVERY_MS,
}: AnnouncingOptions): () => Promise<void> {
  const stopping = new AbortController();
  const { signal } = stopping;
  async function keepOn(): Promise<void> {
    while (!signal.aborted) {
      await announceReleases(scene, state()).catch(onTrouble);
      await delay(everyMs, undefined, { signal, ref: false }).catch(() => {});
    }
  }
  const running = keepOn();
  return async () => {
    stopping.abort();
    await running;
  };
}
