import { once } from 'node:events';
import type { AddressInfo, Socket } from 'node:net';
import { createServer } from 'node:tls';
import { describe, expect, it, onTestFinished } from 'vitest';
import { startUpstream } from '../support/folder/test-upstream.ts';
import { createAuthority } from '../support/http/certificates.ts';
import { startHostile } from '../support/webhooks/receivers.ts';

const OK = 'HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nok';

/** Answers the first request of a connection, and does this at the second: `kept` counts those. */
async function startKeeper(atSecond: (socket: Socket) => void) {
  const seen = { kept: 0 };
  const server = await startHostile((socket) => {
    socket.write(OK);
    socket.once('data', () => {
      seen.kept += 1;
      atSecond(socket);
    });
  });
  const upstream = startUpstream(server.port);
  await upstream.call();
  return { server, seen, upstream };
}

describe('a kept connection that the upstream closes when the next request arrives', () => {
  const leaves = [
    ['closes', (socket: Socket) => void socket.end()],
    ['resets', (socket: Socket) => void socket.resetAndDestroy()],
  ] as const;

  it.each(leaves)('and %s it: a GET is sent once more, on a new one', async (_how, leave) => {
    const { server, seen, upstream } = await startKeeper(leave);
    expect(String((await upstream.call()).body)).toBe('ok');
    expect([server.connections, seen.kept, upstream.outcomes()]).toEqual([2, 1, ['answered', 'answered']]);
  });

  it.each(leaves)('and %s it: a POST is not sent again, since it may have been done', async (_how, leave) => {
    const { server, seen, upstream } = await startKeeper(leave);
    const error = await upstream.failure({ method: 'POST', body: Buffer.from('{}') });
    expect(error).toMatchObject({ code: 'upstream_failed', failure: 'closed' });
    expect([server.connections, seen.kept]).toEqual([1, 1]);
  });

  it.each(['PUT', 'PATCH', 'DELETE'])('%s is not sent again either', async (method) => {
    const { server, upstream } = await startKeeper((socket) => void socket.end());
    expect(await upstream.failure({ method })).toMatchObject({ failure: 'closed' });
    expect(server.connections).toBe(1);
  });

  it('a GET of which a byte was answered is not sent again', async () => {
    const { server, upstream } = await startKeeper((socket) => void socket.end('H'));
    expect(await upstream.failure()).toMatchObject({ code: 'upstream_failed', failure: 'broken' });
    expect(server.connections).toBe(1);
  });
});

describe('a kept connection over TLS', () => {
  it('that the upstream closes when a GET arrives: that is sent once more', async () => {
    const authority = createAuthority();
    let connections = 0;
    const server = createServer(authority.issue({ name: 'localhost' }), (socket) => {
      connections += 1;
      socket.on('error', () => {});
      socket.once('data', () => {
        socket.write(OK);
        socket.once('data', () => socket.end());
      });
    }).listen(0, '127.0.0.1');
    onTestFinished(() => void server.close());
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    const { call, failure } = startUpstream(`https://localhost:${port}`, { ca: authority.cert });
    await call();
    expect(String((await call()).body)).toBe('ok');
    expect(connections).toBe(2);
    expect(await failure({ method: 'POST' })).toMatchObject({ failure: 'closed' });
    expect(connections).toBe(2);
  });
});

describe('a connection on which the upstream has answered before it has read the request', () => {
  it('is not used again', async () => {
    const server = await startHostile((socket) => {
      socket.pause();
      socket.write(OK);
    });
    const { call } = startUpstream(server.port);
    // More than the buffers of the system take.
    await call({ method: 'POST', body: Buffer.alloc(32 * 2 ** 20) });
    await call();
    expect(server.connections).toBe(2);
  });
});

describe('a new connection', () => {
  it('that the upstream closes without an answer ends the call: nothing is sent twice', async () => {
    let requests = 0;
    const server = await startHostile((socket) => {
      requests += 1;
      socket.end();
    });
    expect(await startUpstream(server.port).failure()).toMatchObject({ failure: 'closed' });
    expect([server.connections, requests]).toEqual([1, 1]);
  });

  it('that is opened because a kept one was closed is used once too', async () => {
    let connections = 0;
    const server = await startHostile((socket) => {
      connections += 1;
      if (connections > 1) return void socket.end();
      socket.write(OK);
      socket.once('data', () => socket.end());
    });
    const { call, failure } = startUpstream(server.port);
    await call();
    expect(await failure()).toMatchObject({ failure: 'closed' });
    expect(server.connections).toBe(2);
  });
});

describe('a kept connection that the upstream has closed before', () => {
  async function calledOnce() {
    const sockets: Socket[] = [];
    const server = await startHostile((socket) => {
      sockets.push(socket);
      socket.write(OK);
    });
    const { call, outcomes } = startUpstream(server.port);
    await call();
    return { server, first: sockets[0] as Socket, call, outcomes };
  }

  it.each(['GET', 'POST'])('is not used for a %s: nothing was written on it', async (method) => {
    const { server, first, call, outcomes } = await calledOnce();
    first.end();
    await expect.poll(() => first.destroyed).toBe(true);
    expect((await call({ method })).status).toBe(200);
    expect([server.connections, outcomes()]).toEqual([2, ['answered', 'answered']]);
  });

  it.each(['GET', 'POST'])('also where a %s follows at once', async (method) => {
    const { server, first, call, outcomes } = await calledOnce();
    // Sent, but not read by our side yet.
    await new Promise<void>((resolve) => first.end(resolve));
    expect((await call({ method })).status).toBe(200);
    expect([server.connections, outcomes()]).toEqual([2, ['answered', 'answered']]);
  });

  it('is passed over for one that is open', async () => {
    const sockets: Socket[] = [];
    const server = await startHostile((socket) => {
      sockets.push(socket);
      socket.on('data', () => socket.write(OK));
    });
    const { call } = startUpstream(server.port);
    const [one, other] = [call(), call()];
    await expect.poll(() => sockets.length).toBe(2);
    sockets[0]?.write(OK);
    await Promise.race([one, other]);
    sockets[1]?.write(OK);
    await Promise.all([one, other]);
    // The one that would be used next.
    sockets[1]?.end();
    await expect.poll(() => server.open()).toBe(1);
    await call();
    expect(server.connections).toBe(2);
  });

  it('also where the answer said so', async () => {
    const server = await startHostile((socket) => {
      socket.end('HTTP/1.1 200 OK\r\nconnection: close\r\n\r\nuntil the end');
    });
    const { call } = startUpstream(server.port);
    for (let times = 0; times < 3; times += 1)
      expect(String((await call({ method: 'POST' })).body)).toBe('until the end');
    expect(server.connections).toBe(3);
  });
});
