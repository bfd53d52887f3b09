import { type ApiVersion, nextVersion } from '@dateline/versions';
import { describe, expect, it } from 'vitest';
import {
  afterNext,
  current,
  deprecated,
  middleOf,
  next,
  removed,
} from '../support/service/build-versions.ts';
import { timeToPlay } from './time-to-play.ts';

/** A build that holds some versions frozen, Next, and the one after it. */
function buildWith(...frozen: ApiVersion[]) {
  const head = nextVersion(frozen.at(-1) as ApiVersion);
  const held = [...frozen, head, nextVersion(head)].map((version) => [version, 'hash'] as const);
  return { frozen, held: new Map(held) };
}

describe('the time to play', () => {
  it('is one at which the build serves the version, and all others of that time', () => {
    const build = buildWith(deprecated, current);
    expect(timeToPlay(deprecated, build)).toBe(middleOf(current));
    expect(timeToPlay(current, build)).toBe(middleOf(current));
    expect(timeToPlay(next, build)).toBe(middleOf(current));
  });

  it('is found in the builds after a release too', () => {
    const released = buildWith(deprecated, current, next);
    expect(timeToPlay(deprecated, released)).toBe(middleOf(current));
    expect(timeToPlay(next, released)).toBe(middleOf(current));
    const later = buildWith(current, next, afterNext);
    expect(timeToPlay(current, later)).toBe(middleOf(next));
    expect(timeToPlay(afterNext, later)).toBe(middleOf(next));
  });

  it('does not exist for a version that the build does not serve', () => {
    expect(() => timeToPlay(removed, buildWith(deprecated, current))).toThrow('at no time');
  });
});
