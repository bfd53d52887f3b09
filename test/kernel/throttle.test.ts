import { describe, expect, it } from 'vitest';
import { createThrottle, networkOf } from '../../src/kernel/throttle.ts';
import { createTestClock } from '../support/service/test-clock.ts';

describe('a throttle', () => {
  it('makes a key wait until its window is over, and forgets the oldest key when there are too many', () => {
    const clock = createTestClock();
    const throttle = createThrottle({ clock, failuresMax: 2, windowSeconds: 60, keysMax: 2 });
    for (const key of ['old', 'old', 'new', 'new']) throttle.fail(key);
    expect([throttle.waitSeconds('old'), throttle.waitSeconds('new')]).toEqual([60, 60]);
    throttle.forgive('new');
    expect(throttle.waitSeconds('new')).toBe(null);
    throttle.fail('newest');
    expect(throttle.waitSeconds('old')).toBe(null);
    clock.advanceSeconds(60);
    throttle.fail('new');
    expect(throttle.waitSeconds('new')).toBe(null);
  });
});

describe('a network', () => {
  it.each([
    ['192.0.2.7', '192.0.2.7'],
    ['::ffff:192.0.2.7', '192.0.2.7'],
    ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
    ['2001:db8:1:2::9', '2001:db8:1:2::/64'],
    ['2001:0DB8:0001:0002:ffff::', '2001:db8:1:2::/64'],
    ['fe80::1%eth0', 'fe80:0:0:0::/64'],
    ['::1', '0:0:0:0::/64'],
    ['2001:db8:1:3::9', '2001:db8:1:3::/64'],
  ])('of %s is %s', (address, network) => {
    expect(networkOf(address)).toBe(network);
  });
});
