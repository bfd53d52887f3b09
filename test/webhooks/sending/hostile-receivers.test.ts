import type { Socket } from 'node:net';
import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { dialTcp } from '../../../src/webhooks/sending/connection.ts';
import { type Certificate, createAuthority, selfSigned } from '../../support/http/certificates.ts';
import { startHostile, startReceiver } from '../../support/webhooks/receivers.ts';
import { startSender } from '../../support/webhooks/test-sender.ts';

const MIB = 2 ** 20;
const DEADLINE_MS = 300;
/** Where something has to arrive before it, also on a busy machine. */
const LATE_DEADLINE_MS = 1_500;

/** Sends to a receiver that does this once the request has begun to arrive. */
async function sendTo(hostile: (socket: Socket) => void, deadlineMs?: number) {
  const receiver = await startHostile(hostile);
  const { send } = startSender(deadlineMs === undefined ? {} : { deadlineMs });
  const url = `http://127.0.0.1:${receiver.port}/`;
  return { outcome: await send(url), receiver, again: async () => send(url) };
}

describe('a receiver that is slow', () => {
  it('[webhooks 25] and never answers is cut off at the timeout', async () => {
    const { outcome, receiver } = await sendTo(() => {}, DEADLINE_MS);
    expect(outcome).toMatchObject({ status: null, answerText: null, error: 'timeout' });
    await expect.poll(() => receiver.open()).toBe(0);
  });

  it('[webhooks 25] and never completes its TLS handshake is cut off too', async () => {
    const receiver = await startHostile(() => {});
    const { send } = startSender({ deadlineMs: DEADLINE_MS });
    expect(await send(`https://127.0.0.1:${receiver.port}/`)).toMatchObject({
      status: null,
      error: 'timeout',
    });
    await expect.poll(() => receiver.open()).toBe(0);
  });

  it('[webhooks 25] to be resolved by name is cut off too', async () => {
    const { send } = startSender({ deadlineMs: DEADLINE_MS, lookup: async () => new Promise(() => {}) });
    expect(await send('https://hooks.example.com/')).toMatchObject({ status: null, error: 'timeout' });
  });

  it('[webhooks 26] and drips bytes is cut off too: the timeout covers the whole attempt', async () => {
    let bytes = 0;
    const drip = (head: string) => (socket: Socket) => {
      socket.write(head);
      const timer = setInterval(() => {
        bytes += 1;
        socket.write('x');
      }, 20);
      socket.on('close', () => clearInterval(timer));
    };
    const body = await sendTo(drip('HTTP/1.1 200 OK\r\ncontent-length: 100000\r\n\r\n'), LATE_DEADLINE_MS);
    expect(body.outcome).toMatchObject({ status: 200, error: 'timeout' });
    expect(body.outcome.answerText).toMatch(/^x+$/);
    expect(bytes).toBeGreaterThan(2);
    const header = await sendTo(drip('HTTP/1.1 200 OK\r\nx-slow: '), LATE_DEADLINE_MS);
    expect(header.outcome).toMatchObject({ status: null, error: 'timeout' });
    await expect.poll(() => body.receiver.open() + header.receiver.open()).toBe(0);
  });
});

describe('a receiver that sends too much', () => {
  const heads = {
    'in chunks without end': 'transfer-encoding: chunked',
    'of 1 GB': `content-length: ${2 ** 30}`,
    'without saying how much': 'connection: close',
  };

  it.each(Object.entries(heads))(
    '[webhooks 27] %s is cut off after 64 KiB, and uses no memory',
    async (_how, head) => {
      const data = Buffer.alloc(MIB, 'x');
      const chunk = head.includes('chunked')
        ? Buffer.concat([Buffer.from(`${MIB.toString(16)}\r\n`), data, Buffer.from('\r\n')])
        : data;
      let written = 0;
      const flood = (socket: Socket) => {
        socket.write(`HTTP/1.1 200 OK\r\n${head}\r\n\r\n`);
        const more = (): void => {
          while (!socket.destroyed && written < 1024 * MIB) {
            written += chunk.length;
            if (!socket.write(chunk)) return;
          }
        };
        socket.on('drain', more);
        more();
      };
      const before = process.memoryUsage();
      const { outcome, receiver } = await sendTo(flood);
      const after = process.memoryUsage();
      expect(outcome).toMatchObject({ status: 200, error: null });
      expect(outcome.answerText).toBe('x'.repeat(1_024));
      await expect.poll(() => receiver.open()).toBe(0);
      // What the kernel's own buffers hold, and no more.
      expect(written).toBeLessThan(32 * MIB);
      expect(after.arrayBuffers - before.arrayBuffers).toBeLessThan(32 * MIB);
    },
  );

  it('[webhooks 27] with an error status is cut off too, and stays an error', async () => {
    const { outcome } = await sendTo((socket) => {
      socket.write(`HTTP/1.1 500 No\r\ncontent-length: ${MIB}\r\n\r\n${'x'.repeat(100_000)}`);
    });
    expect(outcome).toMatchObject({ status: 500, error: 'status' });
  });

  it('[webhooks 28] when decompressed is not decompressed, and was not asked to compress', async () => {
    const bomb = gzipSync(Buffer.alloc(32 * MIB, 'A'), { level: 9 });
    const receiver = await startReceiver({
      answer: (_request, response) => response.writeHead(200, { 'content-encoding': 'gzip' }).end(bomb),
    });
    const { send } = startSender();
    const outcome = await send(`http://127.0.0.1:${receiver.port}/`);
    expect(outcome).toMatchObject({ status: 200, error: null });
    expect(outcome.answerText).not.toContain('AAAA');
    expect(outcome.answerText?.length).toBeLessThanOrEqual(1_024);
    expect(receiver.requests[0]?.headers['accept-encoding']).toBe('identity');
  });
});

