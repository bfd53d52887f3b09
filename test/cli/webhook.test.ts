import { afterAll, expect, it } from 'vitest';
import { onPostgresFirst } from '../support/database/databases.ts';
import { current, next } from '../support/service/build-versions.ts';
import { type SpawnedDateline, spawnDateline } from '../support/service/spawn-dateline.ts';
import { type Body, useDeliveries, verified } from '../support/webhooks/deliveries.ts';
import { startReceiver } from '../support/webhooks/receivers.ts';

onPostgresFirst('dateline webhook', (engine) => {
  const { service, call, endpoint, createProduct, received, settled } = useDeliveries(engine);
  const running: SpawnedDateline[] = [];
  afterAll(() => {
    for (const { child } of running) child.kill('SIGKILL');
  });

  /** The real command, with the address of the service. */
  const run = (...args: string[]) => runWith(service.quickstart.sandbox.operator_key, ...args);

  function runWith(operatorKey: string, ...args: string[]): SpawnedDateline {
    const dateline = spawnDateline(['webhook', ...args], {
      env: { DATELINE_SANDBOX_PUBLIC_URL: service.urls.sandbox, DATELINE_SANDBOX_OPERATOR_KEY: operatorKey },
    });
    running.push(dateline);
    return dateline;
  }

  it('[webhooks 12] listen forwards events as they happen, signed and in the requested version', async () => {
    const receiver = await startReceiver();
    const { organization_id } = service.quickstart.sandbox;
    const { stdout, stderr, child, exit } = run(
      ...[
        'listen',
        '--organization',
        organization_id,
        '--forward-to',
        `http://127.0.0.1:${receiver.port}/dev`,
      ],
      ...['--api-version', next, '--events', 'product.*', '--json'],
    );
    // The line with the secret may come in a part of its own.
    await expect.poll(stderr).toMatch(/whsec_\S+\s/);
    const secret = /whsec_\S+/.exec(stderr())?.[0] ?? '';
    service.clock.advanceSeconds(1);
    const product = await createProduct();
    await expect.poll(() => receiver.requests.length).toBe(1);
    const [request] = receiver.requests;
    expect(request?.headers['webhook-api-version']).toBe(next);
    expect(verified(request as never, secret)).toMatchObject({
      type: 'product.created',
      api_version: next,
      data: { id: product.id },
    });
    await expect.poll(stdout).toContain('"status":200');
    child.kill('SIGINT');
    await exit;
  });

  it('[outside 9] listen ends with its key, and says so', async () => {
    const receiver = await startReceiver();
    const made = await service.operate('sandbox', '/operator/operator-keys', {
      method: 'POST',
      body: { name: 'listener' },
    });
    const { id, operator_key } = (await made.json()) as Body;
    const { organization_id } = service.quickstart.sandbox;
    const target = `http://127.0.0.1:${receiver.port}/dev`;
    // What earlier tests did is no longer heard.
    service.clock.advanceSeconds(60);
    const listening = runWith(
      operator_key,
      ...['listen', '--organization', organization_id, '--forward-to', target],
    );
    await expect.poll(listening.stderr).toContain('Listening in');
    const revoked = await service.operate('sandbox', `/operator/operator-keys/${id}/revoke`, {
      method: 'POST',
    });
    expect(revoked.status).toBe(200);
    service.clock.advanceSeconds(1);
    await createProduct();
    expect(await listening.exit).toBe(1);
    expect(listening.stderr()).toContain('The operator key was revoked, so listening has ended');
    expect(receiver.requests).toEqual([]);
  });

  it('replay sends one event again, or all that an endpoint missed', async () => {
    const { organization_id } = service.quickstart.sandbox;
    let broken = false;
    const subscribed = await endpoint({ events: ['product.created'] }, (_request, response) =>
      response.writeHead(broken ? 410 : 200).end(),
    );
    await createProduct();
    const { id } = await settled(subscribed, 'delivered');
    const again = run('replay', id, '--organization', organization_id, '--json');
    expect(await again.exit).toBe(0);
    expect(JSON.parse(again.stdout())).toMatchObject({ id, state: 'pending' });
    await received(subscribed, 2);
    broken = true;
    await createProduct();
    await expect
      .poll(async () => (await call('GET', `/v1/webhooks/endpoints/${subscribed.id}`)).body.enabled)
      .toBe(false);
    broken = false;
    await call('PATCH', `/v1/webhooks/endpoints/${subscribed.id}`, { enabled: true });
    const since = new Date(service.clock.now().getTime() - 60_000).toISOString();
    const missed = run(
      'replay',
      '--organization',
      organization_id,
      '--endpoint',
      subscribed.id,
      '--since',
      since,
      '--json',
    );
    expect(await missed.exit).toBe(0);
    expect(JSON.parse(missed.stdout())).toMatchObject({ total: 1 });
    await received(subscribed, 4);
    const listed = run('list', '--organization', organization_id, '--json');
    await listed.exit;
    expect(JSON.parse(listed.stdout()).map((one: Body) => one.api_version)).toContain(current);
  });

  it('names the missing argument', async () => {
    const nothing = run('replay', '--organization', 'org_1');
    expect(await nothing.exit).not.toBe(0);
    expect(nothing.stderr()).toContain('Name an event, or --endpoint and --since.');
  });
});
