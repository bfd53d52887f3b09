import { afterAll, beforeAll, expect, it } from 'vitest';
import { deliverThroughCrashes } from '../support/delivery-crash.ts';
import { describeInLongRuns } from '../support/in-long-runs.ts';
import { type DedicatedPostgresServer, startDedicatedPostgresServer } from '../support/postgres-server.ts';

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
