import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  type DedicatedPostgresServer,
  startDedicatedPostgresServer,
} from '../support/database/postgres-server.ts';
import { deliverThroughCrashes } from '../support/webhooks/delivery-crash.ts';

describe('deliveries', () => {
  let database: DedicatedPostgresServer;
  beforeAll(async () => {
    database = await startDedicatedPostgresServer();
  });
  afterAll(() => database?.stop());

  it('lose none of 10,000 events while workers are killed with -9 fifty times and the database is restarted twice', async () => {
    const plan = { events: 10_000, workers: 3, kills: 50, databaseRestarts: 2 };
    const { deliveries, changed, created, receivedIds } = await deliverThroughCrashes(database, plan);
    expect(created.filter((id) => !receivedIds.has(id))).toEqual([]);
    expect(deliveries.size).toBeGreaterThanOrEqual(plan.events);
    expect(changed).toEqual([]);
    const twice = [...deliveries.values()].filter((count) => count > 1).length;
    console.info(`${deliveries.size} events delivered, ${twice} of them more than once, none lost`);
  });
});
