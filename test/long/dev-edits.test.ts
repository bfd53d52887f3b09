import { once } from 'node:events';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { parcelsFolder } from '../support/folder/parcels-folder.ts';
import { writeFolder } from '../support/folder/test-folder.ts';
import { printFigures } from '../support/run/print-figures.ts';
import { current, deprecated, next } from '../support/service/build-versions.ts';
import { type SpawnedDev, spawnDev, untilSo } from '../support/service/spawn-dev.ts';

const EDITS = 100;
/** Edits after which the process is warm. */
const WARM = 20;
/**
 * What was replaced and is kept all the same is 600 KB for each edit, 50 MB in all. What Node keeps of a module that was edited is 115 KB,
 * and next to nothing stays of other edits.
 */
const GROWTH_MEGABYTES_MAX = 20;

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
    dev = await spawnDev(folder, [], { NODE_OPTIONS: `--expose-gc --import ${pathToFileURL(collector())}` });
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

  /** A module that lets a process collect all of its garbage at a signal, and tell what is left. */
  function collector(): string {
    const file = join(folder, '.collector.mjs');
    writeFileSync(
      file,
      "process.on('SIGUSR2', () => { gc(); gc(); const { heapUsed, rss } = process.memoryUsage(); console.error('kept', heapUsed, 'of', rss); });",
    );
    return file;
  }

  async function memory(): Promise<{ kept: number; resident: number }> {
    const before = count('kept ');
    dev.child.kill('SIGUSR2');
    await untilSo(() => count('kept ') > before);
    const [, kept, resident] = [...dev.stderr().matchAll(/^kept (\d+) of (\d+)$/gm)].at(-1) ?? [];
    return { kept: Number(kept) / 1e6, resident: Number(resident) / 1e6 };
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
    const measured: Awaited<ReturnType<typeof memory>>[] = [];
    for (let number = 1; number <= EDITS; number++) {
      const before = { served: count('Served:'), refused: count('Not served:') };
      const { isGood } = write(number);
      await untilSo(() =>
        isGood ? count('Served:') > before.served : count('Not served:') > before.refused,
      ).catch((error: unknown) => {
        throw new Error(`edit ${number}: ${dev.stderr().slice(-2_000)}`, { cause: error });
      });
      if (number === WARM || number === EDITS) measured.push(await memory());
    }
    isOver = true;
    await Promise.all(callers);
    const took = [...dev.stderr().matchAll(/^Served: .*\((\d+) ms of processor time\)/gm)]
      .map(([, ms]) => Number(ms))
      .sort((one, other) => one - other);
    const [early, late] = measured;
    printFigures(
      `${EDITS} edits, ${took.length} of them good, under ${calls} calls: ${took.at(took.length >> 1)} ms of processor time in the median, ${took.at(-1)} at most; after a collection ${early?.kept.toFixed(1)} MB after edit ${WARM} and ${late?.kept.toFixed(1)} MB at the end, ${late?.resident.toFixed(0)} MB resident`,
    );
    expect(failed).toEqual([]);
    expect(took.length).toBe((EDITS / 4) * 3);
    expect((late?.kept ?? Number.NaN) - (early?.kept ?? 0)).toBeLessThan(GROWTH_MEGABYTES_MAX);
  });
});
