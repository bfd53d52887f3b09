import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { spawnDateline } from '../test/support/service/spawn-dateline.ts';
import type { Bench } from './harness.ts';
import { CONNECTIONS, caller } from './http-caller.ts';
import { startServer } from './start-server.ts';

/** The least a server on Node can do: what our edge costs is seen against it. */
const BARE_SERVER = `
  const server = require('node:http').createServer((request, response) => {
    response.setHeader('content-type', 'application/json');
    response.setHeader('content-length', 18);
    response.end('{"status":"alive"}');
  });
  server.listen(0, '127.0.0.1', () => console.log(server.address().port));
`;

export const bench: Bench = {
  name: 'edge',
  description: `requests over ${CONNECTIONS} kept connections: our edge (version, id, log, metrics) and a bare node:http server`,
  ratios: [
    ['edge alone (/healthz)', 'bare node:http'],
    ['edge and framework (/versions)', 'bare node:http'],
  ],
  async prepare() {
    const bare = await startServer(['--eval', BARE_SERVER]);
    const dataDir = mkdtempSync(join(tmpdir(), 'dateline-bench-'));
    const service = spawnDateline(['serve'], { env: { DATELINE_DATA_DIR: dataDir }, ignoreLog: true });
    const { sandbox } = await service.ready();
    return {
      contenders: [
        caller('bare node:http', `${bare.url}/`),
        caller('edge alone (/healthz)', `${sandbox}/healthz`),
        caller('edge and framework (/versions)', `${sandbox}/versions`),
      ],
      async close() {
        await bare.stop();
        service.child.kill();
        await service.exit;
        rmSync(dataDir, { recursive: true, force: true });
      },
    };
  },
};
