import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished } from 'vitest';
import { freePort } from '../database/postgres-server.ts';
import { answered } from '../run/answered.ts';
import { startReceiver } from '../webhooks/receivers.ts';
import { type Installed, serveInstalled } from './packing.ts';

const PYTHON = '/usr/bin/python3';

interface Served {
  current: string;
  versions: { version: string }[];
}

/**
 * What an API company does with an installed Dateline: makes an API folder, checks it, serves it in three versions in front of its
 * server, publishes an event, and rehearses a release.
 */
export async function serveOwnApi(
  installed: Omit<Installed, 'readme'>,
  settings: Readonly<Record<string, string>> = {},
): Promise<void> {
  const folder = join(installed.folder, 'orders');
  const upstreamPort = await freePort();
  const env = {
    ...installed.env,
    ...settings,
    ORDERS_SANDBOX_UPSTREAM: `http://127.0.0.1:${upstreamPort}`,
  };
  const dateline = (...args: string[]) =>
    new Promise<string>((done, fail) => {
      const cwd = existsSync(folder) ? folder : installed.folder;
      execFile(installed.dateline, args, { cwd, env }, (error, stdout, stderr) =>
        error ? fail(new Error(`dateline ${args.join(' ')}: ${stderr}`)) : done(stdout),
      );
    });
  await dateline('init', 'orders');
  expect(await dateline('contract', 'check')).toContain('unchanged');
  await startUpstream(folder, env, upstreamPort);
  const service = await serveInstalled(
    { ...installed, env },
    {
      args: ['--api', folder],
      settings: { DATELINE_DATA_DIR: join(folder, '.data') },
    },
  );
  onTestFinished(async () => {
    await service.stop();
  });
  const quickstart = JSON.parse(readFileSync(join(folder, '.data', 'quickstart.json'), 'utf8')).sandbox;
  const base = service.sandbox;

  const organization = quickstart.organization_id;
  const client = JSON.parse(
    await dateline(
      ...['client', 'create', '--organization', organization, '--name', 'Shop', '--json'],
      ...[
        '--grants',
        'client_credentials',
        '--scopes',
        'orders:read orders:write webhooks:read webhooks:write',
      ],
    ),
  );
  const issued = await fetch(`${base}/v1/oauth2/token`, {
    method: 'POST',
    body: new URLSearchParams({
      grant_type: 'client_credentials',
      client_id: client.id,
      client_secret: client.client_secret,
    }),
  });
  const { access_token: token } = (await issued.json()) as { access_token: string };
  const call = async (version: string, method: string, path: string, body?: object) => {
    const response = await fetch(base + path, {
      method,
      headers: {
        authorization: `Bearer ${token}`,
        'service-version': version,
        ...(body && { 'content-type': 'application/json' }),
      },
      ...(body && { body: JSON.stringify(body) }),
    });
    // biome-ignore lint/suspicious/noExplicitAny: answers are read here as any client would.
    return answered({ status: response.status, body: (await response.json()) as any }, response.url);
  };
  const served = (await (await fetch(`${base}/versions`)).json()) as Served;
  const versions = served.versions.map(({ version }) => version);
  expect(versions).toHaveLength(3);
  const receiver = await startReceiver();
  for (const version of versions) {
    const made = await call(version, 'POST', '/orders', { item: 'Umbrella', quantity: 2 });
    expect([made.status, made.body.state]).toEqual([201, 'placed']);
    const endpoint = await call(version, 'POST', '/v1/webhooks/endpoints', {
      url: `http://localhost:${receiver.port}/${version}`,
      events: ['order.created'],
      api_version: version,
    });
    expect([endpoint.status, endpoint.body.detail]).toEqual([201, undefined]);
  }
  expect((await call(versions[0] as string, 'GET', '/orders')).body.items).toHaveLength(3);
  expect((await call(versions[2] as string, 'POST', '/orders/ord-1/refund')).status).toBe(403);

  const data = { id: 'ord-1', item: 'Umbrella', quantity: 2, state: 'placed' };
  const event = { id: 'ord-1-created', type: 'order.created', organization_id: organization, data };
  const published = join(folder, 'events.ndjson');
  writeFileSync(published, `${JSON.stringify(event)}\n`);
  await dateline('event', 'publish', '--file', published);
  await expect
    .poll(() => receiver.requests.map(({ path }) => path).sort())
    .toEqual(versions.map((version) => `/${version}`));
  for (const { path, body } of receiver.requests)
    expect(JSON.parse(String(body))).toMatchObject({
      type: 'order.created',
      api_version: path.slice(1),
      data,
    });

  const current = async () => ((await (await fetch(`${base}/versions`)).json()) as Served).current;
  await dateline('release', 'run', '--yes', '--reason', 'a rehearsal');
  expect(await current()).toBe(versions[2]);
  expect((await call(versions[0] as string, 'GET', '/orders')).status).toBe(404);
  await dateline('release', 'undo', '--yes', '--reason', 'enough');
  expect(await current()).toBe(versions[1]);
  expect((await call(versions[0] as string, 'GET', '/orders')).status).toBe(200);
}

/** The server of the company, which the folder brings. */
async function startUpstream(folder: string, env: NodeJS.ProcessEnv, port: number): Promise<void> {
  const [program, file] = existsSync(PYTHON) ? [PYTHON, 'upstream.py'] : ['node', 'upstream.mjs'];
  const child = spawn(program as string, [file as string, String(port)], {
    cwd: folder,
    env,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const ended = once(child, 'close');
  onTestFinished(async () => {
    child.kill();
    await ended;
  });
  let said = '';
  // It is read to its end: whoever writes to a pipe that was closed is ended by it.
  child.stdout.on('data', (chunk) => {
    said += String(chunk);
  });
  await expect.poll(() => said).toContain('the upstream listens');
}