describe('a receiver that violates HTTP', () => {
  const lines = (...all: string[]): string => all.map((line) => `${line}\r\n`).join('');

  it.each([
    ['one header of 64 KB', lines('HTTP/1.1 200 OK', `x-large: ${'x'.repeat(65_536)}`, '')],
    [
      '64 KB of headers',
      lines('HTTP/1.1 200 OK', ...new Array<string>(1_000).fill(`x-a: ${'x'.repeat(60)}`), ''),
    ],
    [
      '64 KB of trailers',
      lines('HTTP/1.1 200 OK', 'transfer-encoding: chunked', '', '0', `x: ${'x'.repeat(65_536)}`, ''),
    ],
    ['NUL in a header', lines('HTTP/1.1 200 OK', 'x-a: a\u0000b', '')],
    ['a space in the name of a header', lines('HTTP/1.1 200 OK', 'x a: b', '')],
    ['a header without a name', lines('HTTP/1.1 200 OK', ': b', '')],
    ['lone line feeds in a header', 'HTTP/1.1 200 OK\nx: y\rz\n\n'],
    ['two lengths', lines('HTTP/1.1 200 OK', 'content-length: 1', 'content-length: 2', '', 'xx')],
    [
      'a length and chunks',
      lines('HTTP/1.1 200 OK', 'content-length: 3', 'transfer-encoding: chunked', '', '0', ''),
    ],
    ['a negative length', lines('HTTP/1.1 200 OK', 'content-length: -1', '')],
    ['a chunk of no number', lines('HTTP/1.1 200 OK', 'transfer-encoding: chunked', '', 'zz', 'x')],
    ['a status of no number', lines('HTTP/1.1 abc OK', '')],
    ['a version of its own', lines('HTTP/9.9 200 OK', '')],
    ['another protocol', lines('220 mail.example.com ESMTP')],
    ['a switch of protocols', lines('HTTP/1.1 101 Switching', 'upgrade: h2c', 'connection: upgrade', '')],
    ['HTTP/2', Buffer.from('000000040000000000', 'hex').toString('latin1')],
  ])('[webhooks 29] and answers with %s has given no valid answer', async (_what, answer) => {
    const { outcome, receiver } = await sendTo((socket) => void socket.write(answer, 'latin1'));
    expect(outcome.error).toBe('bad_answer');
    await expect.poll(() => receiver.open()).toBe(0);
  });

  it('[webhooks 29] and floods with interim answers is cut off', async () => {
    let written = 0;
    const interim = lines('HTTP/1.1 103 Early Hints', 'link: </a>', '').repeat(1_000);
    const { outcome, receiver } = await sendTo((socket) => {
      const more = (): void => {
        while (!socket.destroyed && written < 256 * MIB) {
          written += interim.length;
          if (!socket.write(interim)) return;
        }
      };
      socket.on('drain', more);
      more();
    });
    expect(outcome).toMatchObject({ status: null, error: 'bad_answer' });
    await expect.poll(() => receiver.open()).toBe(0);
    expect(written).toBeLessThan(32 * MIB);
  });

  it('[webhooks 29] but sends a few interim answers first is read to the end', async () => {
    const { outcome } = await sendTo((socket) => {
      const interim = lines('HTTP/1.1 103 Early Hints', 'link: </a>', '').repeat(3);
      socket.write(`${interim}${lines('HTTP/1.1 200 OK', 'content-length: 2', '')}ok`);
    });
    expect(outcome).toMatchObject({ status: 200, answerText: 'ok', error: null });
  });

  const short = lines('HTTP/1.1 200 OK', 'content-length: 100', '', 'short');
  const oneChunk = lines('HTTP/1.1 200 OK', 'transfer-encoding: chunked', '', '5', 'short');
  it.each([
    ['closes without an answer', 'end', '', null],
    ['resets without an answer', 'resetAndDestroy', '', null],
    ['closes within the headers', 'end', 'HTTP/1.1 200 OK\r\nx-', null],
    ['closes before the length it has said', 'end', short, 200],
    ['resets before the length it has said', 'resetAndDestroy', short, 200],
    ['closes between chunks', 'end', oneChunk, 200],
    ['resets between chunks', 'resetAndDestroy', oneChunk, 200],
  ] as const)('[webhooks 29] and %s has not given a whole answer', async (_what, leave, answer, status) => {
    let ours: Socket | undefined;
    const receiver = await startHostile((socket) => {
      socket.write(answer);
      // A reset overtakes written data, so it waits until that was read.
      const leaveOnceRead = (): void => {
        if ((ours?.bytesRead ?? 0) < answer.length) setImmediate(leaveOnceRead);
        else socket[leave]();
      };
      leaveOnceRead();
    });
    const { send } = startSender({
      dial(addresses, port) {
        ours = dialTcp(addresses, port);
        return ours;
      },
    });
    const outcome = await send(`http://127.0.0.1:${receiver.port}/`);
    expect(outcome).toMatchObject({ status, error: 'connection_reset' });
    expect(outcome.answerText?.trim() ?? null).toBe(status === null ? null : 'short');
    await expect.poll(() => receiver.open()).toBe(0);
  });

  it('[webhooks 29] and sends more than it has declared cannot answer for the next delivery', async () => {
    let answers = 0;
    const forged = lines('HTTP/1.1 201 Forged', 'content-length: 0', '');
    const { outcome, again } = await sendTo((socket) => {
      answers += 1;
      socket.write(`${lines('HTTP/1.1 200 OK', 'content-length: 2', '')}ok${answers === 1 ? forged : ''}`);
    });
    expect(outcome).toMatchObject({ status: 200, answerText: 'ok', error: null });
    expect(await again()).toMatchObject({ status: 200, answerText: 'ok', error: null });
    expect(answers).toBe(2);
  });

  it('[webhooks 31] has its answer stored as text without NUL and without broken characters', async () => {
    const answer = Buffer.from([0x61, 0x00, 0xff, 0xfe, 0xc3, 0x28, 0xed, 0xa0, 0x80, 0xe2, 0x82]);
    const receiver = await startReceiver({ answer: (_request, response) => response.end(answer) });
    const { send } = startSender();
    const { answerText } = await send(`http://127.0.0.1:${receiver.port}/`);
    expect(answerText).toBe('a\uFFFD\uFFFD\uFFFD\uFFFD(\uFFFD\uFFFD\uFFFD\uFFFD');
  });

  it('[webhooks 31] has 1 KiB of its answer stored, cut between characters', async () => {
    const receiver = await startReceiver({ answer: (_request, response) => response.end('€'.repeat(1_000)) });
    const { send } = startSender();
    const { answerText } = await send(`http://127.0.0.1:${receiver.port}/`);
    expect(answerText).toBe('€'.repeat(341));
  });
});

