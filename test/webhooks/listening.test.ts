import { expect, it, onTestFinished } from 'vitest';
import { createOrganization } from '../../src/identity/organizations.ts';
import { createProduct } from '../../src/products/products.ts';
import { listen } from '../../src/webhooks/listening/listen.ts';
import { storedProduct } from '../support/contracts/products.ts';
import { onPostgresFirst } from '../support/database/databases.ts';
import { next } from '../support/service/build-versions.ts';
import { useTestEnvironments } from '../support/service/test-environment.ts';

const POLL_MS = 250;

onPostgresFirst('listening', (engine) => {
  const environments = useTestEnvironments(engine);

  /** Listens to a new organization until the test ends. Products stand for their events. */
  async function startListening() {
    const { sandbox } = environments;
    const { id: organizationId } = await createOrganization(sandbox, { name: 'Shop' });
    const stop = new AbortController();
    const heard: string[] = [];
    let asked = 0;
    const hearing = (async () => {
      const events = listen(sandbox, {
        organizationId,
        apiVersion: next,
        wants: () => true,
        async isAllowed() {
          asked += 1;
          return true;
        },
        signal: stop.signal,
      });
      for await (const { body } of events) heard.push(JSON.parse(body.toString()).data.id);
    })();
    onTestFinished(async () => {
      stop.abort();
      await hearing;
    });
    const product = { organizationId: null, product: storedProduct };
    return {
      heard,
      happen: async () => (await createProduct(sandbox, [organizationId], product)).id,
      // It is asked before every event too.
      looks: () => asked - heard.length,
    };
  }

  it('hears each event of one instant once, however many they are, and looks four times a second at most', async () => {
    const startedAt = performance.now();
    const { heard, happen, looks } = await startListening();
    const happened: string[] = [];
    for (let count = 0; count < 130; count += 1) happened.push(await happen());
    await expect.poll(() => heard).toEqual(happened);
    // A later look finds the others again.
    happened.push(await happen());
    await expect.poll(() => heard).toEqual(happened);
    // A timer may be early by part of a millisecond.
    expect(looks()).toBeLessThanOrEqual(1 + (performance.now() - startedAt) / (POLL_MS - 1));
  });

  it('forgets the events that no look finds again, which shows once the clock was set back', async () => {
    const { clock } = environments;
    const before = clock.now();
    const { heard, happen } = await startListening();
    const first = await happen();
    await expect.poll(() => heard).toEqual([first]);
    clock.advanceSeconds(60);
    const second = await happen();
    await expect.poll(() => heard).toEqual([first, second]);
    clock.set(before);
    await expect.poll(() => heard).toEqual([first, second, first]);
  });
});
