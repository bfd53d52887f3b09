import { expect, it } from 'vitest';
import { createOperatorSessions } from '../../src/identity/operator-sessions/operator-sessions.ts';
import { onPostgresFirst } from '../support/database/databases.ts';
import { answered } from '../support/run/answered.ts';
import { operatorCalls } from '../support/service/operator-calls.ts';
import { documentedOperations } from '../support/service/operator-document.ts';
import { serviceEnvironment } from '../support/service/service-environment.ts';
import { useTestService } from '../support/service/test-service.ts';

const configuredKey = 'configured-operator-key-of-this-test-0016';

onPostgresFirst('a session of the console', (engine) => {
  const service = useTestService(engine, { DATELINE_SANDBOX_OPERATOR_KEY: configuredKey });

  interface Asked {
    method?: string;
    body?: unknown;
    headers?: Record<string, string>;
  }

  async function ask(path: string, { method = 'GET', body, headers = {} }: Asked = {}) {
    const response = await service.call('sandbox', path, {
      method,
      headers: { ...(body === undefined ? {} : { 'content-type': 'application/json' }), ...headers },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    // biome-ignore lint/suspicious/noExplicitAny: tests read answers of every shape.
    const read = (text === '' ? null : JSON.parse(text)) as any;
    const cookie = response.headers.get('set-cookie') ?? '';
    return answered({ status: response.status, body: read, cookie }, `${method} ${path}`);
  }

  async function newKey(role: string) {
    const { body } = await operatorCalls(service).post('/operator/operator-keys', {
      name: `a ${role}`,
      role,
    });
    return body as { id: string; operator_key: string };
  }

  async function signIn(operatorKey: string, headers: Record<string, string> = {}) {
    const answer = await ask('/operator/session', {
      method: 'POST',
      body: { operator_key: operatorKey },
      headers,
    });
    const cookie = answer.cookie.split(';')[0] ?? '';
    return { ...answer, attributes: answer.cookie, cookie, csrf: String(answer.body?.csrf_token) };
  }

  it('[console] is begun with a live key, by a cookie that no script and no other site can use', async () => {
    const { id, operator_key } = await newKey('viewer');
    const { status, body, attributes, cookie } = await signIn(operator_key);
    expect([status, body]).toEqual([
      201,
      { id, name: 'a viewer', role: 'viewer', csrf_token: expect.any(String) },
    ]);
    expect(attributes).toMatch(
      /^dateline_sandbox_console=dl_test_os_\w+; Path=\/; HttpOnly; SameSite=Strict$/,
    );
    expect(await ask('/operator/me', { headers: { cookie } })).toMatchObject({
      status: 200,
      body: { id, role: 'viewer', csrf_token: body.csrf_token },
    });
    expect((await signIn('dl_test_op_nonsense')).status).toBe(401);
    expect((await signIn(operator_key.slice(0, -1))).status).toBe(401);
  });

  it('[console] may do what its key may, and nothing without the token of its page', async () => {
    const { operator_key } = await newKey('admin');
    const { cookie, csrf } = await signIn(operator_key);
    const create = (headers: Record<string, string>) =>
      ask('/operator/organizations', {
        method: 'POST',
        body: { name: 'Made in the console' },
        headers: { cookie, ...headers },
      });
    for (const headers of [
      {},
      { 'x-csrf-token': '' },
      { 'x-csrf-token': `${csrf}x` },
      { 'x-csrf-token': csrf, origin: 'https://evil.example' },
      { 'x-csrf-token': csrf, 'sec-fetch-site': 'cross-site' },
      { 'x-csrf-token': csrf, 'sec-fetch-site': 'same-site' },
    ])
      expect([headers, (await create(headers)).status]).toEqual([headers, 403]);
    expect((await create({ 'x-csrf-token': csrf, 'sec-fetch-site': 'same-origin' })).status).toBe(201);
    const viewer = await signIn((await newKey('viewer')).operator_key);
    expect(
      await ask('/operator/organizations', {
        method: 'POST',
        body: { name: 'Not made' },
        headers: { cookie: viewer.cookie, 'x-csrf-token': viewer.csrf },
      }),
    ).toMatchObject({ status: 403, body: { error: 'insufficient_role' } });
    // The token of one session is nothing in another.
    expect((await create({ 'x-csrf-token': viewer.csrf })).status).toBe(403);
  });

  it('[console] reaches no operation of the API from another site, without the token of its page, or with a revoked key', async () => {
    const document = await (await service.call('sandbox', '/operator/openapi.json')).json();
    const operations = documentedOperations(document as never).filter(({ roles }) => roles.length > 0);
    expect(operations.length).toBeGreaterThan(50);
    const { operator_key } = await newKey('admin');
    const { cookie, csrf } = await signIn(operator_key);
    const revoked = await newKey('admin');
    const dead = await signIn(revoked.operator_key);
    await operatorCalls(service).post(`/operator/operator-keys/${revoked.id}/revoke`);
    for (const { method, path } of operations) {
      const there = path.replaceAll(/\{\w+\}/g, 'unknown_id');
      const statusOf = async (headers: Record<string, string>) =>
        (await service.call('sandbox', there, { method, headers })).status;
      const answers = {
        foreign: await statusOf({ cookie, 'x-csrf-token': csrf, origin: 'https://evil.example' }),
        withoutToken: method === 'GET' ? 403 : await statusOf({ cookie }),
        revoked: await statusOf({ cookie: dead.cookie, 'x-csrf-token': dead.csrf }),
      };
      expect([`${method} ${path}`, answers]).toEqual([
        `${method} ${path}`,
        { foreign: 403, withoutToken: 403, revoked: 401 },
      ]);
    }
  });

  it('[console] is not begun by another site, and never goes on under a value that was there before', async () => {
    const { operator_key } = await newKey('viewer');
    expect((await signIn(operator_key, { 'sec-fetch-site': 'cross-site' })).status).toBe(403);
    expect((await signIn(operator_key, { origin: 'https://evil.example' })).status).toBe(403);
    const first = await signIn(operator_key);
    const second = await signIn(operator_key, { cookie: first.cookie });
    expect(second.cookie).not.toBe(first.cookie);
    expect((await ask('/operator/me', { headers: { cookie: first.cookie } })).status).toBe(401);
    expect((await ask('/operator/me', { headers: { cookie: second.cookie } })).status).toBe(200);
    const planted = `dateline_sandbox_console=dl_test_os_${'A'.repeat(43)}`;
    expect((await ask('/operator/me', { headers: { cookie: planted } })).status).toBe(401);
  });

  it('[console] ends by signing out, by half an hour without use, after twelve hours, and with its key', async () => {
    const { id, operator_key } = await newKey('viewer');
    const isLive = async ({ cookie }: { cookie: string }) =>
      (await ask('/operator/me', { headers: { cookie } })).status === 200;
    const left = await signIn(operator_key);
    const out = await ask('/operator/session', {
      method: 'DELETE',
      headers: { cookie: left.cookie, 'x-csrf-token': left.csrf },
    });
    expect([out.status, out.cookie]).toEqual([204, expect.stringContaining('Max-Age=0')]);
    expect(await isLive(left)).toBe(false);

    const idle = await signIn(operator_key);
    service.clock.advanceSeconds(29 * 60);
    expect(await isLive(idle)).toBe(true);
    service.clock.advanceSeconds(31 * 60);
    expect(await isLive(idle)).toBe(false);

    const busy = await signIn(operator_key);
    for (let minutes = 0; minutes < 12 * 60 - 20; minutes += 20) {
      expect(await isLive(busy)).toBe(true);
      service.clock.advanceSeconds(20 * 60);
    }
    service.clock.advanceSeconds(20 * 60);
    expect(await isLive(busy)).toBe(false);

    const ended = await signIn(operator_key);
    expect(await isLive(ended)).toBe(true);
    await operatorCalls(service).post(`/operator/operator-keys/${id}/revoke`);
    expect(await isLive(ended)).toBe(false);
    expect((await signIn(operator_key)).status).toBe(401);
  });

  it('[outside2 28] ends when the settings name another key, or none', async () => {
    const { cookie } = await signIn(configuredKey);
    const sessionValue = cookie.split('=')[1] as string;
    const context = await serviceEnvironment(service);
    // The same database, as nodes see it that were started with these settings.
    const seenWith = async (key: string | null) =>
      (await createOperatorSessions(context, key).find(sessionValue))?.id ?? null;
    expect(await seenWith(configuredKey)).toBe('configured');
    expect(await seenWith('another-operator-key-of-this-test-0016')).toBeNull();
    expect(await seenWith(null)).toBeNull();
  });

  it('[console] may be begun with the key from the settings too, and is audited without a secret', async () => {
    const { status, body, cookie } = await signIn(configuredKey);
    expect([status, body.id, body.role]).toEqual([201, 'configured', 'admin']);
    expect((await ask('/operator/users', { headers: { cookie } })).status).toBe(200);
    const audit = await operatorCalls(service).get('/operator/audit?action=operator_session.started');
    expect(audit.body.items[0]).toMatchObject({ actor_type: 'operator', actor_id: 'configured' });
    const everything = [audit.text, ...service.logLines].join('\n');
    for (const secret of [configuredKey, cookie.split('=')[1] as string, body.csrf_token])
      expect(everything).not.toContain(secret);
  });
});
