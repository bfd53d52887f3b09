import { createHash } from 'node:crypto';
import { once } from 'node:events';
import {
  type ClientRequest,
  type IncomingMessage,
  type RequestListener,
  request as startRequest,
} from 'node:http';
import { Readable } from 'node:stream';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { beforeEach, describe, expect, it } from 'vitest';
import { useTestFolder } from '../support/folder/test-folder.ts';
import { next } from '../support/service/build-versions.ts';

const MIB = 2 ** 20;
const UPLOAD_BYTES = 100 * MIB;
/** Garbage is collected at every look, which takes a second in a large process. */
const LOOK_BYTES = 90 * MIB;
const chunk = Buffer.alloc(64 * 1024, 'upload');

setFlagsFromString('--expose-gc');
const collectGarbage: () => void = runInNewContext('gc');

/** Buffers that somebody still holds, and some that are not yet swept. */
function heldBytes(): number {
  collectGarbage();
  return process.memoryUsage().arrayBuffers;
}

const contract = JSON.stringify({
  openapi: '3.1.0',
  info: { title: 'Uploads', version: next },
  security: [],
  paths: {
    '/files/{name}': {
      parameters: [{ name: 'name', in: 'path', required: true, schema: { type: 'string', maxLength: 20 } }],
      put: {
        operationId: 'files:write',
        requestBody: {
          required: true,
          content: { 'application/octet-stream': {}, 'application/json': { schema: { type: 'object' } } },
        },
        responses: {
          200: { description: 'Written.', content: { 'application/json': { schema: {} } } },
          409: { description: 'Not now.', 'x-error-codes': ['not_now'] },
        },
      },
    },
  },
});

interface Arrived {
  bytes: number;
  digest: string;
  held: number;
  length: string | undefined;
  isWhole: boolean;
}

