import { describe, expect, it } from 'vitest';
import type { OAuthClientId } from '../../src/oauth/types.ts';
import type { Use } from '../../src/usage/types.ts';
import { createUsageCounter } from '../../src/usage/usage-counter.ts';
import { current, deprecated } from '../support/service/build-versions.ts';
import { createTestClock } from '../support/service/test-clock.ts';

const client = (name: string): OAuthClientId => name as OAuthClientId;
const listing: Use = {
  choice: 'pinned',
  version: current,
  operation: 'products:list',
  clientId: client('a'),
};

describe('the usage counter', () => {
  it('counts by day, choice, version, operation and client, and starts anew when its counts are taken', () => {
    const clock = createTestClock('2026-11-15T23:59:59.999Z');
    const counter = createUsageCounter(clock);
    const others: Use[] = [
      { ...listing, choice: 'defaulted' },
      { ...listing, version: deprecated },
      { ...listing, operation: 'products:read' },
      { ...listing, clientId: client('b') },
      { ...listing, clientId: null },
    ];
    for (const use of [listing, ...others, listing]) counter.count(use);
    clock.advanceSeconds(0.001);
    counter.count(listing);
    expect(counter.take()).toEqual({
      counts: [
        { ...listing, day: '2026-11-15', requests: 2 },
        ...others.map((use) => ({ ...use, day: '2026-11-15', requests: 1 })),
        { ...listing, day: '2026-11-16', requests: 1 },
      ],
      dropped: 0,
    });
    expect(counter.take()).toEqual({ counts: [], dropped: 0 });
  });

  it('has a maximum of different counts, keeps counting those, and reports how many requests it dropped', () => {
    const counter = createUsageCounter(createTestClock(), 2);
    for (const name of ['a', 'b', 'c', 'a', 'd', 'b']) counter.count({ ...listing, clientId: client(name) });
    const { counts, dropped } = counter.take();
    expect(counts.map(({ clientId, requests }) => [clientId, requests])).toEqual([
      ['a', 2],
      ['b', 2],
    ]);
    expect(dropped).toBe(2);
    counter.count({ ...listing, clientId: client('e') });
    expect(counter.take()).toMatchObject({ counts: [{ clientId: 'e' }], dropped: 0 });
  });
});