describe('a receiver whose certificate', () => {
  const authority = createAuthority();
  const name = 'hooks.example.com';
  const certificates: Record<string, Certificate> = {
    'has expired': authority.issue({ name, notAfter: new Date('2001-01-01T00:00:00Z') }),
    'is not valid yet': authority.issue({ name, notBefore: new Date('2048-01-01T00:00:00Z') }),
    'is signed by itself': selfSigned({ name }),
    'is signed by an authority nobody knows': createAuthority('another').issue({ name }),
    'is for another name': authority.issue({ name: 'other.example.com' }),
    'is for an address instead of the name': authority.issue({ name: '127.0.0.1' }),
  };

  it.each(Object.entries(certificates))('[webhooks 30] %s gets nothing', async (_what, certificate) => {
    const receiver = await startReceiver({ certificate });
    const { send } = startSender({ ca: authority.cert });
    const outcome = await send(`https://${name}:${receiver.port}/`);
    expect(outcome).toMatchObject({ status: null, answerText: null, error: 'tls' });
    expect([receiver.requests.length, receiver.connections]).toEqual([0, 1]);
    await expect.poll(() => receiver.open()).toBe(0);
  });

  it('[webhooks 30] is not requested, because there is no TLS at all, gets nothing', async () => {
    const receiver = await startReceiver();
    const { send } = startSender({ ca: authority.cert });
    expect(await send(`https://${name}:${receiver.port}/`)).toMatchObject({ status: null, error: 'tls' });
    expect(receiver.requests).toEqual([]);
  });

  it('[webhooks 30] is valid gets the delivery', async () => {
    const receiver = await startReceiver({ certificate: authority.issue({ name }) });
    const { send } = startSender({ ca: authority.cert });
    expect(await send(`https://${name}:${receiver.port}/`)).toMatchObject({ status: 200, error: null });
    expect(receiver.requests).toHaveLength(1);
  });
});