describe('uploads', () => {
  const arrived: Arrived[] = [];
  let onData: () => void = () => {};
  let onEnd: () => void = () => {};
  const upstream: RequestListener = async (request, response) => {
    if (request.url === '/files/refused')
      return void response.writeHead(409, { 'content-type': 'application/json' }).end('{"code":"not_now"}');
    arrived.push(await readAll(request));
    onEnd();
    if (!response.destroyed) response.writeHead(200, { 'content-type': 'application/json' }).end('{}');
  };
  const service = useTestFolder({ contract, upstream, settings: { requestBytesMax: UPLOAD_BYTES } });

  async function readAll(request: IncomingMessage): Promise<Arrived> {
    const hash = createHash('sha256');
    let [bytes, held, looks] = [0, 0, 0];
    request.on('error', () => {});
    request.on('data', (part: Buffer) => {
      bytes += part.length;
      hash.update(part);
      onData();
      if (bytes < (looks + 1) * LOOK_BYTES) return;
      looks += 1;
      held = Math.max(held, heldBytes());
    });
    await new Promise((resolve) => request.once('close', resolve));
    const { complete: isWhole, headers } = request;
    return { bytes, held, digest: hash.digest('hex'), length: headers['content-length'], isWhole };
  }

  beforeEach(() => {
    arrived.length = 0;
    [onData, onEnd] = [() => {}, () => {}];
  });

  /** A request that is sent part by part. */
  function start(name: string, headers: Record<string, string | number> = {}): ClientRequest {
    const request = startRequest(`${service.urls.sandbox}/files/${name}`, {
      method: 'PUT',
      headers: { 'content-type': 'application/octet-stream', ...headers },
    });
    request.on('error', () => {});
    return request;
  }

  async function upload(name: string, bytes: number, headers: Record<string, string | number> = {}) {
    const request = start(name, headers);
    const answer = once(request, 'response') as Promise<[IncomingMessage]>;
    Readable.from(Array.from({ length: bytes / chunk.length }, () => chunk)).pipe(request);
    const [response] = await answer;
    response.resume();
    return response.statusCode;
  }

  it.each([
    ['a length', { 'content-length': UPLOAD_BYTES }],
    ['no length', {}],
  ])('[folder 27] of 100 MiB and %s arrive whole, and are never held', async (_what, headers) => {
    const before = heldBytes();
    expect(await upload('large', UPLOAD_BYTES, headers)).toBe(200);
    const hash = createHash('sha256');
    for (let sent = 0; sent < UPLOAD_BYTES; sent += chunk.length) hash.update(chunk);
    const length = 'content-length' in headers ? String(UPLOAD_BYTES) : undefined;
    expect(arrived).toEqual([
      { bytes: UPLOAD_BYTES, digest: hash.digest('hex'), held: expect.any(Number), length, isWhole: true },
    ]);
    expect((arrived[0]?.held ?? Number.POSITIVE_INFINITY) - before).toBeLessThan(UPLOAD_BYTES / 2);
  });

  it('[folder 27] that break end the call of the upstream, and the next one is served', async () => {
    const isOver = new Promise<void>((resolve) => {
      onEnd = resolve;
    });
    const request = start('broken', { 'content-length': UPLOAD_BYTES });
    onData = () => request.destroy();
    request.write(chunk);
    await isOver;
    expect(arrived).toMatchObject([{ isWhole: false }]);
    onData = () => {};
    for (let count = 0; count < 6; count += 1) expect(await upload('next', chunk.length)).toBe(200);
  });

  it('[folder 27] that are larger than the folder allows are 413, whether they say so or not', async () => {
    expect(
      await upload('said', UPLOAD_BYTES + chunk.length, { 'content-length': UPLOAD_BYTES + chunk.length }),
    ).toBe(413);
    expect(arrived).toEqual([]);
    expect(await upload('unsaid', UPLOAD_BYTES + chunk.length)).toBe(413);
    await expect.poll(() => arrived).toMatchObject([{ isWhole: false }]);
  });

  it('[folder 27] that are refused are answered before they are there', async () => {
    for (const [name, status] of [
      ['refused', 409],
      ['x'.repeat(21), 422],
    ] as const) {
      const request = start(name, { 'content-length': UPLOAD_BYTES });
      request.write(chunk);
      const [response] = (await once(request, 'response')) as [IncomingMessage];
      expect([name, response.statusCode]).toEqual([name, status]);
      request.destroy();
    }
    expect(arrived).toEqual([]);
  });

  it('[folder 27] that are empty are refused, and other bodies of the operation are checked', async () => {
    const call = (body: string, type: string) =>
      service.call('sandbox', '/files/a', { method: 'PUT', body, headers: { 'content-type': type } });
    expect((await call('', 'application/octet-stream')).status).toBe(400);
    expect((await call('[]', 'application/json')).status).toBe(422);
    expect((await call('a', 'text/plain')).status).toBe(415);
    expect(arrived).toEqual([]);
    expect((await call('{}', 'application/json')).status).toBe(200);
  });
});

describe('uploads that stand still', () => {
  const isRead = (url = '') => url !== '/files/unread';
  const service = useTestFolder({
    contract,
    upstream: (request) => void (isRead(request.url) && request.resume()),
    settings: { requestBytesMax: UPLOAD_BYTES, idleSeconds: 1 },
  });

  it.each([
    ['unread', UPLOAD_BYTES, 504],
    ['unsent', chunk.length, 408],
  ])('[folder 27] because they are %s are ended', async (name, bytes, status) => {
    const headers = { 'content-type': 'application/octet-stream', 'content-length': UPLOAD_BYTES };
    const request = startRequest(`${service.urls.sandbox}/files/${name}`, { method: 'PUT', headers });
    request.on('error', () => {});
    const answer = once(request, 'response') as Promise<[IncomingMessage]>;
    const parts = Readable.from(Array.from({ length: bytes / chunk.length }, () => chunk));
    parts.pipe(request, { end: false });
    const [response] = await answer;
    expect(response.statusCode).toBe(status);
    request.destroy();
  });
});
