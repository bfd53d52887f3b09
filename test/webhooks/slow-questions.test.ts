import { setTimeout } from 'node:timers/promises';
import { expect, it, onTestFinished } from 'vitest';
import { createVersions } from '../../src/compose/create-versions.ts';
import type { Environment } from '../../src/environments/environment.ts';
import { createProduct } from '../../src/products/products.ts';
import { openSecretBox } from '../../src/secrets/open-secret-box.ts';
import { startDeliveries } from '../../src/webhooks/deliveries/deliver.ts';
import { createEndpoint } from '../../src/webhooks/endpoints/create-endpoint.ts';
import { createSender } from '../../src/webhooks/sending/sender.ts';
import { storedProduct } from '../support/contracts/products.ts';
import { onPostgresFirst } from '../support/database/databases.ts';
import { createGrantedUser } from '../support/oauth/oauth-fixtures.ts';
import { useTestEnvironments } from '../support/service/test-environment.ts';
import { startReceiver } from '../support/webhooks/receivers.ts';

const rules = { ports: [443], loopback: true };
const ENDPOINTS = 12;
/** A slice of time is over before readers have seen what an event tells of. */
const [SLICE_MS, READERS_MS] = [80, 150];

onPostgresFirst('events of more endpoints than have a place', (engine) => {
  const environments = useTestEnvironments(engine);

  it('are sent, though their endpoints are asked about for longer than they keep their places', async () => {
    const { sandbox, clock } = environments;
    const { organization } = await createGrantedUser(sandbox);
    const receiver = await startReceiver();
    const box = await openSecretBox(sandbox, { configured: [Buffer.alloc(32, 7)], path: '/nowhere' });
    for (let index = 0; index < ENDPOINTS; index += 1)
      await createEndpoint(
        sandbox,
        {
          organizationId: organization.id,
          url: `http://127.0.0.1:${receiver.port}/${index}`,
          format: 'raw',
          events: ['product.created'],
          apiVersion: null,
          enabled: true,
          description: null,
          maxPerSecond: null,
        },
        { box, rules, actor: { type: 'system', id: null } },
      );
    await createProduct(sandbox, [organization.id], { organizationId: null, product: storedProduct });
    // It goes on: those that were given back last are taken again last.
    const ticking = setInterval(() => clock.advanceSeconds(0.02), 20);
    onTestFinished(() => clearInterval(ticking));
    const untilReadersSee: Environment['untilReadersSee'] = Object.assign(() => setTimeout(READERS_MS), {
      counts: sandbox.untilReadersSee.counts,
    });
    const faults: unknown[] = [];
    const worker = await startDeliveries({
      environment: { ...sandbox, untilReadersSee },
      box,
      sender: createSender({ rules }),
      deprecationOf: createVersions(clock).deprecationOf,
      worker: 'one',
      limits: { lanesMax: 4, sliceMs: SLICE_MS },
      onAttempt() {},
      onUnrendered: (_event, error) => faults.push(error),
      onError: (error) => faults.push(error),
    });
    onTestFinished(() => worker.stop(0));
    await expect.poll(() => receiver.requests.length).toBe(ENDPOINTS);
    expect(new Set(receiver.requests.map(({ path }) => path)).size).toBe(ENDPOINTS);
    expect(faults).toEqual([]);
  });
});
