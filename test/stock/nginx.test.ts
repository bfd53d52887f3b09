import { readFileSync, writeFileSync } from 'node:fs';
import type { RequestListener } from 'node:http';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { anyEngine } from '../support/database/databases.ts';
import { freePort } from '../support/database/postgres-server.ts';
import { authorization } from '../support/oauth/authorization.ts';
import { oauthCalls } from '../support/oauth/oauth-calls.ts';
import { describeInLongRunsWith } from '../support/run/needs.ts';
import { blocksOf } from '../support/service/guide-blocks.ts';
import { useTestService } from '../support/service/test-service.ts';
import { startReceiver } from '../support/webhooks/receivers.ts';
import { startServer, temporaryFolder } from './start-program.ts';

const GUIDE = 'protect-an-api.md';
const AUDIENCE = 'https://orders.example';

describeInLongRunsWith('nginx', `nginx, by the lines of ${GUIDE}`, (path) => {
  const service = useTestService(anyEngine);
  const { addClient } = authorization(service);
  const { token, revoke } = oauthCalls(service);

  /** The guide's own server, which says yes or no. Its port. */
  async function startOrders(api: string): Promise<number> {
    const server = await addClient({ kind: 'resource_server', audiences: [AUDIENCE], allowedGrants: [] });
    const port = await freePort();
    const file = join(temporaryFolder(), 'orders.mjs');
    writeFileSync(file, blockOf('js', 'orders.mjs'));
    const { client_id: SERVER_ID = '', client_secret: SERVER_SECRET = '' } = server.credentials;
    const env = { API: api, SERVER_ID, SERVER_SECRET, PORT: String(port) };
    await startServer({ path: process.execPath, args: [file], port, env });
    return port;
  }

  /** An API that knows nothing of tokens, behind nginx. */
  async function protect({ api = service.urls.sandbox, appStatus = 200 } = {}) {
    const answer: RequestListener = (_request, response) => response.writeHead(appStatus).end();
    const [app, ordersPort, port] = [
      await startReceiver({ answer }),
      await startOrders(api),
      await freePort(),
    ];
    const lines = blockOf('nginx', '')
      .replace('127.0.0.1:9000', `127.0.0.1:${app.port}`)
      .replace('127.0.0.1:8000', `127.0.0.1:${ordersPort}`);
    const folder = temporaryFolder();
    const file = join(folder, 'nginx.conf');
    writeFileSync(file, wholeConfig(lines, { folder, port }));
    await startServer({ path, args: ['-c', file, '-e', join(folder, 'error.log')], port });
    const call = async (headers: Record<string, string>, init: RequestInit = {}) => {
      const answer = await fetch(`http://127.0.0.1:${port}/api/list`, { ...init, headers });
      await answer.text();
      return { status: answer.status, challenge: answer.headers.get('www-authenticate') };
    };
    return { app, call };
  }

  async function newToken(scope: string): Promise<string> {
    const asked = { grant_type: 'client_credentials', scope, resource: AUDIENCE };
    return (await token(asked)).body.access_token;
  }

  it('lets a token through with the caller in a header, until it is revoked', async () => {
    const { app, call } = await protect();
    const value = await newToken('products:read');
    const headers = { authorization: `Bearer ${value}`, 'x-caller': 'usr_forged' };
    expect((await call(headers, { method: 'POST', body: 'an order' })).status).toBe(200);
    const [request] = app.requests;
    expect([request?.path, request?.body.toString()]).toEqual(['/list', 'an order']);
    expect(request?.headers['x-caller']).toBe(service.quickstart.sandbox.organization_id);
    await revoke({ token: value });
    expect(await call(headers)).toEqual({ status: 401, challenge: 'Bearer error="invalid_token"' });
    expect(app.requests).toHaveLength(1);
  });

  it('refuses no token, and one without the scope', async () => {
    const { app, call } = await protect();
    expect(await call({})).toEqual({ status: 401, challenge: 'Bearer' });
    const headers = { authorization: `Bearer ${await newToken('products:write')}` };
    expect((await call(headers)).status).toBe(403);
    expect(app.requests).toEqual([]);
  });

  it('answers 503 while the service cannot be asked', async () => {
    const { app, call } = await protect({ api: `http://127.0.0.1:${await freePort()}` });
    const headers = { authorization: `Bearer ${await newToken('products:read')}` };
    expect((await call(headers)).status).toBe(503);
    expect(app.requests).toEqual([]);
  });

  it('hands on an error of the API itself', async () => {
    const { app, call } = await protect({ appStatus: 500 });
    const headers = { authorization: `Bearer ${await newToken('products:read')}` };
    expect((await call(headers)).status).toBe(500);
    expect(app.requests).toHaveLength(1);
  });
});

describeInLongRunsWith('nginx', 'nginx, by the lines of operating.md', (path) => {
  /** Both nodes answer 503, and say how often they were asked. */
  async function balance(...nodes: readonly [number, number]) {
    const [, block = ''] = /```nginx\n([\s\S]*?)```/.exec(readFileSync('docs/operating.md', 'utf8')) ?? [];
    const port = await freePort();
    const lines = block
      .replace('10.0.0.1:4000', `127.0.0.1:${nodes[0]}`)
      .replace('10.0.0.2:4000', `127.0.0.1:${nodes[1]}`)
      .replace('server {\n', `server {\n listen 127.0.0.1:${port};\n`);
    const folder = temporaryFolder();
    const file = join(folder, 'nginx.conf');
    writeFileSync(file, framedInHttp(lines, folder));
    await startServer({ path, args: ['-c', file, '-e', join(folder, 'error.log')], port });
    return async (operation: string): Promise<number> => {
      const answer = await fetch(`http://127.0.0.1:${port}/v1/oauth2/${operation}`, {
        method: 'POST',
        body: new URLSearchParams({ grant_type: 'authorization_code' }),
      });
      await answer.text();
      return answer.status;
    };
  }

  const unavailable: RequestListener = (_request, response) => response.writeHead(503).end();

  it('[outside2 12] sends a request for a token once, and others to the second node too', async () => {
    const nodes = [
      await startReceiver({ answer: unavailable }),
      await startReceiver({ answer: unavailable }),
    ] as const;
    const post = await balance(nodes[0].port, nodes[1].port);
    const asked = () => nodes.flatMap(({ requests }) => requests.splice(0)).length;
    expect([await post('token'), asked()]).toEqual([503, 1]);
    expect([await post('introspect'), asked()]).toEqual([503, 2]);
  });

  it('[outside2 12] asks the other node for a token where the first one takes no connection', async () => {
    const node = await startReceiver();
    const post = await balance(await freePort(), node.port);
    expect([await post('token'), await post('token')]).toEqual([200, 200]);
    expect(node.requests).toHaveLength(2);
  });
});

function blockOf(language: string, words: string): string {
  const block = blocksOf(GUIDE).find((one) => one.language === language && one.words === words);
  if (!block) throw new Error(`${GUIDE} has no block ${language} ${words}`);
  return block.text;
}

/** A whole configuration around lines of a server. */
function wholeConfig(lines: string, { folder, port }: { folder: string; port: number }): string {
  return framedInHttp(`server {\nlisten 127.0.0.1:${port};\n${lines}\n}`, folder);
}

/** The same around whole servers. It writes nothing outside of its folder. */
function framedInHttp(lines: string, folder: string): string {
  const stores = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'];
  return `
    daemon off;
    pid ${folder}/pid;
    events {}
    http {
      access_log off;
      ${stores.map((name) => `${name}_temp_path ${folder}/${name};`).join('\n')}
      ${lines}
    }`;
}
