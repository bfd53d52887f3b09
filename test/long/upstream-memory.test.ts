import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { setImmediate } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createPostgresDatabase, type PostgresDatabase } from '../support/database/postgres-database.ts';
import { copyOrdersFor } from '../support/folder/orders-folder.ts';
import { printFigures } from '../support/run/print-figures.ts';
import { deprecated, next } from '../support/service/build-versions.ts';
import { type SpawnedDateline, spawnDateline } from '../support/service/spawn-dateline.ts';

const MIB = 2 ** 20;
const CHUNK = Buffer.alloc(65_536, 'x');

/** The process of a real service, as the system counts its memory. */
describe.runIf(process.platform === 'linux')('the memory of a service behind which an upstream', () => {
  let database: PostgresDatabase;
  let upstream: Server;
  let node: SpawnedDateline;
  let folder: string;
  let dataDir: string;
  let base: string;
  let token: string;
  let mebibytes = 10;

  beforeAll(async () => {
    database = await createPostgresDatabase({ migrated: true });
    upstream = createServer((request, response) => {
      const type = request.url?.endsWith('/receipt') ? 'text/csv' : 'application/json';
      void answer(response.writeHead(200, { 'content-type': type }), mebibytes);
    }).listen(0, '127.0.0.1');
    await once(upstream, 'listening');
    folder = copyOrdersFor({ sandbox: `http://127.0.0.1:${(upstream.address() as AddressInfo).port}` });
    dataDir = mkdtempSync(join(tmpdir(), 'dateline-memory-'));
    node = spawnDateline(['serve', '--api', folder], {
      env: { DATABASE_URL: database.url, DATELINE_DATA_DIR: dataDir },
      ignoreLog: true,
    });
    ({ sandbox: base } = await node.ready());
    token = JSON.parse(readFileSync(join(dataDir, 'quickstart.json'), 'utf8')).sandbox.access_token;
  });
  afterAll(async () => {
    node?.child.kill();
    await node?.exit;
    upstream?.closeAllConnections();
    upstream?.close();
    await database?.drop();
    for (const path of [folder, dataDir]) if (path) rmSync(path, { recursive: true, force: true });
  });

  /** Reads an answer to its end, and returns its status and how long it was. */
  async function read(path: string, version = next): Promise<{ status: number; bytes: number }> {
    const response = await fetch(base + path, {
      headers: { authorization: `Bearer ${token}`, 'service-version': version },
    });
    let bytes = 0;
    for await (const chunk of response.body ?? []) {
      bytes += chunk.length;
      // Slower than what it reads from.
      await setImmediate();
    }
    return { status: response.status, bytes };
  }

  /** How far above what it held before the process has come, in MiB. */
  async function addedBy(work: () => Promise<unknown>): Promise<number> {
    // From here on the highest point is counted anew (proc(5), clear_refs).
    writeFileSync(`/proc/${node.child.pid}/clear_refs`, '5');
    const before = residentKib('VmRSS');
    await work();
    return (residentKib('VmHWM') - before) / 1024;
  }

  function residentKib(line: 'VmRSS' | 'VmHWM'): number {
    const status = readFileSync(`/proc/${node.child.pid}/status`, 'utf8');
    return Number(new RegExp(`^${line}:\\s+(\\d+) kB$`, 'm').exec(status)?.[1]);
  }

  /** Of several rounds: in some of them the process collects what others have left. */
  async function medianOf(rounds: number, work: () => Promise<unknown>): Promise<number> {
    const added: number[] = [];
    for (let round = 0; round < rounds; round += 1) added.push(await addedBy(work));
    return added.sort((one, other) => one - other)[Math.floor(rounds / 2)] ?? Number.NaN;
  }

  it('answers 10 MB that nothing changes grows by 5 MB at most', async () => {
    mebibytes = 10;
    const receipt = async () =>
      expect(await read('/orders/ord-1/receipt')).toEqual({ status: 200, bytes: 10 * MIB });
    for (let warming = 0; warming < 20; warming += 1) await receipt();
    const added = await medianOf(11, receipt);
    printFigures(`an untouched answer of 10 MiB adds ${added.toFixed(1)} MiB`);
    expect(added).toBeLessThanOrEqual(5);
  });

  it('answers 100 MB, to ten slow callers at once, stays flat; what would be translated is refused', async () => {
    mebibytes = 100;
    const ten = () => Promise.all(Array.from({ length: 10 }, () => read('/orders/ord-1/receipt')));
    await ten();
    const added = await medianOf(3, async () => {
      expect(await ten()).toEqual(Array(10).fill({ status: 200, bytes: 100 * MIB }));
    });
    const refusing = await medianOf(3, async () => {
      const answers = Array.from({ length: 10 }, () => read('/orders/ord-1', deprecated));
      expect((await Promise.all(answers)).map(({ status }) => status)).toEqual(Array(10).fill(502));
    });
    printFigures(
      `ten answers of 100 MiB at once add ${added.toFixed(1)} MiB, ten that are refused ${refusing.toFixed(1)} MiB`,
    );
    // Each caller has a few buffers of its own; ten answers would be a thousand.
    expect(added).toBeLessThanOrEqual(50);
    expect(refusing).toBeLessThanOrEqual(50);
  });
});

async function answer(response: ServerResponse, mebibytes: number): Promise<void> {
  const chunks = function* () {
    for (let sent = 0; sent < mebibytes * MIB; sent += CHUNK.length) yield CHUNK;
  };
  // Whoever hangs up early is no failure of this server.
  await pipeline(Readable.from(chunks()), response).catch(() => {});
}
