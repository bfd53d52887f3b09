import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createPostgresDatabase } from '../support/database/postgres-database.ts';
import { freePort } from '../support/database/postgres-server.ts';
import { copyOrdersFor, edit } from '../support/folder/orders-folder.ts';
import { itInLongRuns } from '../support/run/in-long-runs.ts';
import { type SpawnedDateline, spawnDateline } from '../support/service/spawn-dateline.ts';

/** More than an answer is gathered for, so that it is streamed. */
const STREAMED_BYTES = 2 ** 20 + 1;
const HEAD = 'HTTP/1.1 200 OK\r\ncontent-type: text/csv\r\n';

/** Orders that the folder answers itself, with what a handler can do to its process. */
const HANDLERS = `
  const order = { id: 'a', customer: 'Ada', lines: [{ sku: 'umbrella', quantity: 1 }],
    total: { amount: '12.50', currency: 'EUR' }, state: 'placed' };
  export default {
    async 'orders:read'({ request: { params: { id } }, signal }) {
      if (id === 'hang') return new Promise(() => {});
      if (id === 'late') await new Promise((resolve) => signal.addEventListener('abort', resolve));
      if (id === 'throw') setTimeout(() => { throw new Error('thrown in a timer'); });
      if (id === 'reject') void Promise.reject(new Error('rejected for nobody'));
      return { status: 200, body: { ...order, id } };
    },
  };`;

let database: { url: string; drop(): Promise<void> };
let folder: string;
let dataFolder: string;
let upstream: Server;
const started: SpawnedDateline[] = [];
/** By the id of the order whose receipt is asked for. */
const receipts = new Map<string, (socket: Socket) => void>();

beforeAll(async () => {
  database = await createPostgresDatabase({ migrated: true });
  dataFolder = mkdtempSync(join(tmpdir(), 'dateline-uncaught-'));
  // Bare sockets: some of what is answered here no HTTP server would send.
  upstream = createServer((socket) => {
    socket.on('error', () => {});
    socket.on('data', (request) => {
      const [, id = ''] = /^GET \/orders\/([^/]+)\/receipt/.exec(request.toString()) ?? [];
      receipts.get(id)?.(socket);
    });
  }).listen(0, '127.0.0.1');
  await once(upstream, 'listening');
  const { port } = upstream.address() as AddressInfo;
  folder = copyOrdersFor({ sandbox: `http://127.0.0.1:${port}`, production: `http://localhost:${port}` });
  writeFileSync(join(folder, 'handlers.mjs'), HANDLERS);
});
afterAll(async () => {
  for (const { child, exit } of started) {
    child.kill('SIGKILL');
    await exit;
  }
  upstream?.close();
  await database?.drop();
  for (const path of [folder, dataFolder]) rmSync(path, { recursive: true, force: true });
});

function start(command: readonly string[], env: Readonly<Record<string, string>> = {}): SpawnedDateline {
  const node = spawnDateline(command, {
    env: {
      DATABASE_URL: database.url,
      DATELINE_DATA_DIR: dataFolder,
      DATELINE_API: folder,
      DATELINE_REQUEST_SECONDS: '1',
      ...env,
    },
  });
  started.push(node);
  return node;
}

function callerOf(url: string) {
  const { access_token: token } = JSON.parse(
    readFileSync(join(dataFolder, 'quickstart.json'), 'utf8'),
  ).sandbox;
  const call = (path: string): Promise<Response> =>
    fetch(`${url}${path}`, { headers: { authorization: `Bearer ${token}` } });
  return {
    receipt: (id: string) => call(`/orders/${id}/receipt`),
    order: async (id: string) => (await call(`/orders/${id}`)).status,
    ready: async () => (await call('/readyz')).status,
    uncaught: async () =>
      Number(
        /^dateline_uncaught_errors_total\{[^}]*\} (\d+)$/m.exec(await (await call('/metrics')).text())?.[1],
      ),
  };
}

/** Answers a receipt with these bytes, and then with whatever is to follow; resolves when it was asked for. */
function answerReceipt(id: string, begin: string): Promise<Socket> {
  return new Promise((resolve) => {
    receipts.set(id, (socket) => {
      socket.write(begin);
      resolve(socket);
    });
  });
}

const body = 'x'.repeat(STREAMED_BYTES);
const withLength = (bytes: number): string => `${HEAD}content-length: ${bytes}\r\n\r\n`;
const logged = (node: SpawnedDateline, msg: string) =>
  node
    .stderr()
    .split('\n')
    .filter((line) => line.startsWith('{'))
    .map((line) => JSON.parse(line))
    .filter((line) => line.msg === msg);

