import { once } from 'node:events';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { parcelsFolder } from '../support/folder/parcels-folder.ts';
import { writeFolder } from '../support/folder/test-folder.ts';
import { printFigures } from '../support/run/print-figures.ts';
import { current, deprecated, next } from '../support/service/build-versions.ts';
import { type SpawnedDev, spawnDev, untilSo } from '../support/service/spawn-dev.ts';

const EDITS = 100;
/** Edits after which the process is warm. */
const WARM = 40;
/**
 * One state of the API that was kept for each of the sixty edits after that would be 5 MB each, 300 MB in all; what Node keeps of the
 * modules that were edited is below 100 KB each. Between the two there is room for what the collector leaves for later.
 */
const GROWTH_MEGABYTES_MAX = 60;

describe.runIf(process.platform === 'linux')('dateline dev under load', () => {
  let upstream: Server;
  let folder: string;
  let dev: SpawnedDev;

  const answer: RequestListener = (request, response) => {
    request.resume();
    response.writeHead(200, { 'content-type': 'application/json' });
    response.end(JSON.stringify({ id: 'par-7', grams: 250 }));
  };

  beforeAll(async () => {
    upstream = createServer(answer).listen(0, '127.0.0.1');
    await once(upstream, 'listening');
    const sandbox = `http://127.0.0.1:${(upstream.address() as AddressInfo).port}`;
    folder = await writeFolder(parcelsFolder(answer), { production: 'http://127.0.0.1:9', sandbox });
    dev = await spawnDev(folder);
  });
  afterAll(async () => {
    await dev?.remove();
    upstream?.closeAllConnections();
    upstream?.close();
    if (folder) rmSync(folder, { recursive: true, force: true });
  });

  const texts = (file: string): string => readFileSync(join(folder, file), 'utf8');
  const NEXT = 'contract/next.yaml';
  const CHANGES = `contract/changes/${next}-to-${current}/index.mjs`;

  /** Each leaves what the next one needs; a wrong one is mended by the one after it. */
  function write(number: number): { isGood: boolean } {
    const [document, changes] = [texts(NEXT), texts(CHANGES)];
    switch (number % 4) {
      case 0:
        writeFileSync(join(folder, CHANGES), `${changes}\nconst edit${number} = ${number};\n`);
        return { isGood: true };
      case 1:
        writeFileSync(join(folder, NEXT), document.replace('example: par-1', 'minLenght: 1'));
        return { isGood: false };
      case 2:
        writeFileSync(
          join(folder, NEXT),
          document.replace('minLenght: 1', 'example: par-1').replace(/title: .*?,/, `title: Edit ${number},`),
        );
        return { isGood: true };
      default:
        writeFileSync(
          join(folder, NEXT),
          document
            .replace(/description: .*? here\./, `description: ${number} is here.`)
            .replace(/title: .*?,/, `title: Edit ${number},`),
        );
        return { isGood: true };
    }
  }

  const count = (part: string): number => dev.stderr().split(part).length - 1;

  function residentMegabytes(): number {
    const status = readFileSync(`/proc/${dev.child.pid}/status`, 'utf8');
    return (Number(/^VmRSS:\s+(\d+) kB$/m.exec(status)?.[1]) * 1024) / 1e6;
  }

  it(`serves every good one of ${EDITS} edits and loses no request, and its memory does not grow`, async () => {
    let isOver = false;
    let calls = 0;
    const failed: string[] = [];
    const callers = [deprecated, current, next, next].map(async (version) => {
      while (!isOver) {
        const response = await fetch(`${dev.url}/parcels/par-7`, { headers: { 'service-version': version } });
        const body = await response.text();
        calls += 1;
        if (response.status !== 200) failed.push(`${response.status} ${body}`);
      }
    });
    const memory: number[] = [];
    for (let number = 1; number <= EDITS; number++) {
      const before = { served: count('Served:'), refused: count('Not served:') };
      const { isGood } = write(number);
      await untilSo(() =>
        isGood ? count('Served:') > before.served : count('Not served:') > before.refused,
      ).catch((error: unknown) => {
        throw new Error(`edit ${number}: ${dev.stderr().slice(-2_000)}`, { cause: error });
      });
      memory.push(residentMegabytes());
    }
    isOver = true;
    await Promise.all(callers);
    const took = [...dev.stderr().matchAll(/^Served: .*\((\d+) ms of processor time\)/gm)]
      .map(([, ms]) => Number(ms))
      .sort((one, other) => one - other);
    const meanOf = (part: readonly number[]) => part.reduce((sum, one) => sum + one, 0) / part.length;
    const early = meanOf(memory.slice(WARM - 20, WARM));
    const late = meanOf(memory.slice(-20));
    printFigures(
      `${EDITS} edits, ${took.length} of them good, under ${calls} calls: ${took.at(took.length >> 1)} ms of processor time in the median, ${took.at(-1)} at most; ${early.toFixed(0)} MB on average up to edit ${WARM}, ${late.toFixed(0)} MB over the last twenty, ${Math.max(...memory).toFixed(0)} MB at most`,
    );
    expect(failed).toEqual([]);
    expect(took.length).toBe((EDITS / 4) * 3);
    expect(late - early).toBeLessThan(GROWTH_MEGABYTES_MAX);
  });
});
