import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createVersions } from '../src/compose/create-versions.ts';
import { systemClock } from '../src/kernel/clock.ts';
import { spawnDateline } from '../test/support/service/spawn-dateline.ts';
import type { Bench } from './harness.ts';
import { CONNECTIONS, caller } from './http-caller.ts';

const PRODUCTS = 20;

export const bench: Bench = {
  name: 'products-list',
  description: `listing ${PRODUCTS} products over ${CONNECTIONS} connections on the embedded database: Deprecated, two steps back, and Next`,
  ratios: [
    ['Deprecated', 'Next'],
    ['Deprecated, page 1 of 2', 'Next, page 1 of 2'],
  ],
  async prepare() {
    const { deprecated, next } = createVersions(systemClock).lifecycle();
    const dataDir = mkdtempSync(join(tmpdir(), 'dateline-bench-'));
    const service = spawnDateline(['serve'], { env: { DATELINE_DATA_DIR: dataDir }, ignoreLog: true });
    const { sandbox } = await service.ready();
    const { access_token: token } = JSON.parse(
      readFileSync(join(dataDir, 'quickstart.json'), 'utf8'),
    ).sandbox;
    const authorization = `Bearer ${token}`;
    for (let index = 0; index < PRODUCTS; index += 1) {
      await fetch(`${sandbox}/v1/products/`, {
        method: 'POST',
        headers: { authorization, 'content-type': 'application/json', 'service-version': next },
        body: JSON.stringify({
          name: `Product ${index}`,
          billing: 'usage',
          prices: [{ amount: 1, currency: 'eur' }],
        }),
      });
    }
    const list = (name: string, version: string, query = '') =>
      caller(name, `${sandbox}/v1/products/${query}`, {
        headers: { authorization, 'service-version': version },
      });
    return {
      contenders: [
        list('Deprecated', deprecated),
        list('Next', next),
        // Pages by number also return the total; only the last page knows it without counting.
        list('Deprecated, page 1 of 2', deprecated, `?limit=${PRODUCTS / 2}`),
        list('Next, page 1 of 2', next, `?limit=${PRODUCTS / 2}`),
      ],
      async close() {
        service.child.kill();
        await service.exit;
        rmSync(dataDir, { recursive: true, force: true });
      },
    };
  },
};
