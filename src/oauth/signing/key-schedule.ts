import { present } from '../../kernel/present.ts';
import type { SigningKey } from './types.ts';

/** How long anybody may keep the published keys without asking again. */
export const JWKS_MAX_AGE_SECONDS = 300;
export const ID_TOKEN_SECONDS = 3_600;

/** Longer than the published keys are kept, with room for caches and clocks that are late. */
export const PUBLISHED_AHEAD_SECONDS = 3 * JWKS_MAX_AGE_SECONDS;
/** After the last id_token has expired, for clocks that are late. */
const PUBLISHED_AFTER_SECONDS = ID_TOKEN_SECONDS + JWKS_MAX_AGE_SECONDS;
const AGE_MAX_SECONDS = 90 * 86_400;

export interface KeySchedule<Key extends SigningKey = SigningKey> {
  /** Null only where there is no key at all. */
  signing: Key | null;
  /** Published, but not in use yet. */
  upcoming: readonly Key[];
  /** Used no longer, but id_tokens of theirs may still be valid. */
  former: readonly Key[];
  /** Nothing that they signed is valid any more. */
  ended: readonly Key[];
  /** The key in use is old, and none is there to follow it. */
  isDue: boolean;
}

/** What each key is for at an instant. */
export function scheduleKeys<Key extends SigningKey>(unordered: readonly Key[], now: Date): KeySchedule<Key> {
  const keys = [...unordered].sort((one, other) => one.signsFrom.getTime() - other.signsFrom.getTime());
  // Where the clock of another node is ahead, even the first key may seem to lie in the future: it signs all the same.
  const index = Math.max(
    0,
    keys.findLastIndex(({ signsFrom }) => signsFrom <= now),
  );
  const signing = keys[index] ?? null;
  const upcoming = keys.slice(index + 1);
  const past = keys.slice(0, index);
  const isPublished = (_key: Key, position: number): boolean => {
    const follower = present(keys[position + 1], 'the key after one that is past');
    return now < later(follower.signsFrom, PUBLISHED_AFTER_SECONDS);
  };
  return {
    signing,
    upcoming,
    former: past.filter(isPublished),
    ended: past.filter((key, position) => !isPublished(key, position)),
    isDue: signing !== null && upcoming.length === 0 && now >= later(signing.signsFrom, AGE_MAX_SECONDS),
  };
}

export function later(at: Date, seconds: number): Date {
  return new Date(at.getTime() + seconds * 1000);
}
