import { connect } from 'node:net';
import { describe, expect, it } from 'vitest';
import { anyEngine } from '../support/database/databases.ts';
import { useTestService } from '../support/service/test-service.ts';

const MIB = 2 ** 20;
const CHUNK = Buffer.alloc(64 * 1024, 'x');

describe('a body that is too large', () => {
  const service = useTestService(anyEngine);

  /** Sends a body of this size without reading the answer, as simple clients do. */
  async function send(bytes: number, sentBytesMax = bytes) {
    const socket = connect(Number(new URL(service.urls.sandbox).port), '127.0.0.1');
    let answer = '';
    let open = true;
    socket.on('data', (chunk) => {
      answer += chunk.toString();
    });
    socket.on('error', () => {});
    socket.on('close', () => {
      open = false;
    });
    socket.write(`POST /v1/oauth2/introspect HTTP/1.1\r\nHost: localhost\r\nContent-Length: ${bytes}\r\n`);
    socket.write('Content-Type: application/x-www-form-urlencoded\r\n\r\n');
    let sent = 0;
    while (sent < sentBytesMax && open) {
      const part = CHUNK.subarray(0, Math.min(CHUNK.length, sentBytesMax - sent));
      await new Promise((resolve) => socket.write(part, resolve));
      sent += part.length;
    }
    await expect.poll(() => answer).toMatch(/^HTTP\/1\.1 413 /);
    return { socket, sent, isOpen: () => open };
  }

  it('is read to its end, so that a client that reads late gets the answer', async () => {
    for (const bytes of [MIB / 2, 6 * MIB]) {
      const { socket, sent, isOpen } = await send(bytes);
      expect([sent, isOpen()]).toEqual([bytes, true]);
      socket.destroy();
    }
  });

  it('is cut off after 8 MiB', async () => {
    const { isOpen } = await send(64 * MIB);
    await expect.poll(isOpen).toBe(false);
  });

  it('is not awaited when it does not arrive', async () => {
    const { isOpen } = await send(6 * MIB, MIB);
    await expect.poll(isOpen).toBe(false);
  });
});
