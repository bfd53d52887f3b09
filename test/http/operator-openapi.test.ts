import { readdirSync, readFileSync } from 'node:fs';
import type { JsonSchema } from '@dateline/versions';
import { beforeAll, expect, it } from 'vitest';
import { onPostgresFirst } from '../support/database/databases.ts';
import { answered } from '../support/run/answered.ts';
import { itInLongRuns } from '../support/run/in-long-runs.ts';
import { homeTime, next, removed } from '../support/service/build-versions.ts';
import {
  answerProblems,
  type DocumentedOperation,
  documentedOperations,
} from '../support/service/operator-document.ts';
import { buildWithFolderKinds, orderData } from '../support/webhooks/folder-kinds.ts';
import { useWebhooks } from '../support/webhooks/webhooks.ts';

const folder = new URL('../../src/http/operator/', import.meta.url);

interface Call {
  path: string;
  body?: unknown;
}

onPostgresFirst('the document of the operator API', (engine) => {
  const webhooks = useWebhooks(engine, homeTime, next, { build: buildWithFolderKinds() });
  const { service, endpoint, eventsOf } = webhooks;
  let document: Record<string, unknown>;
  let operations: readonly DocumentedOperation[];

  beforeAll(async () => {
    document = (await (await service.call('sandbox', '/operator/openapi.json')).json()) as typeof document;
    operations = documentedOperations(document);
  });

  async function ask(method: string, { path, body }: Call, headers: Record<string, string> = {}) {
    const response = await service.call('sandbox', path, {
      method,
      headers: {
        authorization: `Bearer ${service.quickstart.sandbox.operator_key}`,
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    });
    const contentType = response.headers.get('content-type');
    return answered(
      { status: response.status, contentType, text: await response.text() },
      `${method} ${path}`,
    );
  }

  /** Creates something by its own operation, and answers with it. */
  async function made(path: string, body: unknown): Promise<Record<string, string>> {
    const { status, text } = await ask('POST', { path, body });
    expect([status, text]).toEqual([201, expect.any(String)]);
    return JSON.parse(text);
  }

  const password = 'correct horse battery';
  let count = 0;
  const newUser = () => {
    count += 1;
    return { email: `documented${count}@example.com`, name: 'Documented', password };
  };
  const organization = () => made('/operator/organizations', { name: 'Documented' });
  const user = () => made('/operator/users', newUser());
  const client = async (kind = 'confidential') =>
    made('/operator/clients', { organization_id: (await organization()).id, name: 'Documented', kind });
  const ofClient = async (rest: string, body?: unknown): Promise<Call> => ({
    path: `/operator/clients/${(await client()).id}${rest}`,
    ...(body === undefined ? {} : { body }),
  });
  const ofWebhooks = (rest: string): string =>
    `/operator/organizations/${service.quickstart.sandbox.organization_id}/webhooks${rest}`;

  const ofEndpoint = (id: string, rest = ''): string => `/operator/webhooks/endpoints/${id}${rest}`;

  async function anEvent(): Promise<string> {
    const { id } = await endpoint();
    await ask('PATCH', {
      path: `/operator/organizations/${service.quickstart.sandbox.organization_id}`,
      body: { name: `Renamed for ${id}` },
    });
    const [event] = await eventsOf(id);
    return event.id;
  }

  async function liveGrant(): Promise<string> {
    const { client_id, client_secret } = await made('/operator/clients', {
      organization_id: (await organization()).id,
      name: 'Documented',
      kind: 'confidential',
      grant_types: ['client_credentials'],
    }).then(({ id, client_secret }) => ({ client_id: id, client_secret }));
    await service.call('sandbox', '/v1/oauth2/token', {
      method: 'POST',
      body: new URLSearchParams({
        grant_type: 'client_credentials',
        client_id: String(client_id),
        client_secret: String(client_secret),
      }),
    });
    const { text } = await ask('GET', { path: `/operator/clients/${client_id}/grants` });
    return JSON.parse(text).items[0].id;
  }

  /** A call of each operation that succeeds. An operation without one fails the first test. */
  const calls: Readonly<Record<string, () => Promise<Call>>> = {
    list_organizations: async () => ({ path: '/operator/organizations?limit=2' }),
    create_organization: async () => ({ path: '/operator/organizations', body: { name: 'New' } }),
    rename_organization: async () => ({
      path: `/operator/organizations/${(await organization()).id}`,
      body: { name: 'Renamed' },
    }),
    suspend_organization: async () => ({
      path: `/operator/organizations/${(await organization()).id}/suspend`,
    }),
    resume_organization: async () => ({
      path: `/operator/organizations/${(await organization()).id}/resume`,
    }),
    delete_organization: async () => ({ path: `/operator/organizations/${(await organization()).id}` }),
    examine_service: async () => ({ path: '/operator/doctor' }),
    list_registration_tokens: async () => ({ path: '/operator/registration-tokens' }),
    create_registration_token: async () => ({ path: '/operator/registration-tokens', body: {} }),
    revoke_registration_token: async () => ({
      path: `/operator/registration-tokens/${(await made('/operator/registration-tokens', {})).id}`,
    }),
    list_users: async () => ({ path: '/operator/users' }),
    set_user_password: async () => ({
      path: `/operator/users/${(await user()).id}/set-password`,
      body: { password },
    }),
    create_password_link: async () => ({ path: `/operator/users/${(await user()).id}/password-link` }),
    delete_user: async () => ({ path: `/operator/users/${(await user()).id}` }),
    create_user: async () => ({ path: '/operator/users', body: newUser() }),
    block_user: async () => ({ path: `/operator/users/${(await user()).id}/block` }),
    unblock_user: async () => ({ path: `/operator/users/${(await user()).id}/unblock` }),
    list_members: async () => ({
      path: `/operator/organizations/${service.quickstart.sandbox.organization_id}/members`,
    }),
    add_member: async () => ({
      path: `/operator/organizations/${(await organization()).id}/members`,
      body: { user_id: (await user()).id },
    }),
    async remove_member() {
      const [{ id }, { id: userId }] = [await organization(), await user()];
      await made(`/operator/organizations/${id}/members`, { user_id: userId });
      return { path: `/operator/organizations/${id}/members/${userId}` };
    },
    read_own_key: async () => ({ path: '/operator/me' }),
    list_operator_keys: async () => ({ path: '/operator/operator-keys' }),
    create_operator_key: async () => ({
      path: '/operator/operator-keys',
      body: { name: 'x', role: 'publisher' },
    }),
    async revoke_operator_key() {
      const { id } = await made('/operator/operator-keys', { name: 'x', role: 'viewer' });
      return { path: `/operator/operator-keys/${id}/revoke` };
    },
    list_clients: async () => ({
      path: `/operator/clients?organization_id=${service.quickstart.sandbox.organization_id}`,
    }),
    create_client: async () => ({
      path: '/operator/clients',
      body: { organization_id: (await organization()).id, name: 'New', kind: 'confidential' },
    }),
    read_client: () => ofClient(''),
    change_client: () => ofClient('', { name: 'Changed' }),
    delete_client: () => ofClient(''),
    disable_client: () => ofClient('/disable'),
    enable_client: () => ofClient('/enable'),
    rotate_client_secret: () => ofClient('/rotate-secret'),
    async revoke_client_secret() {
      const { id, secret_id } = await client();
      return { path: `/operator/clients/${id}/secrets/${secret_id}/revoke` };
    },
    plan_release: async () => ({ path: '/operator/release' }),
    run_release: async () => ({ path: '/operator/release/run', body: { reason: 'rehearsal' } }),
    async schedule_release() {
      const at = new Date(service.clock.now().getTime() + 5_000).toISOString();
      return { path: '/operator/release/schedule', body: { at } };
    },
    async undo_release() {
      service.clock.advanceSeconds(10);
      return { path: '/operator/release/undo', body: {} };
    },
    read_usage: async () => ({
      path: '/operator/usage?days=2&group=day,version,choice,client,organization,operation',
    }),
    list_clients_at_risk: async () => ({ path: '/operator/usage/at-risk' }),
    list_audit: async () => ({ path: '/operator/audit?limit=100' }),
    list_nodes: async () => ({ path: '/operator/nodes' }),
    list_standbys: async () => ({ path: '/operator/standbys' }),
    list_broken_clients: async () => ({ path: '/operator/release/broken' }),
    list_releases: async () => ({ path: '/operator/release/history' }),
    async list_failed_requests() {
      expect((await service.call('sandbox', '/v1/products')).status).toBe(401);
      return { path: '/operator/failed-requests?limit=2' };
    },
    group_failed_requests: async () => ({ path: '/operator/failed-requests/groups?days=2' }),
    sign_in: async () => ({
      path: '/operator/session',
      body: { operator_key: service.quickstart.sandbox.operator_key },
    }),
    sign_out: async () => ({ path: '/operator/session' }),
    read_organization: async () => ({ path: `/operator/organizations/${(await organization()).id}` }),
    read_user: async () => ({ path: `/operator/users/${(await user()).id}` }),
    list_user_sessions: async () => ({ path: `/operator/users/${(await user()).id}/sessions` }),
    end_user_sessions: async () => ({ path: `/operator/users/${(await user()).id}/sessions` }),
    list_user_grants: async () => ({
      path: `/operator/users/${(await user()).id}/grants`,
    }),
    list_client_grants: async () => ({
      path: `/operator/clients/${service.quickstart.sandbox.client_id}/grants`,
    }),
    list_grant_tokens: async () => ({ path: `/operator/grants/${await liveGrant()}/tokens` }),
    async revoke_token() {
      const { text } = await ask('GET', { path: `/operator/grants/${await liveGrant()}/tokens` });
      return { path: `/operator/tokens/${JSON.parse(text).items[0].id}/revoke`, body: {} };
    },
    read_version_changes: async () => ({ path: `/operator/versions/${next}/changes` }),
    revoke_grant: async () => ({ path: `/operator/grants/${await liveGrant()}/revoke`, body: {} }),
    explain_token: async () => ({
      path: '/operator/tokens/explain',
      body: { token: service.quickstart.sandbox.refresh_token },
    }),
    list_scopes: async () => ({ path: '/operator/scopes' }),
    search: async () => ({ path: '/operator/search', body: { text: 'a name' } }),
    revoke_tokens: async () => ({
      path: '/operator/tokens/revoke',
      body: { client_id: (await client()).id, reason: 'a test' },
    }),
    async report_leaks() {
      const { client_secret } = await client();
      return { path: '/operator/leaks', body: { tokens: [client_secret, 'unknown'], source: 'a test' } };
    },
    async list_webhook_endpoints() {
      await endpoint();
      return { path: ofWebhooks('/endpoints') };
    },
    disable_webhook_endpoint: async () => ({ path: ofEndpoint((await endpoint()).id, '/disable') }),
    async enable_webhook_endpoint() {
      const { id } = await endpoint();
      await ask('POST', { path: ofEndpoint(id, '/disable') });
      return { path: ofEndpoint(id, '/enable') };
    },
    async release_webhook_endpoint() {
      const { id } = await endpoint();
      await ask('POST', { path: ofEndpoint(id, '/disable') });
      return { path: ofEndpoint(id, '/release') };
    },
    delete_webhook_endpoint: async () => ({ path: ofEndpoint((await endpoint()).id) }),
    redeliver_event: async () => ({ path: ofWebhooks(`/events/${await anEvent()}/redeliver`) }),
    recover_events: async () => ({
      path: ofWebhooks(`/endpoints/${(await endpoint()).id}/recover`),
      body: { since: service.clock.now().toISOString() },
    }),
    async list_all_webhook_endpoints() {
      await endpoint();
      return { path: '/operator/webhooks/endpoints?condition=healthy&search=localhost' };
    },
    read_webhook_endpoint: async () => ({ path: ofEndpoint((await endpoint()).id) }),
    send_test_event: async () => ({
      path: ofEndpoint((await endpoint()).id, '/test'),
      body: { type: 'organization.updated' },
    }),
    async read_recovery() {
      const { id } = await endpoint();
      const since = service.clock.now().toISOString();
      await ask('POST', { path: ofWebhooks(`/endpoints/${id}/recover`), body: { since } });
      return { path: ofEndpoint(id, '/recovery') };
    },
    read_webhook_queue: async () => ({ path: '/operator/webhooks/queue' }),
    list_all_webhook_events: async () => ({ path: '/operator/webhooks/events?state=pending' }),
    read_webhook_event: async () => ({ path: `/operator/webhooks/events/${await anEvent()}` }),
    list_webhook_attempts: async () => ({ path: `/operator/webhooks/events/${await anEvent()}/attempts` }),
    preview_webhook_event: async () => ({
      path: `/operator/webhooks/events/${await anEvent()}/preview?api_version=${next}`,
    }),
    async publish_events() {
      const { organization_id } = service.quickstart.sandbox;
      const event = { id: 'documented', type: 'order.created', organization_id, data: orderData(1) };
      return { path: '/operator/events', body: { events: [event] } };
    },
    read_secret_key: async () => ({ path: '/operator/secret-key' }),
    rotate_secret_key: async () => ({ path: '/operator/secret-key/rotate' }),
    list_signing_keys: async () => ({ path: '/operator/signing-keys' }),
    rotate_signing_key: async () => ({ path: '/operator/signing-keys/rotate', body: {} }),
    read_openapi_document: async () => ({ path: '/operator/openapi.json' }),
    read_reference_page: async () => ({ path: '/operator/docs' }),
  };
  /** They answer with streams: each has a test of its own. */
  const streams = ['listen_to_events', 'make_backup'];

  /** What the audit log gets from each operation that may change something. */
  const entries: Readonly<Record<string, readonly string[]>> = {
    add_member: ['member.added'],
    block_user: ['user.blocked'],
    change_client: ['client.updated'],
    create_client: ['client.created'],
    create_operator_key: ['operator_key.created'],
    create_organization: ['organization.created'],
    create_password_link: ['user.password_link_created'],
    create_registration_token: ['registration_token.created'],
    create_user: ['user.created'],
    delete_client: ['client.deleted'],
    delete_organization: ['organization.deleted'],
    delete_user: ['user.deleted'],
    delete_webhook_endpoint: ['webhook_endpoint.deleted'],
    disable_client: ['client.disabled'],
    disable_webhook_endpoint: ['webhook_endpoint.disabled'],
    enable_client: ['client.enabled'],
    enable_webhook_endpoint: ['webhook_endpoint.released'],
    end_user_sessions: ['user.signed_out'],
    recover_events: ['webhook_endpoint.recovered'],
    redeliver_event: ['webhook_event.redelivered'],
    release_webhook_endpoint: ['webhook_endpoint.released'],
    remove_member: ['member.removed'],
    rename_organization: ['organization.updated'],
    report_leaks: ['client.secret_revoked', 'leak.reported', 'leak.reported'],
    resume_organization: ['organization.resumed'],
    revoke_client_secret: ['client.secret_revoked'],
    revoke_grant: ['grant.revoked'],
    revoke_operator_key: ['operator_key.revoked'],
    revoke_registration_token: ['registration_token.revoked'],
    revoke_token: ['token.revoked'],
    revoke_tokens: ['tokens.revoked'],
    rotate_client_secret: ['client.secret_rotated'],
    rotate_signing_key: ['signing_key.created'],
    run_release: ['release.run'],
    schedule_release: ['release.scheduled'],
    send_test_event: ['webhook_endpoint.tested'],
    set_user_password: ['user.password_set'],
    sign_in: ['operator_session.started'],
    sign_out: ['operator_session.ended'],
    suspend_organization: ['organization.suspended'],
    unblock_user: ['user.unblocked'],
    undo_release: ['release.undone'],
    // What these do is not audited: questions, events by the thousand, and a key that is in use already.
    explain_token: [],
    search: [],
    publish_events: [],
    rotate_secret_key: [],
  };

  /** The actions of operators in the audit log, one for each entry. */
  async function audited(): Promise<Map<string, string>> {
    const rows = await webhooks.rows('audit_log', ({ actor_type }) => actor_type === 'operator');
    return new Map(rows.map(({ id, action }) => [String(id), String(action)]));
  }

  it('[outside2 28] [outside 10] describes every answer of every operation as it is, and records every change', async () => {
    expect(operations.map(({ id }) => id).sort()).toEqual([...Object.keys(calls), ...streams].sort());
    const recorded: Record<string, string[]> = {};
    for (const operation of operations.filter(({ id }) => !streams.includes(id))) {
      const call = (await calls[operation.id]?.()) as Call;
      const before = await audited();
      const answer = await ask(operation.method, call);
      expect([operation.id, answer.status < 300, answer.text]).toEqual([operation.id, true, answer.text]);
      expect(answerProblems(operation, answer)).toEqual([]);
      const added = [...(await audited())].filter(([id]) => !before.has(id)).map(([, action]) => action);
      if (operation.method === 'GET') expect([operation.id, added]).toEqual([operation.id, []]);
      else recorded[operation.id] = added.sort();
    }
    expect(recorded).toEqual(entries);
  });

  const generator = () => import('../../tools/client-generator/operator-types.mjs' as string);
  const consoleTypes = () =>
    readFileSync(new URL('../../console/src/generated/operator-api.ts', import.meta.url), 'utf8');

  it('[console] is what the types of the console were made of', async () => {
    const { hashLine } = await generator();
    expect(consoleTypes().includes(hashLine(document)), 'run "npm run client"').toBe(true);
  });

  itInLongRuns('[console] gives the types of the console', async () => {
    const { operatorTypes } = await generator();
    expect(consoleTypes() === (await operatorTypes(document)), 'run "npm run client"').toBe(true);
  });

  it('[outside 10] describes what is refused, and how', async () => {
    for (const operation of operations) {
      const path = operation.path.replaceAll(/\{\w+\}/g, 'unknown_id');
      const refusals = [
        ...(operation.roles.length === 0
          ? []
          : [[401, await ask(operation.method, { path }, { authorization: 'Bearer nonsense' })] as const]),
        [404, await ask(operation.method, { path }, { 'service-version': removed })],
        [422, await ask(operation.method, { path: `${path}?colour=red` })],
        ...(operation.method === 'GET'
          ? []
          : [
              [400, await ask(operation.method, { path, body: '{' })] as const,
              [
                415,
                await ask(operation.method, { path, body: 'x' }, { 'content-type': 'text/plain' }),
              ] as const,
            ]),
      ] as const;
      for (const [status, answer] of refusals) {
        expect([operation.id, answer.status]).toEqual([operation.id, status]);
        expect(answerProblems(operation, answer)).toEqual([]);
      }
      if ('404' in operation.responses && path.includes('unknown_id') && !streams.includes(operation.id)) {
        const answer = await ask(operation.method, { path, ...bodyFor(operation) });
        expect(answerProblems(operation, answer)).toEqual([]);
      }
    }
  });

  it('[outside 10] describes the lines of a stream', async () => {
    const operation = operations.find(({ id }) => id === 'listen_to_events') as DocumentedOperation;
    // What was renamed before is not heard.
    service.clock.advanceSeconds(60);
    const hungUp = new AbortController();
    const response = await service.call('sandbox', ofWebhooks('/listen?events=*'), {
      headers: { authorization: `Bearer ${service.quickstart.sandbox.operator_key}` },
      signal: hungUp.signal,
    });
    const lines: string[] = [];
    const reading = (async () => {
      for await (const text of response.body?.pipeThrough(new TextDecoderStream()) ?? [])
        lines.push(...text.split('\n').filter((line) => line !== ''));
    })().catch(() => {});
    await expect.poll(() => lines).toHaveLength(1);
    service.clock.advanceSeconds(1);
    await ask('PATCH', {
      path: `/operator/organizations/${service.quickstart.sandbox.organization_id}`,
      body: { name: 'Heard' },
    });
    await expect.poll(() => lines).toHaveLength(2);
    hungUp.abort();
    await reading;
    const [schema] = Object.values(operation.responses[200]?.content ?? {}).map((content) => content.schema);
    expect(response.headers.get('content-type')).toBe('application/x-ndjson');
    expect(response.headers.get('service-version')).toMatch(/^\d{4}-\d{2}$/);
    const asJson = { ...operation, responses: { 200: { content: { 'application/json': { schema } } } } };
    for (const text of lines)
      expect(
        answerProblems(asJson as DocumentedOperation, { status: 200, contentType: 'application/json', text }),
      ).toEqual([]);
  });

  it('[outside 10] misses no route: all of them are declared', async () => {
    const sources = readdirSync(folder, { recursive: true, encoding: 'utf8' })
      .filter((file) => file.endsWith('.ts'))
      .map((file) => readFileSync(new URL(file, folder), 'utf8'));
    const routes = sources.flatMap((text) =>
      [...text.matchAll(/'((?:GET|POST|PATCH|PUT|DELETE) \/operator\/[^']*)'/g)].map(([, route]) => route),
    );
    const documented = operations.map(
      ({ method, path }) => `${method} ${path.replaceAll(/\{(\w+)\}/g, ':$1')}`,
    );
    expect(documented.sort()).toEqual(routes.sort());
    // Nothing else serves: a route by the framework's own functions would stop the start.
    expect(sources.join('\n')).not.toMatch(/\bapp\.(get|post|put|patch|delete)\b/);
  });

  it('[outside 10] has words for every operation, parameter and field', () => {
    const wordless = operations.flatMap(({ id, part }) => [
      ...(String(part.summary).length > 10 ? [] : [`${id} has no summary`]),
      ...(part.parameters as { name: string; description?: string }[])
        .filter(({ description }) => !description)
        .map(({ name }) => `${id}: ${name}`),
      ...undescribed(part, id),
    ]);
    expect([...wordless, ...undescribed(document.components, 'components')]).toEqual([]);
    expect(new Set(operations.map(({ id }) => id)).size).toBe(operations.length);
  });

  it('[outside 10] needs no key and holds no secret; a client that has it already gets a 304', async () => {
    const response = await service.call('production', '/operator/openapi.json');
    expect([response.status, response.headers.get('content-type')]).toEqual([
      200,
      'application/json; charset=utf-8',
    ]);
    expect(response.headers.get('service-version')).toMatch(/^\d{4}-\d{2}$/);
    const text = await response.text();
    expect(text).not.toMatch(/dl_(test_)?[a-z]{2}_|whsec_/);
    expect(JSON.parse(text)).toEqual(document);
    const again = await service.call('production', '/operator/openapi.json', {
      headers: { 'if-none-match': response.headers.get('etag') ?? '' },
    });
    expect(again.status).toBe(304);
  });
});

/** A body with the required fields of an operation, for calls that are refused for another reason. */
function bodyFor({ part }: DocumentedOperation): { body?: unknown } {
  const { content } = (part.requestBody ?? {}) as { content?: Record<string, { schema: JsonSchema }> };
  if (!content) return {};
  const { required = [] } = (content['application/json']?.schema ?? {}) as { required?: string[] };
  const values: Record<string, unknown> = { name: 'x', user_id: 'usr_x', since: '2026-11-15T12:00:00Z' };
  return { body: Object.fromEntries(required.map((name) => [name, values[name]])) };
}

/** The places of properties without a description, anywhere in a part of the document. */
function undescribed(part: unknown, place: string): string[] {
  if (typeof part !== 'object' || part === null) return [];
  return Object.entries(part).flatMap(([name, value]) => {
    const own =
      name === 'properties'
        ? Object.entries(value as Record<string, { description?: string }>)
            .filter(([, { description }]) => !description)
            .map(([field]) => `${place}.${field}`)
        : [];
    return [...own, ...undescribed(value, `${place}.${name}`)];
  });
}
