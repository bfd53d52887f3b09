import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll } from 'vitest';
import { foundAgain } from '../../../src/api/folder/freeze/found-versions.ts';
import { initFolder } from '../../../src/api/folder/init-folder.ts';
import { anyEngine } from '../database/databases.ts';
import { current, deprecated } from '../service/build-versions.ts';
import { type RunningTestService, startTestService, type TestService } from '../service/test-service.ts';

export interface TestFolder {
  /** `next.yaml`, which also becomes the frozen versions. */
  contract: string;
  /** Their names; all are about an organization. */
  scopes?: readonly string[];
  upstream: RequestListener;
  /** Members of `upstream` in the configuration. */
  settings?: Readonly<Record<string, unknown>>;
}

/** A service with an API folder and its upstream on this machine, for the tests of one `describe`. */
export function useTestFolder(own: TestFolder): TestService {
  let upstream: Server;
  let folder: string;
  let running: RunningTestService;
  beforeAll(async () => {
    upstream = createServer(own.upstream).listen(0, '127.0.0.1');
    await once(upstream, 'listening');
    folder = await writeFolder(own, `http://127.0.0.1:${(upstream.address() as AddressInfo).port}`);
    running = await startTestService(anyEngine, { DATELINE_API: folder });
  });
  afterAll(async () => {
    await running?.stop();
    upstream?.closeAllConnections();
    upstream?.close();
    if (folder) rmSync(folder, { recursive: true, force: true });
  });
  return new Proxy({} as TestService, { get: (_target, name) => running[name as keyof RunningTestService] });
}

async function writeFolder(
  { contract, scopes = [], settings }: TestFolder,
  sandbox: string,
): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'dateline-folder-'));
  await initFolder(folder, { deprecated, current });
  const config = {
    title: 'Hostile',
    upstream: { production: 'http://127.0.0.1:9', sandbox, audience: 'https://folder.example', ...settings },
    scopes: Object.fromEntries(
      scopes.map((scope) => [scope, { consent: `Use ${scope}`, organization: true }]),
    ),
  };
  writeFileSync(join(folder, 'contract/next.yaml'), contract);
  writeFileSync(join(folder, 'dateline.config.mjs'), `export default ${JSON.stringify(config)};`);
  await foundAgain(folder);
  return folder;
}
