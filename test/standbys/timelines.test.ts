import { describe, expect, it } from 'vitest';
import { createReadersWait } from '../../src/standbys/readers-wait.ts';
import { WAIT_MS_MAX } from '../../src/standbys/terms.ts';
import type { Database, Session } from '../../src/storage/database.ts';

/** A primary without leases, whose timeline a promotion changes. */
function primaryOf(timeline: () => string): Session & Pick<Database, 'engine'> {
  const answer = async () => [{ timeline: timeline(), leases: [] }];
  return { engine: 'postgres', run: answer, notify: async () => {} } as unknown as Session &
    Pick<Database, 'engine'>;
}

describe('an end of access after a promotion', () => {
  it('waits until leases that the new primary may lack have run out, and not longer', async () => {
    let timeline = '00000001';
    const untilReadersSee = createReadersWait(primaryOf(() => timeline));
    await untilReadersSee();
    timeline = '00000002';
    const began = performance.now();
    const [first, second] = [untilReadersSee(), untilReadersSee()];
    await first;
    expect(performance.now() - began).toBeGreaterThanOrEqual(WAIT_MS_MAX - 1);
    await second;
    // It is known by now.
    let isOver = false;
    const later = untilReadersSee().then(() => {
      isOver = true;
    });
    for (let turn = 0; turn < 50 && !isOver; turn += 1) await new Promise(setImmediate);
    expect(isOver).toBe(true);
    await later;
  });
});
