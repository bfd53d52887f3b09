import { present } from '../../kernel/presence.ts';
import type { SigningKey } from './types.ts';

/** Cache lifetime of the published keys. */
export const JWKS_MAX_AGE_SECONDS = 300;
export const ID_TOKEN_SECONDS = 3_600;

/** Longer than the published keys are cached, with room for late caches and clocks. */
export const PUBLISHED_AHEAD_SECONDS = 3 * JWKS_MAX_AGE_SECONDS;
/** After the last id_token has expired, with room for late clocks. */
const PUBLISHED_AFTER_SECONDS = ID_TOKEN_SECONDS + JWKS_MAX_AGE_SECONDS;
const AGE_MAX_SECONDS = 90 * 86_400;

export interface KeySchedule<Key extends SigningKey = SigningKey> {
  /** Null only where there is no key at all. */
  signing: Key | null;
  /** Published, but not signing yet. */
  upcoming: readonly Key[];
  /** No longer signing, but their id_tokens may still be valid. */
  former: readonly Key[];
  /** Nothing that they signed is valid any more. */
  ended: readonly Key[];
  /** The signing key is old, and has no successor. */
  isDue: boolean;
}

/** The role of each key at an instant. */
export function scheduleKeys<Key extends SigningKey>(unordered: readonly Key[], now: Date): KeySchedule<Key> {
  const keys = [...unordered].sort((one, other) => one.signsFrom.getTime() - other.signsFrom.getTime());
  // If another node's clock is ahead, even the first key may lie in the future here: it signs all the same.
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

/** Until then the same key signs, unless keys are stored or removed. */
export function signsUntil(signing: SigningKey, upcoming: readonly SigningKey[]): Date {
  return upcoming[0]?.signsFrom ?? later(signing.signsFrom, AGE_MAX_SECONDS);
}

/** The published keys, in the order in which they sign. */
export function publishedKeys<Key extends SigningKey>({
  former,
  signing,
  upcoming,
}: KeySchedule<Key>): readonly Key[] {
  return [...former, ...(signing ? [signing] : []), ...upcoming];
}

export function later(at: Date, seconds: number): Date {
  return new Date(at.getTime() + seconds * 1000);
}
