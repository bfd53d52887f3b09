import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { spawnDateline } from '../test/support/spawn-dateline.ts';
import type { Bench } from './harness.ts';
import { CONNECTIONS, caller } from './http-caller.ts';

/** The least a server on Node can do: what our edge costs is seen against it. */
const BARE_SERVER = `
  const server = require('node:http').createServer((request, response) => {
    response.setHeader('content-type', 'application/json');
    response.end('{"status":"alive"}');
  });
  server.listen(0, '127.0.0.1', () => console.log(server.address().port));
`;

export const bench: Bench = {
  name: 'edge',
  says: `requests over ${CONNECTIONS} kept connections: our edge (version, id, log, metrics) and a bare node:http server`,
  ratios: [
    ['edge alone (/healthz)', 'bare node:http'],
    ['edge and framework (/versions)', 'bare node:http'],
  ],
  async prepare() {
    const bare = spawn(process.execPath, ['-e', BARE_SERVER], { stdio: ['ignore', 'pipe', 'inherit'] });
    const [port] = (await once(bare.stdout, 'data')) as [Buffer];
    const dataDir = mkdtempSync(join(tmpdir(), 'dateline-bench-'));
    const service = spawnDateline(['serve'], { env: { DATELINE_DATA_DIR: dataDir }, ignoreLog: true });
    const { sandbox } = await service.ready();
    return {
      contenders: [
        caller('bare node:http', `http://127.0.0.1:${port.toString().trim()}/`),
        caller('edge alone (/healthz)', `${sandbox}/healthz`),
        caller('edge and framework (/versions)', `${sandbox}/versions`),
      ],
      async close() {
        bare.kill();
        service.child.kill();
        await service.exit;
        rmSync(dataDir, { recursive: true, force: true });
      },
    };
  },
};
