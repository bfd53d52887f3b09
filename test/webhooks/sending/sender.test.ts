import { createServer } from 'node:net';
import { networkInterfaces } from 'node:os';
import { describe, expect, it } from 'vitest';
import { createLookup } from '../../../src/webhooks/sending/lookup.ts';
import { createSender } from '../../../src/webhooks/sending/sender.ts';
import { createAuthority } from '../../support/http/certificates.ts';
import { startNameServer } from '../../support/http/name-server.ts';
import { startHostile, startReceiver } from '../../support/webhooks/receivers.ts';
import { deliveryBody, loopbackRules, startSender } from '../../support/webhooks/test-sender.ts';

const hasIpv6 = Object.values(networkInterfaces()).some((all) =>
  all?.some(({ address }) => address === '::1'),
);

describe('a delivery', () => {
  it('reaches the receiver with its headers, its path and its bytes', async () => {
    const receiver = await startReceiver();
    const { send } = startSender();
    expect(await send(`http://127.0.0.1:${receiver.port}/hooks/a?b=c%20d`)).toEqual({
      status: 200,
      answerText: 'ok',
      retryAfter: null,
      answerHeaders: expect.objectContaining({ connection: 'keep-alive' }),
      error: null,
      durationMs: expect.any(Number),
      stageTimes: {
        lookup: expect.any(Number),
        connect: expect.any(Number),
        wait: expect.any(Number),
        read: expect.any(Number),
      },
    });
    const [request] = receiver.requests;
    expect(request?.path).toBe('/hooks/a?b=c%20d');
    expect(request?.body.equals(deliveryBody)).toBe(true);
    expect(request?.headers).toMatchObject({
      host: `127.0.0.1:${receiver.port}`,
      'content-type': 'application/json',
      'content-length': String(deliveryBody.length),
      'accept-encoding': 'identity',
      'webhook-id': 'evt_1',
    });
  });

  it('reaches a receiver behind TLS by its name, and by its address', async () => {
    const authority = createAuthority();
    for (const name of ['hooks.example.com', '127.0.0.1']) {
      const receiver = await startReceiver({ certificate: authority.issue({ name }) });
      const { send } = startSender({ ca: authority.cert });
      expect(await send(`https://${name}:${receiver.port}/`)).toMatchObject({ status: 200, error: null });
      expect(receiver.requests[0]?.headers.host).toBe(`${name}:${receiver.port}`);
    }
  });

  it.each([200, 201, 202, 204, 299])('is a success with status %i', async (status) => {
    const receiver = await startReceiver({
      answer: (_request, response) => response.writeHead(status).end(),
    });
    const { send } = startSender();
    expect(await send(`http://127.0.0.1:${receiver.port}/`)).toMatchObject({
      status,
      error: null,
      answerText: '',
    });
  });

  it.each([400, 404, 410, 429, 500, 503, 600])('is a failure with status %i', async (status) => {
    const receiver = await startReceiver({
      answer: (_request, response) => response.writeHead(status, { 'retry-after': '120' }).end('no'),
    });
    const { send } = startSender();
    expect(await send(`http://127.0.0.1:${receiver.port}/`)).toMatchObject({
      status,
      error: 'status',
      answerText: 'no',
      retryAfter: '120',
    });
  });

  it('is refused by a port without a listener', async () => {
    const server = createServer();
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const address = server.address() as { port: number };
    await new Promise((resolve) => server.close(resolve));
    const { send } = startSender();
    expect(await send(`http://127.0.0.1:${address.port}/`)).toMatchObject({
      status: null,
      answerText: null,
      error: 'connection_refused',
    });
  });

  it('goes to the next address of a name when one does not answer', async () => {
    const receiver = await startReceiver();
    // The others are addresses of this machine without a listener.
    const { send } = startSender({ lookup: async () => ['127.0.0.9', '127.0.0.8', '127.0.0.1'] });
    expect(await send(`http://hooks.example.com:${receiver.port}/`)).toMatchObject({ status: 200 });
  });

  it('is refused if all addresses of the name refuse it', async () => {
    const receiver = await startReceiver();
    const { send } = startSender({ lookup: async () => ['127.0.0.9', '127.0.0.8'] });
    expect(await send(`http://hooks.example.com:${receiver.port}/`)).toMatchObject({
      status: null,
      error: 'connection_refused',
    });
  });

  it.skipIf(!hasIpv6)('reaches a receiver that has IPv6 only', async () => {
    const receiver = await startReceiver({ host: '::1' });
    const { send } = startSender({ lookup: async () => ['127.0.0.9', '::1'] });
    for (const host of ['[::1]', 'hooks.example.com'])
      expect(await send(`http://${host}:${receiver.port}/`)).toMatchObject({ status: 200 });
    expect(receiver.requests[0]?.headers.host).toBe(`[::1]:${receiver.port}`);
  });

  it('goes to this machine for localhost, without a DNS query', async () => {
    const receiver = await startReceiver();
    const { send } = startSender({ lookup: async (name) => Promise.reject(new Error(`asked for ${name}`)) });
    expect(await send(`http://localhost:${receiver.port}/`)).toMatchObject({ status: 200 });
    expect(await send(`http://app.localhost:${receiver.port}/`)).toMatchObject({ status: 200 });
  });

  it('fails if the name does not exist, has no address, or cannot be resolved', async () => {
    const nameServer = await startNameServer({ 'empty.example.com': [] });
    const lookup = createLookup({ servers: [nameServer.address] });
    const { send } = startSender({ lookup });
    expect(await send('https://empty.example.com/')).toMatchObject({ status: null, error: 'dns' });
    expect(await startSender({ lookup: async () => [] }).send('https://a.example.com/')).toMatchObject({
      error: 'dns',
    });
    const broken = startSender({
      lookup: async () => Promise.reject(new Error('10.0.0.53 does not answer')),
    });
    expect(await broken.send('https://a.example.com/')).toMatchObject({ status: null, error: 'dns' });
  });

  it('resolves its receiver by a real name server, queried once for many', async () => {
    const receiver = await startReceiver();
    const nameServer = await startNameServer({
      'hooks.example.com': ['cdn.example.net'],
      'cdn.example.net': ['127.0.0.1', '::1'],
    });
    const { send } = startSender({ lookup: createLookup({ servers: [nameServer.address] }) });
    const url = `http://hooks.example.com:${receiver.port}/`;
    const outcomes = await Promise.all([send(url), send(url), send(url)]);
    expect(outcomes.map(({ status }) => status)).toEqual([200, 200, 200]);
    // Once for each family of addresses.
    expect(nameServer.questions).toEqual(['hooks.example.com', 'hooks.example.com']);
  });

  it('rejects if it cannot be written as HTTP, because that is a mistake of ours', async () => {
    const receiver = await startReceiver();
    const sender = createSender({ rules: loopbackRules });
    const url = `http://127.0.0.1:${receiver.port}/`;
    await expect(sender.send({ url, headers: { 'x-bad': 'a\r\nb' }, body: deliveryBody })).rejects.toThrow();
    await expect.poll(() => [receiver.connections, receiver.open()]).toEqual([1, 0]);
    sender.close();
    expect(receiver.requests).toEqual([]);
  });
});

