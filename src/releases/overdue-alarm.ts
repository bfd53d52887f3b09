import { type ApiVersion, releaseInstant } from '@dateline/versions';
import type { Clock } from '../kernel/clock.ts';
import type { ServedVersions } from './served-versions.ts';

export interface OverdueRelease {
  version: ApiVersion;
  dueAt: Date;
}

const REPEAT_AFTER_MS = 24 * 60 * 60 * 1000;

/** Reports an overdue release at once, and then once a day. Meant to be called often. */
export function createOverdueAlarm(
  versions: Pick<ServedVersions, 'lifecycle'>,
  clock: Clock,
  sound: (release: OverdueRelease) => void,
): () => void {
  let soundedAtMs = Number.NEGATIVE_INFINITY;
  return () => {
    const { overdue, next, nextReleaseAt } = versions.lifecycle();
    const nowMs = clock.now().getTime();
    if (!overdue) {
      soundedAtMs = Number.NEGATIVE_INFINITY;
    } else if (nowMs - soundedAtMs >= REPEAT_AFTER_MS) {
      soundedAtMs = nowMs;
      sound({ version: next, dueAt: nextReleaseAt ?? releaseInstant(next) });
    }
  };
}
