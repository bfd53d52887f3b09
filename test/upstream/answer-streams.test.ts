import { createHash, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { type Readable, Writable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { finished, pipeline } from 'node:stream/promises';
import { setImmediate } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { errorCode } from '../../src/kernel/error-facts.ts';
import { startCallLimit } from '../../src/upstream/call-limit.ts';
import { createDeadlines } from '../../src/upstream/deadlines.ts';
import type { UpstreamOptions } from '../../src/upstream/upstream.ts';
import { startUpstream } from '../support/folder/test-upstream.ts';
import { itInLongRuns } from '../support/run/in-long-runs.ts';
import { startHostile, startReceiver } from '../support/webhooks/receivers.ts';

const KIB = 2 ** 10;
const MIB = 2 ** 20;
/** What a stream may hold beside the answer's first bytes: what it reads ahead, and one more read of the socket. */
const AHEAD_BYTES = 128 * KIB;

/** A server that sends so much, as fast as it is read; `sent` is what it has handed to the system. */
async function startFlood(bytes: number, head = `content-length: ${bytes}`) {
  const chunk = Buffer.alloc(64 * KIB, 'x');
  const flood = { sent: 0 };
  const server = await startHostile((socket) => {
    socket.write(`HTTP/1.1 200 OK\r\n${head}\r\n\r\n`);
    let left = bytes;
    const more = (): void => {
      while (!socket.destroyed && left > 0) {
        left -= chunk.length;
        flood.sent += chunk.length;
        if (!socket.write(chunk)) return;
      }
    };
    socket.on('drain', more);
    more();
  });
  return { server, flood };
}

/** Calls that take many turns of the event loop. */
async function serveOthers(): Promise<void> {
  const { call } = startUpstream((await startReceiver()).port);
  for (let times = 0; times < 50; times += 1) await call();
}

describe('an answer', () => {
  const body = randomBytes(3 * MIB);

  it.each([
    ['that says its length', { 'content-length': String(body.length) }],
    ['that does not', {}],
  ])('of more than is gathered is streamed, to the byte: one %s', async (_what, headers) => {
    const server = await startReceiver({
      answer: (_request, response) => response.writeHead(200, headers).end(body),
    });
    const { stream, call, outcomes, condition } = startUpstream(server.port);
    const answer = await stream({ wantsStream: false });
    expect([answer.status, condition().inFlight]).toEqual([200, 1]);
    expect((await buffer(answer.stream)).equals(body)).toBe(true);
    await expect.poll(() => condition().inFlight).toBe(0);
    // Its connection is kept for the next call.
    await expect(call()).rejects.toThrow('the answer is a stream');
    expect([server.connections, outcomes()]).toEqual([1, ['answered']]);
  });

  it('[outside2 8] that is streamed takes turns with all others, however fast they come and are read', async () => {
    const { server } = await startFlood(2 * MIB);
    const upstream = startUpstream(server.port);
    const streams = await Promise.all(Array.from({ length: 32 }, () => upstream.stream()));
    let bytes = 0;
    const ended = Promise.all(streams.map(({ stream }) => once(stream, 'close')));
    for (const { stream } of streams)
      stream.on('data', (chunk: Buffer) => {
        bytes += chunk.length;
      });
    const worst = { total: 0, turn: 0 };
    let isOver = false;
    void ended.then(() => {
      isOver = true;
    });
    // What they had read ahead comes at once.
    for (let turn = 0; !isOver; turn += 1) {
      await setImmediate();
      worst.total += bytes;
      if (turn > 0) worst.turn = Math.max(worst.turn, bytes);
      bytes = 0;
    }
    expect(worst.total).toBe(32 * 2 * MIB);
    // Without turns it is more than 2 MiB: all of them.
    expect(worst.turn).toBeLessThanOrEqual(MIB);
  });

  it('of exactly as much as is gathered is gathered', async () => {
    const server = await startReceiver({
      answer: (_request, response) => response.write(body.subarray(0, MIB), () => response.end()),
    });
    expect((await startUpstream(server.port).call()).body.equals(body.subarray(0, MIB))).toBe(true);
  });

  it('is streamed where that is wanted, and what is wanted may depend on status and headers', async () => {
    const server = await startReceiver({
      answer: (request, response) =>
        request.url === '/missing'
          ? response.writeHead(404, { 'content-type': 'application/json' }).end('{}')
          : response.writeHead(200, { 'content-type': 'text/csv' }).end('a,b'),
    });
    const { stream, call } = startUpstream(server.port);
    expect(String(await buffer((await stream()).stream))).toBe('a,b');
    const wantsStream = ({ status, headers }: { status: number; headers: object }): boolean =>
      status === 200 && 'content-type' in headers && headers['content-type'] === 'text/csv';
    expect(String(await buffer((await stream({ wantsStream })).stream))).toBe('a,b');
    expect(String((await call({ wantsStream, path: '/missing' })).body)).toBe('{}');
    expect((await call({ wantsStream: true, method: 'HEAD' })).body.length).toBe(0);
  });
});

describe('a stream', () => {
  it('that nobody reads holds no more than it reads ahead: 100 MB stay where they are', async () => {
    const { flood, server } = await startFlood(100 * MIB);
    const { stream } = startUpstream(server.port);
    const before = process.memoryUsage().arrayBuffers;
    const declared = (await stream()).stream;
    const large = (await stream({ wantsStream: false })).stream;
    await serveOthers();
    for (const { readableLength } of [declared, large]) {
      expect(readableLength).toBeGreaterThan(0);
      expect(readableLength).toBeLessThanOrEqual(AHEAD_BYTES);
    }
    expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(5 * MIB);
    // The buffers of the system have taken the rest.
    expect(flood.sent).toBeLessThan(64 * MIB);
  });

  it('of an answer that turned out to be too large begins with what was gathered, and holds no more', async () => {
    const { server, flood } = await startFlood(100 * MIB, 'connection: close');
    const { stream } = startUpstream(server.port);
    const large = (await stream({ wantsStream: false })).stream;
    await serveOthers();
    expect(large.readableLength).toBeGreaterThan(MIB);
    expect(large.readableLength).toBeLessThanOrEqual(MIB + AHEAD_BYTES);
    expect(flood.sent).toBeLessThan(32 * MIB);
  });

  /** Reads a stream slowly enough that the server is always ahead, and notes how much was waiting. */
  async function readSlowly(source: Readable) {
    const read = { bytes: 0, waitingMax: 0 };
    const slow = new Writable({
      highWaterMark: 64 * KIB,
      write(chunk: Buffer, _encoding, done) {
        read.bytes += chunk.length;
        read.waitingMax = Math.max(read.waitingMax, source.readableLength);
        void setImmediate().then(() => done());
      },
    });
    await pipeline(source, slow);
    return read;
  }

  it('that is read slowly is held back: no more waits than is read ahead', async () => {
    const { server } = await startFlood(10 * MIB);
    const { stream, outcomes } = startUpstream(server.port);
    const read = await readSlowly((await stream()).stream);
    expect(read.bytes).toBe(10 * MIB);
    expect(read.waitingMax).toBeLessThanOrEqual(AHEAD_BYTES);
    expect(outcomes()).toEqual(['answered']);
  });

  itInLongRuns('of 1 GB that is read slowly is held back to its end', async () => {
    const bytes = 1024 * MIB;
    const { server } = await startFlood(bytes);
    const { stream } = startUpstream(server.port);
    const read = await readSlowly((await stream()).stream);
    expect(read.bytes).toBe(bytes);
    expect(read.waitingMax).toBeLessThanOrEqual(AHEAD_BYTES);
  });

  it('arrives unchanged through a reader of another pace', async () => {
    const body = randomBytes(5 * MIB);
    const server = await startReceiver({ answer: (_request, response) => response.end(body) });
    const { stream } = startUpstream(server.port);
    const hash = createHash('sha256');
    await pipeline((await stream()).stream, async function* slowly(source: AsyncIterable<Buffer>) {
      for await (const chunk of source) {
        hash.update(chunk);
        await setImmediate();
        yield;
      }
    });
    expect(hash.digest('hex')).toBe(createHash('sha256').update(body).digest('hex'));
  });

  it('that its reader destroys ends the call: the upstream sees its connection closed', async () => {
    const { server } = await startFlood(100 * MIB);
    const { stream, condition, outcomes } = startUpstream(server.port);
    const answer = await stream();
    answer.stream.destroy();
    await expect.poll(() => server.open()).toBe(0);
    await expect.poll(() => condition().inFlight).toBe(0);
    expect(outcomes()).toEqual(['caller_gone']);
  });

  it('ends when the caller leaves, with the reason', async () => {
    const { server } = await startFlood(100 * MIB);
    const { stream, outcomes } = startUpstream(server.port);
    const leaving = new AbortController();
    const answer = await stream({}, leaving.signal);
    const reading = buffer(answer.stream);
    leaving.abort(new Error('gone'));
    await expect(reading).rejects.toThrow('gone');
    await expect.poll(() => server.open()).toBe(0);
    await expect.poll(outcomes).toEqual(['caller_gone']);
  });

  const startHalf = (leave: (socket: Socket) => void) =>
    startHostile((socket) => {
      socket.write('HTTP/1.1 200 OK\r\ncontent-length: 100\r\n\r\nhalf');
      leave(socket);
    });

  it('that breaks off fails with an error of ours, and does not end as if it were whole', async () => {
    const server = await startHalf((socket) => void socket.end());
    const { stream, outcomes, condition } = startUpstream(server.port);
    const answer = await stream();
    await expect(buffer(answer.stream)).rejects.toMatchObject({
      code: 'upstream_failed',
      failure: 'broken',
    });
    await expect.poll(outcomes).toEqual(['broken']);
    // There was an answer.
    expect(condition()).toEqual({ circuitOpen: false, inFlight: 0 });
  });

  it('without a length that ends with a reset is not whole either', async () => {
    let server: Socket | undefined;
    const { port } = await startHostile((socket) => {
      server = socket;
      socket.write('HTTP/1.1 200 OK\r\nconnection: close\r\n\r\nhalf');
    });
    const { stream: reading } = await startUpstream(port).stream();
    const end = finished(reading);
    expect(String((await once(reading, 'data'))[0])).toBe('half');
    server?.resetAndDestroy();
    await expect(end).rejects.toMatchObject({ code: 'upstream_failed', failure: 'broken' });
  });

  it('that breaks off with nobody listening ends no process', async () => {
    const server = await startHalf((socket) => void socket.end());
    const answer = await startUpstream(server.port).stream();
    answer.stream.resume();
    await expect.poll(() => answer.stream.closed).toBe(true);
    expect(answer.stream.errored).toMatchObject({ failure: 'broken' });
  });

  it('that falls silent is 504 after its own limit, and the timeout of the call is over', async () => {
    const server = await startHalf(() => {});
    const { stream } = startUpstream(server.port, { timeoutMs: 60_000, idleMs: 100 });
    await expect(buffer((await stream()).stream)).rejects.toMatchObject({ code: 'upstream_timeout' });
    await expect.poll(() => server.open()).toBe(0);
  });

  /** Writes and reads a few bytes at a time for so long. */
  async function keepTalking(forMs: number, options: Partial<UpstreamOptions>): Promise<string[]> {
    let response: ServerResponse | undefined;
    const server = await startReceiver({
      answer: (_request, own) => {
        own.flushHeaders();
        response = own;
      },
    });
    const { stream, outcomes } = startUpstream(server.port, options);
    const { stream: talking } = await stream();
    const startedAtMs = performance.now();
    while (performance.now() - startedAtMs < forMs) {
      response?.write('more');
      await once(talking, 'data');
    }
    response?.end();
    await once(talking, 'end');
    await expect.poll(outcomes).toHaveLength(1);
    return outcomes();
  }

  it('lasts longer than the timeout of the call', async () => {
    expect(await keepTalking(300, { timeoutMs: 150 })).toEqual(['answered']);
  });

  itInLongRuns('lasts longer than the upstream may be silent, while bytes come', async () => {
    expect(await keepTalking(6_000, { idleMs: 3_000 })).toEqual(['answered']);
  });

  it('[outside2 8] [folder 34] that is left unread is ended, also where all of it has arrived, and its slot is free', async () => {
    const { server } = await startFlood(10 * MIB);
    const whole = await startReceiver({ answer: (_request, response) => response.end('all of it') });
    for (const { port } of [server, whole]) {
      const { stream, outcomes, condition } = startUpstream(port, { idleMs: 100 });
      const unread = (await stream()).stream;
      expect(condition().inFlight).toBe(1);
      await expect.poll(() => unread.destroyed).toBe(true);
      expect(unread.errored).toMatchObject({ failure: 'unread' });
      await expect.poll(outcomes).toEqual(['unread']);
      expect(condition().inFlight).toBe(0);
    }
    await expect.poll(() => server.open()).toBe(0);
  });

  it('is not idle for as long as some of it is read, however much waits', async () => {
    const limit = startCallLimit({
      timeoutMs: 60_000,
      deadlines: createDeadlines(60_000),
      idleMs: 20,
      origin: 'http://127.0.0.1',
    });
    // What is unread when it is asked, twice each time that it has become less.
    const unread = [9, 7, 7, 4, 4, 1, 1];
    limit.rest(() => unread.shift() ?? 1);
    const reason = await new Promise((resolve) => limit.cut.listen(resolve));
    expect(reason).toMatchObject({ failure: 'unread' });
    expect(unread).toEqual([]);
    limit.end();
  });

  // A server of HTTP/1.0 closes its side while what it has sent is still unread.
  const closing = [
    ['closes', 'without a length', 'connection: close'],
    ['closes', 'with a length', `connection: close\r\ncontent-length: ${MIB / 2}`],
    ['resets', 'without a length', 'connection: close'],
    ['resets', 'with a length', `connection: close\r\ncontent-length: ${MIB / 2}`],
  ] as const;

  /** Half a megabyte, and then the end of the connection; it has happened when `ended` says so. */
  async function startClosing(how: 'closes' | 'resets', head: string) {
    let isEnded = false;
    const server = await startHostile((socket) => {
      socket.write(`HTTP/1.1 200 OK\r\n${head}\r\n\r\n`);
      socket.write(Buffer.alloc(MIB / 2), () => {
        isEnded = true;
        if (how === 'closes') socket.end();
        else socket.resetAndDestroy();
      });
    });
    return { server, ended: () => isEnded };
  }

  it.each(closing)('whose server %s the connection %s while nobody reads', async (how, length, head) => {
    const hasLength = length === 'with a length';
    const { server, ended } = await startClosing(how, head);
    const { stream } = startUpstream(server.port);
    const { stream: unread } = await stream();
    await expect.poll(ended).toBe(true);
    await serveOthers();
    const read = await buffer(unread).then(({ length }) => length, errorCode);
    // Of a reset that comes after bytes, the system may show the bytes and an end: then only a length says what is missing.
    if (how === 'closes') expect(read).toBe(MIB / 2);
    else if (hasLength) expect([MIB / 2, 'upstream_failed']).toContain(read);
  });

  it.each(closing)('whose server %s the connection %s can be destroyed unread', async (how, _with, head) => {
    const { server, ended } = await startClosing(how, head);
    const { stream, condition } = startUpstream(server.port);
    const { stream: unread } = await stream();
    await expect.poll(ended).toBe(true);
    unread.destroy();
    await expect.poll(() => [server.open(), condition().inFlight]).toEqual([0, 0]);
  });

  it('counts as in flight until it ends', async () => {
    const { server } = await startFlood(100 * MIB);
    const { stream, failure } = startUpstream(server.port, { inFlightMax: 1 });
    const answer = await stream();
    expect(await failure()).toMatchObject({ failure: 'busy' });
    answer.stream.destroy();
    await once(answer.stream, 'close');
    (await stream()).stream.destroy();
  });

  it('can be read from within the events of another one', async () => {
    const { server } = await startFlood(4 * MIB);
    const full = (await startUpstream(server.port).stream()).stream;
    await expect.poll(() => full.readableLength).toBeGreaterThanOrEqual(64 * KIB);
    let own: Socket | undefined;
    const { port } = await startHostile((socket) => {
      own = socket;
      socket.write('HTTP/1.1 200 OK\r\ncontent-length: 1\r\n\r\n');
    });
    const small = (await startUpstream(port).stream()).stream;
    // Inside of a callback of the parser, which must not be entered again there.
    small.on('data', () => {
      full.read();
      full.resume();
    });
    own?.write('x');
    await Promise.all([finished(small), finished(full)]);
  });

  it('that has filled what is read ahead with its last byte leaves a connection that works', async () => {
    const body = Buffer.alloc(64 * KIB, 'x');
    const server = await startReceiver({ answer: (_request, response) => response.end(body) });
    const { stream, call } = startUpstream(server.port);
    const unread = (await stream()).stream;
    await expect.poll(() => unread.readableLength).toBe(body.length);
    expect((await call()).body.equals(body)).toBe(true);
    expect(server.connections).toBe(1);
    expect((await buffer(unread)).equals(body)).toBe(true);
  });
});
