import { describe, expect, it } from 'vitest';
import { createVersions } from '../../src/compose/create-versions.ts';
import { createApp } from '../../src/http/app/create-app.ts';
import { createDispatch } from '../../src/http/edge/dispatch.ts';
import { startEdge } from '../../src/http/edge/edge-server.ts';
import { createRequestIds } from '../../src/http/edge/request-context.ts';
import { createLog } from '../../src/telemetry/log.ts';
import { createMetrics } from '../../src/telemetry/metrics.ts';
import { createTestClock } from '../support/service/test-clock.ts';

describe('the dispatch', () => {
  it('answers 503, not 500, for a version that this build does not hold', async () => {
    const edge = await startEdge({
      host: '127.0.0.1',
      port: 0,
      portSetting: 'DATELINE_PORT',
      log: createLog('silent', { write() {} }),
      metrics: createMetrics('sandbox'),
      countUse() {},
      noteFailure() {},
      recordUnknownCaller() {},
      requestIds: createRequestIds([]),
      versions: createVersions(createTestClock()),
    });
    const app = () => createApp({ trustedProxies: [], requestMs: 1_000 });
    edge.open(
      await createDispatch({
        versions: new Map(),
        authorize: new Map(),
        account: app(),
        operator: app(),
        service: app(),
      }),
    );
    const response = await fetch(`${edge.url}/v1/products/`);
    expect([response.status, response.headers.get('retry-after'), await response.json()]).toMatchObject([
      503,
      '1',
      { error: 'build_outdated' },
    ]);
    await edge.drain(0);
  });
});
