import { describe, expect, it } from 'vitest';
import { newProduct } from '../support/contracts/products.ts';
import { createCaller } from '../support/service/service-environment.ts';
import { callAs, useDeliveries } from '../support/webhooks/deliveries.ts';
import { startReceiver } from '../support/webhooks/receivers.ts';
import { ENDPOINTS } from '../support/webhooks/webhooks.ts';

// Alone it is about two; five leaves room for a machine that does other things too.
const RATIO_MAX = 5;

describe('1,000 endpoints of one organization whose receivers never answer', () => {
  const { service } = useDeliveries('PostgreSQL');

  it('[outside 11] leave the events of another organization as fast as they were', async () => {
    const other = await createCaller(service);
    const receiver = await startReceiver();
    const call = (path: string, sent: unknown, { access }: typeof other) =>
      callAs(service, access.tokenValue, { method: 'POST', path, sent });
    const sent = { url: `http://127.0.0.1:${receiver.port}/`, events: ['product.created'] };
    expect((await call(ENDPOINTS, sent, other)).status).toBe(201);
    /** How long each of twenty events took from its cause to its receiver. */
    const waits = async (): Promise<number[]> => {
      const waitedMs: number[] = [];
      for (let count = 0; count < 20; count += 1) {
        const already = receiver.requests.length;
        const begunMs = performance.now();
        await call('/v1/products/', newProduct, other);
        await expect
          .poll(() => receiver.requests.length, { interval: 2, timeout: 200_000 })
          .toBe(already + 1);
        waitedMs.push((receiver.requests.at(-1)?.atMs ?? 0) - begunMs);
      }
      return waitedMs;
    };
    await waits();
    const before = await waits();

    const attacker = await createCaller(service);
    const slow = await startReceiver({ answer: () => {} });
    for (let index = 0; index < 1_000; index += 1) {
      const target = { ...sent, url: `http://127.0.0.1:${slow.port}/${index}` };
      expect((await call(ENDPOINTS, target, attacker)).status).toBe(201);
    }
    for (let count = 0; count < 5; count += 1) await call('/v1/products/', newProduct, attacker);
    await expect.poll(() => slow.requests.length).toBeGreaterThan(100);
    const during = await waits();
    // The other organization waits for none of the slow ones: not even their first attempts have ended.
    expect(slow.requests.length).toBeLessThan(1_000);
    const later: number[] = [];
    // Until their endpoints have been given back, and others have had their turn.
    do later.push(...(await waits()));
    while (slow.requests.length < 300);
    console.info(
      `p95 of events: ${p95(before)} ms before the attack, ${p95(during)} ms at its beginning, ${p95(later)} ms of the ${later.length} after that`,
    );
    // What they cost the machine is not theirs to take, but no event may wait for a slow one: that would be 20 s.
    expect(p95(during) / p95(before)).toBeLessThan(RATIO_MAX);
    expect(p95(later) / p95(before)).toBeLessThan(RATIO_MAX);
  }, 600_000);
});

function p95(waitedMs: readonly number[]): number {
  return Math.round(
    waitedMs.toSorted((one, other) => one - other)[Math.ceil(waitedMs.length * 0.95) - 1] ?? 0,
  );
}
