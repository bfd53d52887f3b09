import { expect, it } from 'vitest';
import { describeInLongRuns } from '../support/run/in-long-runs.ts';
import { startProxiedService } from '../support/service/proxied-service.ts';
import type { RunningTestService } from '../support/service/test-service.ts';
import { buildWithFolderKinds, orderData } from '../support/webhooks/folder-kinds.ts';
import { publishThroughFailures } from '../support/webhooks/publish-through-failures.ts';
import { ENDPOINTS, newEndpoint } from '../support/webhooks/webhooks.ts';

const EVENTS = 1_000;

/** Through a connection to the database that breaks again and again: transactions end before, at and after their commit. */
describeInLongRuns('publishers over a database that breaks', () => {
  async function rowsOf(running: RunningTestService, table: string): Promise<Record<string, unknown>[]> {
    const database = await running.database('sandbox');
    const tables = database.tables<Record<string, Record<string, unknown>>>();
    return (await tables.selectFrom(table).selectAll().execute()) as Record<string, unknown>[];
  }

  it('[own events] publish every event once, with one webhook each, however often it was sent', async () => {
    const { running, proxy } = await startProxiedService({ build: buildWithFolderKinds() });
    const { access_token, operator_key: key, organization_id } = running.quickstart.sandbox;
    const made = await running.call('sandbox', ENDPOINTS, {
      method: 'POST',
      headers: { authorization: `Bearer ${access_token}`, 'content-type': 'application/json' },
      body: JSON.stringify({ ...newEndpoint, events: ['order.created'], format: 'raw' }),
    });
    expect(made.status).toBe(201);
    const events = Array.from({ length: EVENTS }, (_, number) => ({
      id: `order-${number}`,
      type: 'order.created',
      organization_id,
      data: orderData(number),
    }));
    const { told, calls } = await publishThroughFailures({
      urls: [running.urls.sandbox],
      key,
      events,
      publishers: 3,
      atOnce: 40,
      disturb(count) {
        if (count % 5 === 0) setImmediate(proxy.cut);
        if (count % 12 === 0) proxy.holdCommitAfter('claim_published_occurrences');
      },
    });
    // More than there are batches: some were sent again.
    expect(calls).toBeGreaterThan(77);
    await proxy.resume();
    const occurrences = (await rowsOf(running, 'occurrences')).filter(({ type }) => type === 'order.created');
    expect([told.size, occurrences.length]).toEqual([EVENTS, EVENTS]);
    expect([...told.values()].filter((ids) => ids.size !== 1)).toEqual([]);
    const stored = new Set(occurrences.map(({ id }) => id));
    expect([...told.values()].flatMap((ids) => [...ids]).filter((id) => !stored.has(id))).toEqual([]);
    const sent = (await rowsOf(running, 'webhook_events')).map((event) => event.occurrence_id);
    expect([sent.length, new Set(sent).size]).toEqual([EVENTS, EVENTS]);
  }, 240_000);
});