describe('a node that serves an API folder', () => {
  let node: SpawnedDateline;
  let call: ReturnType<typeof callerOf>;
  beforeAll(async () => {
    node = start(['serve'], { DATELINE_DRAIN_SECONDS: '2' });
    call = callerOf((await node.ready()).sandbox);
  });

  it('[outside2 1] [folder 35] streams for longer than DATELINE_REQUEST_SECONDS, also where no byte of the body has come yet', async () => {
    const bodiless = answerReceipt('bodiless', withLength(STREAMED_BYTES));
    const begun = answerReceipt('begun', withLength(2 * STREAMED_BYTES) + body);
    const answers = [call.receipt('bodiless'), call.receipt('begun')];
    const sockets = await Promise.all([bodiless, begun]);
    // These are asked for after them, so their time is over when these are refused. One is answered a second time after that.
    expect(await Promise.all([call.order('hang'), call.order('late')])).toEqual([503, 503]);
    for (const socket of sockets) socket.end(body);
    const [first, second] = await Promise.all(answers);
    expect([first?.status, (await first?.text())?.length]).toEqual([200, STREAMED_BYTES]);
    expect([second?.status, (await second?.text())?.length]).toEqual([200, 2 * STREAMED_BYTES]);
    expect(await call.ready()).toBe(200);
  });

  it.each([
    [
      'is reset in the middle',
      withLength(2 * STREAMED_BYTES) + body,
      (socket: Socket) => socket.resetAndDestroy(),
    ],
    ['is followed by a second answer', `${withLength(body.length)}${body}${withLength(3)}two`, () => {}],
    ['is followed by headers', `${withLength(body.length)}${body}content-type: text/html\r\n\r\n`, () => {}],
    [
      'has headers after its chunks',
      `${HEAD}transfer-encoding: chunked\r\n\r\n${body.length.toString(16)}\r\n${body}\r\n0\r\ncontent-type: text/html\r\n\r\n`,
      () => {},
    ],
  ])('[folder 35] survives a stream that %s, and so do requests beside it', async (what, begin, goOn) => {
    const id = what.replaceAll(' ', '-');
    const begun = answerReceipt(id, begin);
    const [read] = await Promise.all([
      call.receipt(id).then((response) =>
        response.text().then(
          (text) => text.length,
          () => 'cut off',
        ),
      ),
      begun.then(async (socket) => {
        expect(await call.order('beside')).toBe(200);
        goOn(socket);
      }),
    ]);
    expect(['cut off', STREAMED_BYTES]).toContain(read);
    expect([await call.order('after'), node.child.exitCode]).toEqual([200, null]);
  });

  it('[outside2 1] [folder 35] logs and counts what is thrown in a timer, drains, and ends with 1 when all is answered', async () => {
    const begun = answerReceipt('last', withLength(2 * STREAMED_BYTES) + body);
    const answer = call.receipt('last');
    const socket = await begun;
    expect(await call.uncaught()).toBe(0);
    expect(await call.order('throw')).toBe(200);
    await expect.poll(call.ready).toBe(503);
    expect(await call.uncaught()).toBe(1);
    await expect.poll(() => logged(node, 'stopping').length).toBe(1);
    socket.end(body);
    expect((await (await answer).text()).length).toBe(2 * STREAMED_BYTES);
    expect(await node.exit).toBe(1);
    expect(logged(node, 'stopped').length).toBe(1);
    expect(logged(node, 'uncaught error: this process drains and ends')).toMatchObject([
      { level: 'fatal', internal: expect.stringMatching(/thrown in a timer\n.*handlers\.mjs/) },
    ]);
  });
});

itInLongRuns(
  '[outside2 1] a worker of --workers that drains is replaced, and what it has counted is not lost',
  async () => {
    const ports = {
      DATELINE_PORT: String(await freePort()),
      DATELINE_SANDBOX_PORT: String(await freePort()),
    };
    const node = start(['serve', '--workers', '2'], ports);
    const call = callerOf((await node.ready()).sandbox);
    expect(await call.order('reject')).toBe(200);
    await expect.poll(call.uncaught).toBe(1);
    await expect.poll(() => logged(node, 'worker died; starting another').length).toBe(1);
    await expect.poll(() => logged(node, 'ready').length).toBe(3);
    expect(await call.uncaught()).toBe(1);
    node.child.kill('SIGTERM');
    expect(await node.exit).toBe(0);
  },
);

it('[outside2 1] a process that only delivers logs it, and stops too', async () => {
  const flag = join(folder, 'throw-now');
  edit(
    folder,
    'dateline.config.mjs',
    (text) =>
      `import { existsSync } from 'node:fs';\nsetInterval(() => { if (existsSync(${JSON.stringify(flag)})) throw new Error('in the configuration'); }, 50).unref();\n${text}`,
  );
  const node = start(['worker']);
  await expect.poll(() => node.stdout()).toContain('ready worker');
  writeFileSync(flag, '');
  expect(await node.exit).toBe(1);
  expect(logged(node, 'uncaught error: this process drains and ends')[0]).toMatchObject({ level: 'fatal' });
  expect(logged(node, 'stopped').length).toBe(1);
});