describe('connections', () => {
  it('are reused for the next delivery to the same receiver, and not for another', async () => {
    const [one, other] = [await startReceiver(), await startReceiver()];
    const { send } = startSender();
    for (let count = 0; count < 30; count += 1) await send(`http://127.0.0.1:${one.port}/`);
    await send(`http://127.0.0.1:${other.port}/`);
    expect([one.requests.length, one.connections]).toEqual([30, 1]);
    expect([other.requests.length, other.connections]).toEqual([1, 1]);
  });

  it('are not shared by concurrent deliveries', async () => {
    const receiver = await startReceiver();
    const { send } = startSender();
    const url = `http://127.0.0.1:${receiver.port}/`;
    const outcomes = await Promise.all(Array.from({ length: 40 }, async () => send(url)));
    expect(outcomes.every(({ error }) => error === null)).toBe(true);
    expect([receiver.requests.length, receiver.connections]).toEqual([40, 40]);
  });

  it('are kept up to a limit', async () => {
    const receivers = [await startReceiver(), await startReceiver(), await startReceiver()];
    const { send } = startSender({ keptConnectionsMax: 2 });
    for (const { port } of [...receivers, ...receivers.toReversed()]) await send(`http://127.0.0.1:${port}/`);
    // The first one had been closed for the third.
    expect(receivers.map(({ connections }) => connections)).toEqual([2, 1, 1]);
  });

  it('are not reused if the receiver has answered without reading the whole request', async () => {
    const receiver = await startHostile((socket) => {
      socket.pause();
      socket.write('HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n');
    });
    const sender = createSender({ rules: loopbackRules, deadlineMs: 5_000 });
    const delivery = { url: `http://127.0.0.1:${receiver.port}/`, headers: {}, body: Buffer.alloc(2 ** 25) };
    expect(await sender.send(delivery)).toMatchObject({ status: 200, error: null });
    expect(await sender.send({ ...delivery, body: deliveryBody })).toMatchObject({
      status: 200,
      error: null,
    });
    sender.close();
    expect(receiver.connections).toBe(2);
  });

  it('that the receiver has closed meanwhile fail no delivery', async () => {
    const receiver = await startReceiver({
      answer: (request, response) => {
        response.end('ok', () => setImmediate(() => request.socket.destroy()));
      },
    });
    const { send } = startSender();
    for (let count = 1; count <= 5; count += 1) {
      expect(await send(`http://127.0.0.1:${receiver.port}/`)).toMatchObject({ status: 200, error: null });
      await expect.poll(() => receiver.open()).toBe(0);
    }
    expect([receiver.requests.length, receiver.connections]).toEqual([5, 5]);
  });
});

