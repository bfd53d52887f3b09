import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { printFigures } from '../support/run/print-figures.ts';
import { runTour } from '../support/service/run-tour.ts';
import { type SpawnedDateline, spawnDateline, startOptions } from '../support/service/spawn-dateline.ts';

const MEGABYTES_MAX = 400;

describe.runIf(process.platform === 'linux')('npm start with the embedded database', () => {
  it('holds at most 400 MB after its first start and the tour, and after it was started again', async () => {
    const dataDir = mkdtempSync(join(tmpdir(), 'dateline-small-'));
    const env = {
      DATELINE_DATA_DIR: dataDir,
      NODE_OPTIONS: `${process.env.NODE_OPTIONS ?? ''} ${startOptions()}`,
    };
    try {
      for (const start of ['a first start', 'a start on existing data']) {
        const service = spawnDateline(['serve'], { env, ignoreLog: true });
        const urls = await service.ready();
        const startSeconds = processorSeconds(service);
        if (start === 'a first start') runTour({ ...urls, dataDir });
        const held = heldMegabytes(service);
        printFigures(`${start}: ${startSeconds.toFixed(1)} s of processor time, then ${held} MB`);
        expect(held).toBeLessThan(MEGABYTES_MAX);
        service.child.kill('SIGTERM');
        expect(await service.exit).toBe(0);
      }
    } finally {
      rmSync(dataDir, { recursive: true, force: true });
    }
  });
});

function heldMegabytes({ child }: SpawnedDateline): number {
  const status = readFileSync(`/proc/${child.pid}/status`, 'utf8');
  return Math.round((Number(/^VmRSS:\s+(\d+) kB$/m.exec(status)?.[1]) * 1024) / 1e6);
}

/** Of all threads, in user and system; Linux counts it in hundredths. */
function processorSeconds({ child }: SpawnedDateline): number {
  const [, rest = ''] = readFileSync(`/proc/${child.pid}/stat`, 'utf8').split(') ');
  const [user, system] = rest.split(' ').slice(11, 13).map(Number) as [number, number];
  return (user + system) / 100;
}
