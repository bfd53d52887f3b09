import { afterAll, beforeAll, expect, it } from 'vitest';
import {
  type DedicatedPostgresServer,
  startDedicatedPostgresServer,
} from '../support/database/postgres-server.ts';
import { describeInLongRuns } from '../support/run/in-long-runs.ts';
import { deliverThroughCrashes } from '../support/webhooks/delivery-crash.ts';

describeInLongRuns('deliveries', () => {
  let database: DedicatedPostgresServer;
  beforeAll(async () => {
    database = await startDedicatedPostgresServer();
  });
  afterAll(() => database?.stop());

  it('[webhooks 39] [webhooks 41] survive kill -9 of workers and a restart of the database: none is lost, and duplicates are equal', async () => {
    const plan = { events: 200, workers: 2, kills: 3, databaseRestarts: 1 };
    const { changed, created, receivedIds } = await deliverThroughCrashes(database, plan);
    expect(created.filter((id) => !receivedIds.has(id))).toEqual([]);
    expect(changed).toEqual([]);
  }, 240_000);
});
