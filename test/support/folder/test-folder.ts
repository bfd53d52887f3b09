import { once } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll } from 'vitest';
import { foundAgain } from '../../../src/api/folder/freeze/found-versions.ts';
import { initFolder } from '../../../src/api/folder/init-folder.ts';
import { anyEngine } from '../database/databases.ts';
import { current, deprecated } from '../service/build-versions.ts';
import { type RunningTestService, startTestService, type TestService } from '../service/test-service.ts';

export interface TestFolder {
  /** `next.yaml`, which also becomes the frozen versions, unless they are given. */
  contract: string;
  /** What the frozen versions are made of. */
  frozen?: string;
  /** More files of the folder, by path. */
  files?: Readonly<Record<string, string>>;
  /** Their names; all are about an organization. */
  scopes?: readonly string[];
  upstream: RequestListener;
  /** Members of the configuration. */
  config?: Readonly<Record<string, unknown>>;
  /** Members of `upstream` in the configuration. */
  settings?: Readonly<Record<string, unknown>>;
  /** Settings of the service. */
  env?: Readonly<Record<string, string>>;
}

/** A service with an API folder and its upstream on this machine, for the tests of one `describe`. */
export function useTestFolder(own: TestFolder): TestService {
  let upstreams: Server[] = [];
  let folder: string;
  let running: RunningTestService;
  beforeAll(async () => {
    upstreams = await Promise.all([0, 1].map(() => listen(own.upstream)));
    const [production = '', sandbox = ''] = upstreams.map(addressOf);
    folder = await writeFolder(own, { production, sandbox });
    running = await startTestService(anyEngine, { ...own.env, DATELINE_API: folder });
  });
  afterAll(async () => {
    await running?.stop();
    for (const upstream of upstreams) {
      upstream.closeAllConnections();
      upstream.close();
    }
    if (folder) rmSync(folder, { recursive: true, force: true });
  });
  return new Proxy({} as TestService, { get: (_target, name) => running[name as keyof RunningTestService] });
}

async function listen(answer: RequestListener): Promise<Server> {
  const server = createServer(answer).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return server;
}

function addressOf(server: Server): string {
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

/** Writes it into a temporary folder, which whoever calls removes. */
export async function writeFolder(
  { contract, frozen = contract, files = {}, scopes = [], config: own, settings }: TestFolder,
  addresses: { production: string; sandbox: string },
): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'dateline-folder-'));
  await initFolder(folder, { deprecated, current });
  const config = {
    title: 'Hostile',
    upstream: { ...addresses, audience: 'https://folder.example', ...settings },
    scopes: Object.fromEntries(
      scopes.map((scope) => [scope, { consent: `Use ${scope}`, organization: true }]),
    ),
    open: '*',
    ...own,
  };
  writeFileSync(join(folder, 'contract/next.yaml'), frozen);
  writeFileSync(join(folder, 'dateline.config.mjs'), `export default ${JSON.stringify(config)};`);
  await foundAgain(folder);
  for (const [path, text] of Object.entries({ ...files, 'contract/next.yaml': contract })) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  }
  return folder;
}

/** A token of the sandbox's first client with these scopes. */
export async function folderToken(service: TestService, scope: string): Promise<string> {
  const { client_id, client_secret } = service.quickstart.sandbox;
  const body = new URLSearchParams({ grant_type: 'client_credentials', client_id, client_secret, scope });
  const response = await service.call('sandbox', '/v1/oauth2/token', { method: 'POST', body });
  if (response.status !== 200) throw new Error(`no token: ${await response.text()}`);
  return ((await response.json()) as { access_token: string }).access_token;
}
