import { expect, it } from 'vitest';
import { statement } from '../../src/storage/statement.ts';
import { newProduct } from '../support/contracts/products.ts';
import { onPostgresFirst } from '../support/database/databases.ts';
import { runAsAdmin } from '../support/database/run-as-admin.ts';
import { operatorCalls } from '../support/service/operator-calls.ts';
import { useTestService } from '../support/service/test-service.ts';

onPostgresFirst('the metrics of what is due', (engine) => {
  const service = useTestService(engine);

  async function post(path: string, body: unknown): Promise<{ id: string }> {
    const response = await service.call('sandbox', path, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${service.quickstart.sandbox.access_token}`,
        'content-type': 'application/json',
      },
      body: JSON.stringify(body),
    });
    expect(response.status).toBe(201);
    return (await response.json()) as { id: string };
  }

  /** Of one metric, by its labels other than the environment; numbers of the last second may be repeated. */
  async function metric(name: string): Promise<Record<string, number>> {
    const text = await (await service.call('sandbox', '/metrics')).text();
    const lines = text.matchAll(new RegExp(`^dateline_${name}\\{(.*)\\} (\\S+)$`, 'gm'));
    return Object.fromEntries(
      [...lines].map(([, labels = '', value]) => [
        labels.replace(/,?environment="sandbox"/, ''),
        Math.round(Number(value)),
      ]),
    );
  }
  const becomes = (name: string, value: number) =>
    expect.poll(() => metric(name), { interval: 200 }).toEqual({ '': value });

  async function run(sql: string, values: unknown[] = []): Promise<void> {
    await (await service.database('sandbox')).run(
      statement(sql.slice(0, 40).replace(/\W/g, '_'), sql),
      values,
    );
  }
  const deliveries = async () =>
    (await operatorCalls(service).get('/operator/doctor')).body.items.find(
      ({ check }: { check: string }) => check === 'deliveries',
    );
  const fromNow = (seconds: number) => new Date(service.clock.now().getTime() + seconds * 1000);

  it('are how many events are due, since when, and since when a worker could have taken one', async () => {
    expect(await metric('events_due')).toEqual({ '': 0 });
    expect(await metric('events_oldest_due_seconds')).toEqual({ '': 0 });
    await post('/v1/webhooks/endpoints', {
      url: 'http://127.0.0.1:9/hook',
      format: 'raw',
      events: ['product.created'],
    });
    for (const _ of [1, 2]) await post('/v1/products/', newProduct);
    service.clock.advanceSeconds(60);
    await becomes('events_due', 2);
    expect(await metric('events_oldest_due_seconds')).toEqual({ '': 60 });
    expect(await metric('events_oldest_untaken_seconds')).toEqual({ '': 60 });
    expect(await metric('workers')).toEqual({ 'state="live"': 0, 'state="gone"': 0 });

    const nobody =
      /^2 events are due, the oldest since \S+, and nobody delivers: .*; start "dateline worker"/;
    expect(await deliveries()).toMatchObject({ state: 'problem', message: expect.stringMatching(nobody) });
    const sign = `insert into {schema}.nodes (id, name, kind, delivers, build, started_at, seen_at)
      values ('stuck', 'stuck 1', 'worker', true, '{}', $1, $1)`;
    await run(sign, [fromNow(10)]);
    expect(await deliveries()).toMatchObject({
      state: 'ok',
      message: expect.stringContaining('2 events due'),
    });
    service.clock.advanceSeconds(10);
    const stuck =
      /^2 events are due, .* and 1 process that should deliver took none of the oldest for 70 s; /;
    expect(await deliveries()).toMatchObject({ state: 'problem', message: expect.stringMatching(stuck) });
    service.clock.advanceSeconds(-10);
    await run(`delete from {schema}.nodes where id = 'stuck'`);

    // A worker has the endpoint, and then none; then its receiver has asked for a pause.
    await run('update {schema}.webhook_lanes set leased_until = $1', [fromNow(10)]);
    service.clock.advanceSeconds(5);
    await becomes('events_oldest_untaken_seconds', 0);
    expect(await metric('events_oldest_due_seconds')).toEqual({ '': 65 });
    service.clock.advanceSeconds(15);
    await becomes('events_oldest_untaken_seconds', 10);
    await run('update {schema}.webhook_lanes set not_before = $1', [fromNow(60)]);
    service.clock.advanceSeconds(5);
    await becomes('events_oldest_untaken_seconds', 0);
  });

  it('are measured by one node every five seconds, for all of them', async () => {
    await run(
      `insert into {schema}.webhook_backlog (measured_at, due) values ($1, 777)
       on conflict (id) do update set measured_at = $1, due = 777`,
      [service.clock.now()],
    );
    await becomes('events_due', 777);
    service.clock.advanceSeconds(5);
    await becomes('events_due', 2);
  });

  it('are without events that may not be sent', async () => {
    await run('update {schema}.organizations set suspended_at = $1', [service.clock.now()]);
    service.clock.advanceSeconds(5);
    await becomes('events_due', 0);
    expect(await metric('events_oldest_due_seconds')).toEqual({ '': 0 });
  });

  it('are absent while they cannot be read, and the other metrics are not', async () => {
    const moved = await service.database('sandbox');
    await runAsAdmin(moved, 'alter table {schema}.nodes rename to moved');
    await expect.poll(() => metric('events_due'), { interval: 200 }).toEqual({});
    expect(await metric('workers')).toEqual({});
    expect(await metric('database_up')).toEqual({ '': 1 });
    await runAsAdmin(moved, 'alter table {schema}.moved rename to nodes');
    await becomes('events_due', 0);
  });
});
