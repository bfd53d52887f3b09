import { afterAll, describe, expect, it } from 'vitest';
import { createApp } from '../../src/http/app/create-app.ts';
import { collectOperations, operationsOf } from '../../src/http/operator/operation.ts';
import { newOperatorKeyValue } from '../../src/identity/operator-keys.ts';
import { digestOf } from '../../src/kernel/digest.ts';
import { onPostgresFirst } from '../support/database/databases.ts';
import { answered } from '../support/run/answered.ts';
import { current, maintained, versionsBefore } from '../support/service/build-versions.ts';
import { documentedOperations } from '../support/service/operator-document.ts';
import { type TestService, useTestService } from '../support/service/test-service.ts';

type Environment = 'production' | 'sandbox';

/** A new key of a role, and calls with it. */
async function withRole(service: TestService, role: string, environment: Environment = 'sandbox') {
  const created = await service.operate(environment, '/operator/operator-keys', {
    method: 'POST',
    body: { name: `a ${role}`, role },
  });
  const { id, operator_key: key } = (await created.json()) as { id: string; operator_key: string };
  const ask = async (method: string, path: string, body?: unknown, version: string = current) => {
    const response = await service.call(environment, path, {
      method,
      headers: {
        authorization: `Bearer ${key}`,
        'service-version': version,
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    const isJson = response.headers.get('content-type')?.startsWith('application/json');
    const read = (isJson ? JSON.parse(text) : {}) as Record<string, unknown>;
    return answered({ status: response.status, body: read }, `${method} ${path}`);
  };
  return { id, key, ask };
}

onPostgresFirst('roles of operator keys', (engine) => {
  const configuredKey = 'configured-operator-key-of-this-test-0003';
  const service = useTestService(engine, { DATELINE_SANDBOX_OPERATOR_KEY: configuredKey });
  const usersOf = async () => (await service.operate('sandbox', '/operator/users')).json();

  it('[outside 10] a viewer reads and changes nothing; the refusal names the role that is needed', async () => {
    const viewer = await withRole(service, 'viewer');
    expect((await viewer.ask('GET', '/operator/users')).status).toBe(200);
    const before = await usersOf();
    const user = { email: 'new@example.com', name: 'New', password: 'correct horse battery' };
    expect(await viewer.ask('POST', '/operator/users', user)).toEqual({
      status: 403,
      body: {
        error: 'insufficient_role',
        detail: 'This needs an operator key with the role admin; this one has the role viewer.',
      },
    });
    expect(await usersOf()).toEqual(before);
    const lines = service.logLines.filter((line) => line.includes('"status":403'));
    expect(lines.join('\n')).toContain(`the operator key is ${viewer.id}`);
    expect(lines.join('\n')).not.toContain(viewer.key);
    const { access_token } = service.quickstart.sandbox;
    const explained = await viewer.ask('POST', '/operator/tokens/explain', { token: access_token });
    expect(explained).toMatchObject({ status: 200, body: { state: 'active' } });
  });

  it('[outside 10] [own events] a publisher may publish events, ask who it is, and do nothing else', async () => {
    const publisher = await withRole(service, 'publisher');
    expect(await publisher.ask('GET', '/operator/me')).toEqual({
      status: 200,
      body: { id: publisher.id, name: 'a publisher', role: 'publisher', csrf_token: null },
    });
    expect(await publisher.ask('GET', '/operator/users')).toMatchObject({
      status: 403,
      body: {
        detail:
          'This needs an operator key with the role viewer, support or admin; this one has the role publisher.',
      },
    });
    const events = [{ id: '1', type: 'token.revoked', organization_id: 'org_1', data: {} }];
    expect(await publisher.ask('POST', '/operator/events', { events })).toEqual({
      status: 422,
      body: {
        error: 'validation_failed',
        detail: 'This service has no event kinds of its own; name an API folder.',
      },
    });
    expect(
      await (await withRole(service, 'viewer')).ask('POST', '/operator/events', { events }),
    ).toMatchObject({
      status: 403,
      body: {
        detail: 'This needs an operator key with the role publisher or admin; this one has the role viewer.',
      },
    });
  });

  it('[outside 10] no key can do more than its role by any operation of the API', async () => {
    const document = await (await service.call('sandbox', '/operator/openapi.json')).json();
    const operations = documentedOperations(document as never);
    expect(operations.length).toBeGreaterThan(40);
    // Everyone may sign in and out; explaining and searching change nothing.
    const anyone = ['sign_in', 'sign_out'];
    const changes = {
      viewer: [...anyone, 'explain_token', 'search'],
      support: [
        ...anyone,
        'explain_token',
        'search',
        'redeliver_event',
        'recover_events',
        'disable_client',
        'disable_webhook_endpoint',
      ],
      publisher: [...anyone, 'publish_events'],
    };
    for (const [role, may] of Object.entries(changes)) {
      const { ask } = await withRole(service, role);
      const tried = operations.filter(({ path }) => !path.endsWith('/listen'));
      const letIn: typeof operations = [];
      for (const operation of tried) {
        // The ids do not exist: whoever is let in changes nothing, and who is not is refused before they are read.
        const there = operation.path.replaceAll(/\{\w+\}/g, 'unknown_id');
        if ((await ask(operation.method, there)).status !== 403) letIn.push(operation);
      }
      const ids = (some: typeof operations) => some.map(({ id }) => id).sort();
      const documented = tried.filter(({ roles }) => roles.length === 0 || roles.includes(role));
      expect([role, ids(letIn)]).toEqual([role, ids(documented)]);
      expect([role, ids(letIn.filter(({ method }) => method !== 'GET'))]).toEqual([role, [...may].sort()]);
      const read = ids(letIn.filter(({ method }) => method === 'GET'));
      const all = ids(tried.filter(({ method }) => method === 'GET'));
      const nothing = ['read_openapi_document', 'read_own_key', 'read_reference_page'];
      expect([role, read]).toEqual([role, role === 'publisher' ? nothing : all]);
    }
  });

  it('[who broke 5] support disables with a reason, which the audit log and the explanation of a token show', async () => {
    const [support, admin] = [await withRole(service, 'support'), await withRole(service, 'admin')];
    const { client_id: clientId, access_token: token } = service.quickstart.sandbox;
    const path = `/operator/clients/${clientId}/disable`;
    for (const body of [undefined, {}, { reason: '  ' }])
      expect(await support.ask('POST', path, body)).toEqual({
        status: 422,
        body: {
          error: 'validation_failed',
          detail: 'reason is missing: a key with the role support must say why.',
        },
      });
    expect(await admin.ask('GET', `/operator/clients/${clientId}`)).toMatchObject({
      body: { disabled_at: null },
    });
    const reason = 'the customer asked for it';
    expect(await support.ask('POST', path, { reason })).toMatchObject({
      status: 200,
      body: { disabled_at: expect.any(String) },
    });
    const by = { actor_id: support.id, actor_name: 'a support' };
    const { body } = await support.ask('GET', `/operator/audit?client_id=${clientId}&action=client.disabled`);
    expect(body.items).toMatchObject([{ ...by, actor_type: 'operator', reason }]);
    const explained = await support.ask('POST', '/operator/tokens/explain', { token });
    expect(explained.body).toMatchObject({ ...by, state: 'client_disabled', reason });
    expect(explained.body.message).toMatch(
      new RegExp(`^Its client was disabled at \\S+ by operator a support \\(${support.id}\\): ${reason}\\.$`),
    );
    expect((await support.ask('POST', `/operator/clients/${clientId}/enable`)).status).toBe(403);
    expect((await admin.ask('POST', `/operator/clients/${clientId}/enable`)).status).toBe(200);
  });

  it('an admin may leave the reason out, and the body with it', async () => {
    const admin = await withRole(service, 'admin');
    const { client_id: clientId } = service.quickstart.sandbox;
    expect((await admin.ask('POST', `/operator/clients/${clientId}/disable`)).status).toBe(200);
    expect((await admin.ask('POST', `/operator/clients/${clientId}/disable`, {})).status).toBe(200);
    expect(await admin.ask('POST', `/operator/clients/${clientId}/disable`, { why: 'x' })).toMatchObject({
      status: 422,
    });
    expect((await admin.ask('POST', `/operator/clients/${clientId}/enable`)).status).toBe(200);
  });

  it('[outside 10] keys of the quickstart, of the settings, and those made without a role are admin', async () => {
    const me = async (key: string) =>
      (await service.call('sandbox', '/operator/me', { headers: { authorization: `Bearer ${key}` } })).json();
    expect(await me(configuredKey)).toEqual({
      id: 'configured',
      name: 'the key from the settings',
      role: 'admin',
      csrf_token: null,
    });
    expect(await me(service.quickstart.sandbox.operator_key)).toMatchObject({ role: 'admin' });
    const made = await service.operate('sandbox', '/operator/operator-keys', {
      method: 'POST',
      body: { name: 'as before' },
    });
    expect(await made.json()).toMatchObject({ role: 'admin' });
  });

  it('[outside 10] a key that was stored before there were roles is admin', async () => {
    const keyValue = newOperatorKeyValue({ name: 'sandbox' });
    const digest = digestOf(keyValue).toString('hex');
    const database = await service.database('sandbox');
    // As a build without roles stores one: it does not name the column.
    await database.migration((session) =>
      session.script(`insert into {schema}.operator_keys (id, name, digest, created_at)
        values ('opk_0000000000000000000001', 'old', '\\x${digest}', now())`),
    );
    const headers = { authorization: `Bearer ${keyValue}` };
    expect(await (await service.call('sandbox', '/operator/me', { headers })).json()).toEqual({
      id: 'opk_0000000000000000000001',
      name: 'old',
      role: 'admin',
      csrf_token: null,
    });
  });

  it('[outside 10] a role that does not exist is refused with those that do', async () => {
    const made = await service.operate('sandbox', '/operator/operator-keys', {
      method: 'POST',
      body: { name: 'x', role: 'root' },
    });
    expect([made.status, await made.json()]).toEqual([
      422,
      { error: 'validation_failed', detail: 'role must be one of admin, viewer, support, publisher.' },
    ]);
  });

  it('[outside 10] a viewer’s key registers no client in production', async () => {
    const [viewer, admin] = [
      await withRole(service, 'viewer', 'production'),
      await withRole(service, 'admin', 'production'),
    ];
    const client = { redirect_uris: ['https://app.example/back'], client_name: 'Registered' };
    for (const version of maintained) {
      // Since 2027-01 no operator key does.
      const isTaken = versionsBefore('2027-01').includes(version);
      const register = async (key: typeof admin) =>
        (await key.ask('POST', '/v1/oauth2/register', client, version)).status;
      expect([await register(viewer), await register(admin)]).toEqual(isTaken ? [401, 201] : [401, 403]);
    }
  });

  it('[outside 10] the last key with the role admin cannot be revoked, however many others there are', async () => {
    const viewer = await withRole(service, 'viewer', 'production');
    const { items } = (await (await service.operate('production', '/operator/operator-keys')).json()) as {
      items: { id: string; role: string; revoked_at: string | null }[];
    };
    const revoke = (id: string) =>
      service.operate('production', `/operator/operator-keys/${id}/revoke`, { method: 'POST' });
    const own = await (await service.operate('production', '/operator/me')).json();
    const others = items.filter(({ id, role }) => role === 'admin' && id !== (own as { id: string }).id);
    for (const { id } of others) expect((await revoke(id)).status).toBe(200);
    const last = await revoke((own as { id: string }).id);
    expect([last.status, await last.json()]).toEqual([
      409,
      {
        error: 'conflict',
        detail: 'This is the last live operator key with the role admin; create another one first.',
      },
    ]);
    expect((await revoke(viewer.id)).status).toBe(200);
  });

  it('[outside 10] the audit log says which key did what, and can be read by actor', async () => {
    const [one, other] = [await withRole(service, 'admin'), await withRole(service, 'admin')];
    await one.ask('POST', '/operator/organizations', { name: 'By one' });
    await other.ask('POST', '/operator/organizations', { name: 'By the other' });
    const refused = await one.ask('PATCH', '/operator/organizations/org_unknown', { name: 'Refused' });
    expect(refused.status).toBe(404);
    const byActor = async (actor: string) =>
      ((await one.ask('GET', `/operator/audit?actor=${actor}`)).body.items ?? []) as Record<string, string>[];
    for (const { id } of [one, other])
      expect(await byActor(id)).toMatchObject([
        { actor_id: id, actor_name: 'a admin', action: 'organization.created' },
      ]);
    await service.call('sandbox', '/operator/organizations', {
      method: 'POST',
      headers: { authorization: `Bearer ${configuredKey}`, 'content-type': 'application/json' },
      body: '{"name":"Configured"}',
    });
    expect(await byActor('configured')).toMatchObject([{ actor_name: 'the key from the settings' }]);
    for (const { actor_type } of await byActor('system')) expect(actor_type).toBe('system');
    expect(await one.ask('GET', '/operator/audit?actor=somebody')).toMatchObject({
      status: 422,
      body: {
        detail: 'actor must be an id that begins with opk_, cli_ or usr_, or configured or system.',
      },
    });
  });

  it('[outside 10] a filter with a wrong name is refused: it would show more than was asked for', async () => {
    const refused = await service.operate('sandbox', '/operator/audit?actor_id=opk_1');
    expect([refused.status, await refused.json()]).toEqual([
      422,
      { error: 'validation_failed', detail: 'actor_id is not a field of this request.' },
    ]);
  });
});

describe('an operator route', () => {
  const app = createApp({ trustedProxies: [], requestMs: 1_000 });
  afterAll(() => app.close());

  it('[outside 10] that does not say who may call it stops the start', () => {
    const operations = collectOperations(app);
    operationsOf(app, 'Things')(
      'GET /operator/things',
      {
        id: 'list_things',
        needs: 'viewer',
        summary: 'List things',
        answer: { status: 204, description: 'None.' },
      },
      async () => {},
    );
    expect(operations.map(({ id, needs }) => [id, needs])).toEqual([['list_things', 'viewer']]);
    expect(() => app.post('/operator/things', async () => ({}))).toThrow(
      /^POST \/operator\/things is not declared: .*who may call it/,
    );
  });
});
