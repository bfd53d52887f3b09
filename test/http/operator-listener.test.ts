import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { request as httpRequest } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createOperatorApi } from '../../src/cli/operator-api.ts';
import { createOutput } from '../../src/cli/output.ts';
import { anyEngine } from '../support/database/databases.ts';
import { current } from '../support/service/build-versions.ts';
import { runCommandLine } from '../support/service/command-line.ts';
import { type RunningTestService, startTestService } from '../support/service/test-service.ts';

const OPERATORS = ['/operator/openapi.json', '/operator/docs', '/operator/me', '/console', '/metrics'];

describe('a listener of operators alone', () => {
  let service: RunningTestService;
  let operators: string;
  let isStopped = false;
  const dataDir = mkdtempSync(join(tmpdir(), 'dateline-operators-'));

  beforeAll(async () => {
    service = await startTestService(anyEngine, {
      DATELINE_OPERATOR_PORT: '0',
      DATELINE_PUBLIC_URL: 'https://api.example',
      DATELINE_SANDBOX_PUBLIC_URL: 'https://sandbox.example',
      DATELINE_TRUSTED_PROXIES: '127.0.0.1',
      DATELINE_DATA_DIR: dataDir,
    });
    operators = service.operatorUrls.production ?? '';
  });
  afterAll(async () => {
    if (!isStopped) await service?.stop();
    rmSync(dataDir, { recursive: true, force: true });
  });

  interface Asked {
    method?: string;
    body?: unknown;
    headers?: Record<string, string>;
  }

  /** With `Host` as it is given, which `fetch` does not allow. */
  async function ask(url: string, { method = 'GET', body, headers = {} }: Asked = {}) {
    const sent = httpRequest(url, {
      method,
      headers: { ...(body === undefined ? {} : { 'content-type': 'application/json' }), ...headers },
    });
    sent.end(body === undefined ? undefined : JSON.stringify(body));
    const [response] = await once(sent, 'response');
    const text = Buffer.concat(await response.toArray()).toString();
    const isJson = /json/.test(response.headers['content-type'] ?? '');
    return {
      status: response.statusCode as number,
      headers: response.headers as Record<string, string>,
      // biome-ignore lint/suspicious/noExplicitAny: tests read answers of every shape.
      body: (isJson ? JSON.parse(text) : text) as any,
    };
  }
  const key = () => service.quickstart.production.operator_key;
  const withKey = () => ({ authorization: `Bearer ${key()}` });

  async function signIn() {
    const answer = await ask(`${operators}/operator/session`, {
      method: 'POST',
      body: { operator_key: key() },
      headers: { origin: operators },
    });
    expect(answer.status).toBe(201);
    const [cookie = ''] = String(answer.headers['set-cookie']).split(';');
    return { cookie, csrf: String(answer.body.csrf_token) };
  }
  async function keyNames(): Promise<string[]> {
    const { body } = await ask(`${operators}/operator/operator-keys`, { headers: withKey() });
    return body.items.map(({ name }: { name: string }) => name);
  }

  it('[outside2 4] has what is theirs, and the public port has nothing at those addresses', async () => {
    const { body: nothing } = await ask(`${service.urls.production}/nothing-here`);
    for (const path of OPERATORS) {
      const gone = await ask(service.urls.production + path, { headers: withKey() });
      expect([path, gone.status, gone.body]).toEqual([path, 404, nothing]);
      const there = await ask(operators + path, { headers: withKey() });
      expect([path, there.status]).toEqual([path, 200]);
      // The sandbox has no such port: all is as it was.
      const { operator_key } = service.quickstart.sandbox;
      const asBefore = await ask(service.urls.sandbox + path, {
        headers: { authorization: `Bearer ${operator_key}` },
      });
      expect([path, asBefore.status]).toEqual([path, 200]);
    }
    const events = await ask(`${service.urls.production}/operator/events`, {
      method: 'POST',
      body: { events: [] },
      headers: withKey(),
    });
    expect(events.status).toBe(404);
    expect(service.operatorUrls.sandbox).toBeNull();
  });

  it('[outside2 4] has nothing for others, besides probes, assets and which version is Current', async () => {
    for (const path of ['/', '/v1/organizations/', '/v1/oauth2/authorize', '/account', '/docs', '/jwks.json'])
      expect([path, (await ask(operators + path)).status]).toEqual([path, 404]);
    for (const path of ['/.well-known/openid-configuration', `/docs/${current}`])
      expect([path, (await ask(operators + path)).status]).toEqual([path, 404]);
    for (const path of ['/healthz', '/readyz', '/versions'])
      expect([path, (await ask(operators + path)).status]).toEqual([path, 200]);
    const { body: page } = await ask(`${operators}/console`);
    for (const [, asset] of page.matchAll(/(?:href|src)="(\/(?:assets|console\/assets)\/[^"]+)"/g))
      expect([asset, (await ask(operators + asset)).status]).toEqual([asset, 200]);
    expect(page).toContain('href="https://api.example/versions"');
    expect(page).toContain('data-public-url="https://api.example"');
    const { body: reference } = await ask(`${operators}/operator/docs`);
    expect(reference).toContain(`${operators}/operator/`);
  });

  it('[outside2 4] keeps the rules of versions', async () => {
    for (const path of ['/operator/me', '/console', '/metrics', '/healthz', '/nothing-here'])
      for (const version of ['2020-01', 'x'])
        expect(await ask(operators + path, { headers: { 'service-version': version } })).toMatchObject({
          status: 404,
          headers: { 'service-version': current },
          body: { error: 'version_not_found' },
        });
    for (const path of [...OPERATORS, '/healthz', '/nothing-here'])
      expect((await ask(operators + path)).headers).toMatchObject({
        'service-version': current,
        'x-request-id': expect.any(String),
      });
    const foreign = await ask(`${operators}/operator/me`, { headers: { origin: 'https://evil.example' } });
    expect(foreign.headers).toMatchObject({ 'service-version': current });
  });

  it('[outside2 4] refuses every origin but its own, though cookies ignore ports', async () => {
    const { cookie, csrf } = await signIn();
    const foreign = [
      service.urls.production,
      service.urls.sandbox,
      'https://api.example',
      'https://evil.example',
      operators.replace('127.0.0.1', 'localhost'),
      `${operators}/`,
      `${operators}.evil.example`,
      `${operators}, ${operators}`,
      'null',
      '',
    ];
    for (const origin of foreign) {
      const headers = { cookie, origin, 'x-csrf-token': csrf };
      for (const path of ['/operator/me', '/console', '/metrics', '/versions', '/healthz', '/nothing-here']) {
        const read = await ask(operators + path, { headers });
        expect([origin, path, read.status, read.body.error]).toEqual([origin, path, 403, 'origin_refused']);
        expect(read.headers['access-control-allow-origin']).toBeUndefined();
      }
      const made = await ask(`${operators}/operator/operator-keys`, {
        method: 'POST',
        body: { name: 'stolen', role: 'admin' },
        headers,
      });
      expect([origin, made.status]).toEqual([origin, 403]);
      const again = await ask(`${operators}/operator/session`, {
        method: 'POST',
        body: { operator_key: key() },
        headers: { origin },
      });
      expect([origin, again.status, again.headers['set-cookie']]).toEqual([origin, 403, undefined]);
      const preflight = await ask(`${operators}/operator/operator-keys`, {
        method: 'OPTIONS',
        headers: { origin, 'access-control-request-method': 'POST' },
      });
      expect(preflight.status).toBe(403);
    }
    expect(await keyNames()).not.toContain('stolen');
    const own = await ask(`${operators}/operator/operator-keys`, {
      method: 'POST',
      body: { name: 'made', role: 'viewer' },
      headers: { cookie, origin: operators, 'x-csrf-token': csrf, 'sec-fetch-site': 'same-origin' },
    });
    expect(own.status).toBe(201);
    // Links lead here, and programs call, without an origin.
    expect((await ask(`${operators}/console`, { headers: { cookie } })).status).toBe(200);
    expect(await keyNames()).toContain('made');
  });

  it('[outside2 4] is reached by another name behind a proxy, which says how it was reached', async () => {
    const status = async (headers: Record<string, string>) =>
      (await ask(`${operators}/operator/me`, { headers: { ...withKey(), ...headers } })).status;
    for (const host of ['ops.example', 'ops.example:443', 'OPS.example']) {
      expect(await status({ host, origin: 'https://ops.example' })).toBe(200);
      expect(await status({ host, origin: 'https://api.example' })).toBe(403);
      expect(await status({ host, origin: 'https://ops.example:8443' })).toBe(403);
      const https = { host, 'x-forwarded-proto': 'https' };
      expect(await status({ ...https, origin: 'https://ops.example' })).toBe(200);
      expect(await status({ ...https, origin: 'http://ops.example' })).toBe(403);
    }
  });

  it('[outside2 4] is found by the command line: by the setting, by its data folder, and by --url', async () => {
    const { port } = new URL(operators);
    const known = { DATELINE_OPERATOR_KEY: key(), DATELINE_PUBLIC_URL: service.urls.production };
    const run = (args: string[], env: Record<string, string>) =>
      runCommandLine([...args, '--environment', 'production'], env);
    const bySetting = { ...known, DATELINE_OPERATOR_PORT: port };
    expect(await run(['org', 'create', '--name', 'By setting'], bySetting)).toMatchObject({ code: 0 });
    expect(await run(['versions'], bySetting)).toMatchObject({ code: 0 });
    const without = await run(['org', 'list'], known);
    expect([without.code, without.err]).toEqual([1, expect.stringContaining('404')]);
    const byUrl = await run(['org', 'list', '--url', operators], { DATELINE_OPERATOR_KEY: key() });
    expect([byUrl.code, byUrl.out]).toEqual([0, expect.stringContaining('By setting')]);
    const byFolder = await run(['org', 'list'], { DATELINE_DATA_DIR: dataDir });
    expect([byFolder.code, byFolder.out]).toEqual([0, expect.stringContaining('By setting')]);
    // A host that is named counts more than what the folder knows.
    const byHost = createOperatorApi({
      env: { DATELINE_DATA_DIR: dataDir, DATELINE_HOST: '127.0.0.2' },
      environment: 'sandbox',
      output: createOutput(false, { out() {}, err() {} }),
      url: undefined,
    });
    expect(byHost.publicUrl).toBe('http://127.0.0.2:4001');
    const doctor = await run(['doctor', '--url', operators], { DATELINE_OPERATOR_KEY: key() });
    expect(doctor).toMatchObject({ code: 0, out: expect.stringContaining(`answers at ${operators}`) });
    expect(service.quickstart.production).toEqual({
      base_url: 'https://api.example',
      operator_key: key(),
      operator_url: operators,
    });
    expect(service.quickstart.sandbox).not.toHaveProperty('operator_url');
  });

  it('[outside2 4] is what the doctor misses where a public address is set without it', async () => {
    const findingsAt = async (url: string, operatorKey: string) => {
      const { body } = await ask(`${url}/operator/doctor`, {
        headers: { authorization: `Bearer ${operatorKey}` },
      });
      return body.items.find(({ check }: { check: string }) => check === 'addresses');
    };
    const { operator_key } = service.quickstart.sandbox;
    const found = await findingsAt(service.urls.sandbox, operator_key);
    expect(found).toMatchObject({ check: 'addresses', state: 'warning' });
    expect(found.message).toContain('set DATELINE_SANDBOX_OPERATOR_PORT');
    expect(found.says, 'its former name').toBe(found.message);
    expect(await findingsAt(operators, key())).toMatchObject({ state: 'ok' });
  });

  it('[outside2 4] drains like the public one: what is in flight ends, and nothing new is taken', async () => {
    const body = JSON.stringify({ operator_key: key() });
    const sending = httpRequest(`${operators}/operator/session`, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        'content-length': body.length,
        expect: '100-continue',
      },
    });
    sending.flushHeaders();
    await once(sending, 'continue');
    isStopped = true;
    const stopped = service.stop();
    await expect
      .poll(() =>
        ask(`${operators}/healthz`).then(
          () => 'taken',
          () => 'refused',
        ),
      )
      .toBe('refused');
    sending.end(body);
    const [answer] = await once(sending, 'response');
    expect(answer.statusCode).toBe(201);
    answer.resume();
    await stopped;
  });
});
