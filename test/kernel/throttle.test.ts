import { describe, expect, it } from 'vitest';
import { createThrottle, networkOf } from '../../src/kernel/throttle.ts';
import { createTestClock } from '../support/test-clock.ts';

describe('a throttle', () => {
  it('forgets keys without recent failures, also when they are not asked for again', () => {
    const clock = createTestClock();
    const throttle = createThrottle({ clock, failuresMax: 2, windowSeconds: 60, keysMax: 1_000 });
    for (let count = 0; count < 500; count += 1) throttle.fail(`key ${count}`);
    throttle.fail('key 499');
    expect(throttle.waitSeconds('key 499')).toBe(60);
    clock.advanceSeconds(61);
    throttle.fail('another');
    throttle.forgive('another');
    expect(throttle.isIdle()).toBe(true);
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
