import { spawn } from 'node:child_process';
import { resolve } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { listen } from '../../src/webhooks/listening/listen.ts';
import { onPostgresFirst } from '../support/database/databases.ts';
import { current, next } from '../support/service/build-versions.ts';
import { environmentOn } from '../support/service/environment-on.ts';
import { type Body, useDeliveries, verified } from '../support/webhooks/deliveries.ts';
import { startReceiver } from '../support/webhooks/receivers.ts';

onPostgresFirst('dateline webhook', (engine) => {
  const { service, call, endpoint, createProduct, received, settled } = useDeliveries(engine);
  const children: ReturnType<typeof spawn>[] = [];
  afterAll(() => {
    for (const child of children) child.kill('SIGKILL');
  });

  /** The real command, with the address of the service. */
  const run = (...args: string[]) => runWith(service.quickstart.sandbox.operator_key, ...args);

  function runWith(operatorKey: string, ...args: string[]) {
    const { urls } = service;
    const child = spawn(process.execPath, [resolve('bin/dateline.mjs'), 'webhook', ...args], {
      env: {
        PATH: process.env.PATH ?? '',
        NODE_OPTIONS: process.env.NODE_OPTIONS ?? '',
        CLOCK_SHIFT_MS: process.env.CLOCK_SHIFT_MS ?? '',
        DATELINE_SANDBOX_PUBLIC_URL: urls.sandbox,
        DATELINE_SANDBOX_OPERATOR_KEY: operatorKey,
      },
    });
    children.push(child);
    const said = { out: '', err: '' };
    child.stdout?.on('data', (chunk: Buffer) => {
      said.out += chunk.toString();
    });
    child.stderr?.on('data', (chunk: Buffer) => {
      said.err += chunk.toString();
    });
    const exit = new Promise<number | null>((done) => child.once('close', done));
    return { child, said, exit };
  }

  it('[webhooks 12] listen forwards events as they happen, signed and in the requested version', async () => {
    const receiver = await startReceiver();
    const { organization_id } = service.quickstart.sandbox;
    const { said, child, exit } = run(
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
    await expect.poll(() => said.err).toMatch(/whsec_\S+\s/);
    const secret = /whsec_\S+/.exec(said.err)?.[0] ?? '';
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
    await expect.poll(() => said.out).toContain('"status":200');
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
    await expect.poll(() => listening.said.err).toContain('Listening in');
    const revoked = await service.operate('sandbox', `/operator/operator-keys/${id}/revoke`, {
      method: 'POST',
    });
    expect(revoked.status).toBe(200);
    service.clock.advanceSeconds(1);
    await createProduct();
    expect(await listening.exit).toBe(1);
    expect(listening.said.err).toContain('The operator key was revoked, so listening has ended');
    expect(receiver.requests).toEqual([]);
  });

  it('listen forwards all events of one instant, however many they are', async () => {
    const { organization_id } = service.quickstart.sandbox;
    const context = environmentOn({
      name: 'sandbox',
      issuer: service.urls.sandbox,
      database: await service.database('sandbox'),
      clock: service.clock,
    });
    const stop = new AbortController();
    const { signal } = stop;
    const listening = {
      organizationId: organization_id,
      apiVersion: next,
      wants: () => true,
      isAllowed: async () => true,
      signal,
    };
    service.clock.advanceSeconds(60);
    const heard: string[] = [];
    const hearing = (async () => {
      for await (const { id } of listen(context, listening)) heard.push(id);
    })();
    for (let count = 0; count < 130; count += 1) await createProduct();
    await expect.poll(() => heard.length).toBe(130);
    stop.abort();
    await hearing;
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
    expect(JSON.parse(again.said.out)).toMatchObject({ id, state: 'pending' });
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
    expect(JSON.parse(missed.said.out)).toMatchObject({ total: 1 });
    await received(subscribed, 4);
    const listed = run('list', '--organization', organization_id, '--json');
    await listed.exit;
    expect(JSON.parse(listed.said.out).map((one: Body) => one.api_version)).toContain(current);
  });

  it('names the missing argument', async () => {
    const nothing = run('replay', '--organization', 'org_1');
    expect(await nothing.exit).not.toBe(0);
    expect(nothing.said.err).toContain('Name an event, or --endpoint and --since.');
  });
});