describe('an attempt that is stopped', () => {
  it('ends at once, whatever it waits for, and is reported as stopped', async () => {
    const silent = await startHostile(() => {});
    const nowhere = startSender({ lookup: async () => new Promise(() => {}) });
    const silentUrl = `http://127.0.0.1:${silent.port}/`;
    for (const [sender, url] of [
      [startSender(), silentUrl],
      [nowhere, 'https://hooks.example.com/'],
    ] as const) {
      const outcome = sender.send(url);
      if (url === silentUrl) await expect.poll(() => silent.bytesReceived()).toBeGreaterThan(0);
      sender.stop();
      expect(await outcome).toMatchObject({ status: null, error: 'stopped' });
      expect(await sender.send(url)).toMatchObject({ status: null, error: 'stopped' });
    }
    await expect.poll(() => silent.open()).toBe(0);
    expect(silent.connections).toBe(1);
  });

  it('by closing the sender leaves no connection open', async () => {
    const [silent, receiver] = [await startHostile(() => {}), await startReceiver()];
    const { send, close } = startSender();
    await send(`http://127.0.0.1:${receiver.port}/`);
    const outcome = send(`http://127.0.0.1:${silent.port}/`);
    await expect.poll(() => silent.bytesReceived()).toBeGreaterThan(0);
    expect(receiver.open()).toBe(1);
    close();
    expect(await outcome).toMatchObject({ status: null, error: 'stopped' });
    // Sooner than an idle connection is closed in any case.
    await expect.poll(() => silent.open() + receiver.open(), { timeout: 2_500 }).toBe(0);
    expect(await send(`http://127.0.0.1:${receiver.port}/`)).toMatchObject({ error: 'stopped' });
  });
});
