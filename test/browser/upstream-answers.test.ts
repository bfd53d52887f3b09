import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { foundAgain } from '../../src/api/folder/freeze/found-versions.ts';
import { initFolder } from '../../src/api/folder/init-folder.ts';
import { anyEngine } from '../support/database/databases.ts';
import { describeInBrowser } from '../support/http/chromium.ts';
import { signInToConsole } from '../support/http/console.ts';
import { current, deprecated, next } from '../support/service/build-versions.ts';
import { operatorCalls } from '../support/service/operator-calls.ts';
import { type RunningTestService, startTestService } from '../support/service/test-service.ts';

const contract = `
openapi: 3.1.0
info: { title: Pictures, version: "${next}" }
security: []
paths:
  /pictures/{name}:
    parameters:
      - { name: name, in: path, required: true, schema: { type: string } }
    get:
      operationId: pictures:read
      responses:
        "200": { description: A picture., content: { text/html: {}, image/svg+xml: {}, text/plain: {} } }
`;

/** Makes an admin key with the session of whoever looks at it. It waits for its calls, so it is done before the page has loaded. */
const theft = (name: string): string => `
  const ask = (method, path, headers, body) => {
    const request = new XMLHttpRequest();
    request.open(method, path, false);
    for (const [name, value] of Object.entries(headers)) request.setRequestHeader(name, value);
    request.send(body);
    return JSON.parse(request.responseText);
  };
  const { csrf_token } = ask('GET', '/operator/me', {});
  ask('POST', '/operator/operator-keys', { 'content-type': 'application/json', 'x-csrf-token': csrf_token },
    JSON.stringify({ name: '${name}', role: 'admin' }));`;

const pictures: Readonly<Record<string, readonly [string, string]>> = {
  'a.svg': [
    'image/svg+xml',
    `<svg xmlns="http://www.w3.org/2000/svg"><script><![CDATA[${theft('a.svg')}]]></script></svg>`,
  ],
  'b.html': ['text/html', `<!doctype html><title>b</title><script>${theft('b.html')}</script>`],
  'c.txt': ['text/plain', `<!doctype html><title>c</title><script>${theft('c.txt')}</script>`],
  'd.html': [
    'text/html',
    `<!doctype html><img src="/missing" onerror="${theft('d.html').replaceAll('"', '&quot;')}">`,
  ],
};

describeInBrowser('what an upstream answers', (open) => {
  let folder: string;
  let upstream: Server;
  let service: RunningTestService;

  beforeAll(async () => {
    upstream = createServer((request, response) => {
      const [type, body] = pictures[request.url?.slice('/pictures/'.length) ?? ''] ?? ['text/plain', ''];
      response.writeHead(200, {
        'content-type': type,
        'content-security-policy': "script-src 'unsafe-inline'",
      });
      response.end(body);
    }).listen(0, '127.0.0.1');
    await once(upstream, 'listening');
    folder = mkdtempSync(join(tmpdir(), 'dateline-pictures-'));
    await initFolder(folder, { deprecated, current });
    writeFileSync(join(folder, 'contract/next.yaml'), contract);
    writeFileSync(
      join(folder, 'dateline.config.mjs'),
      `export default {
        title: 'Pictures',
        upstream: {
          production: 'http://127.0.0.1:9',
          sandbox: 'http://127.0.0.1:${(upstream.address() as AddressInfo).port}',
          audience: 'https://pictures.example',
        },
        scopes: {},
        open: '*',
      };`,
    );
    await foundAgain(folder);
    service = await startTestService(anyEngine, { DATELINE_API: folder });
  });
  afterAll(async () => {
    await service?.stop();
    upstream?.closeAllConnections();
    upstream?.close();
    if (folder) rmSync(folder, { recursive: true, force: true });
  });

  it('[outside2 4] [folder 36] makes no key, opened by an operator who is signed in to the console', async () => {
    const { page } = await signInToConsole(open, service);
    const stolen = async (): Promise<string[]> => {
      const { body } = await operatorCalls(service).get('/operator/operator-keys');
      return body.items.map(({ name }: { name: string }) => name);
    };
    // What they try does work on a page of ours.
    await page.evaluate(theft('console'));
    expect(await stolen()).toContain('console');
    for (const name of Object.keys(pictures)) {
      const answer = await page.goto(`/pictures/${name}`);
      expect([name, answer?.status()]).toEqual([name, 200]);
      expect(await stolen()).not.toContain(name);
    }
    await page.close();
  }, 60_000);
});
