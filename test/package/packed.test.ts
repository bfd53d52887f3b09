import { execFile, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { createPostgresDatabase } from '../support/database/postgres-database.ts';
import { freePort } from '../support/database/postgres-server.ts';
import { answered } from '../support/run/answered.ts';
import { startReceiver } from '../support/webhooks/receivers.ts';

const PYTHON = '/usr/bin/python3';

interface Served {
  current: string;
  versions: { version: string }[];
}

/** The packages as users get them: packed, in an empty project. */
describe('the packed service in an empty folder', () => {
  let project: string;

  beforeAll(() => {
    project = mkdtempSync(join(tmpdir(), 'dateline-packed-'));
    unpack('.', 'dateline');
    unpack('versions', '@dateline/versions');
    // Installing them anew takes a minute and a registry; Node resolves theirs where they are installed.
    const needed = ['package.json', 'versions/package.json'].flatMap((file) => {
      const { dependencies } = JSON.parse(readFileSync(file, 'utf8')) as { dependencies: object };
      return Object.keys(dependencies);
    });
    for (const name of new Set(needed.filter((name) => name !== '@dateline/versions'))) {
      const link = join(project, 'node_modules', name);
      mkdirSync(dirname(link), { recursive: true });
      symlinkSync(resolve('node_modules', name), link);
    }
  });
  afterAll(() => rmSync(project, { recursive: true, force: true }));

  function unpack(workspace: string, name: string): void {
    const args = ['pack', '--json', '--ignore-scripts', '--pack-destination', project];
    const packed = execFileSync('npm', args, {
      cwd: workspace,
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    const [{ filename }] = JSON.parse(packed) as [{ filename: string }];
    const target = join(project, 'node_modules', name);
    mkdirSync(target, { recursive: true });
    execFileSync('tar', ['-xzf', join(project, filename), '-C', target, '--strip-components=1']);
  }

  it('makes an API folder, serves it in three versions, publishes its events, and rehearses its release', async () => {
    const folder = join(project, 'orders');
    const { url: databaseUrl, drop } = await createPostgresDatabase({ migrated: true });
    onTestFinished(drop);
    const [production, sandbox, upstreamPort] = [await freePort(), await freePort(), await freePort()];
    const env = {
      ...process.env,
      DATABASE_URL: databaseUrl,
      DATELINE_PORT: String(production),
      DATELINE_SANDBOX_PORT: String(sandbox),
      ORDERS_SANDBOX_UPSTREAM: `http://127.0.0.1:${upstreamPort}`,
    };
    const bin = join(project, 'node_modules', 'dateline', 'bin', 'dateline.mjs');
    const dateline = (...args: string[]) =>
      new Promise<string>((done, fail) => {
        const cwd = existsSync(folder) ? folder : project;
        execFile(process.execPath, [bin, ...args], { cwd, env }, (error, stdout, stderr) =>
          error ? fail(new Error(`dateline ${args.join(' ')}: ${stderr}`)) : done(stdout),
        );
      });
    const start = async (command: string, args: string[], ready: string) => {
      const child = spawn(command, args, { cwd: folder, env, stdio: ['ignore', 'pipe', 'pipe'] });
      onTestFinished(async () => {
        child.kill('SIGTERM');
        if (child.exitCode === null) await once(child, 'close');
      });
      let said = '';
      let complained = '';
      child.stderr.on('data', (chunk) => {
        complained += String(chunk);
      });
      // It is read to its end: whoever writes to a pipe that was closed is ended by it.
      await new Promise<void>((done) => {
        child.once('close', () => done());
        child.stdout.on('data', (chunk) => {
          said += String(chunk);
          if (said.includes(ready)) done();
        });
      });
      expect(said, complained).toContain(ready);
    };

    await dateline('init', 'orders');
    expect(await dateline('contract', 'check')).toContain('unchanged');
    const [program, file] = existsSync(PYTHON) ? [PYTHON, 'upstream.py'] : [process.execPath, 'upstream.mjs'];
    await start(program as string, [file as string, String(upstreamPort)], 'the upstream listens');
    await start(process.execPath, [bin, 'serve'], 'ready sandbox');
    const quickstart = JSON.parse(readFileSync(join(folder, '.data', 'quickstart.json'), 'utf8')).sandbox;
    const base = `http://127.0.0.1:${sandbox}`;

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
  });
});
