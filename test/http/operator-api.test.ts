import { expect, it } from 'vitest';
import { onPostgresFirst } from '../support/database/databases.ts';
import { maintained } from '../support/service/build-versions.ts';
import { useTestService } from '../support/service/test-service.ts';

onPostgresFirst('the operator API', (engine) => {
  const configuredKey = 'configured-operator-key-of-this-test-0001';
  const service = useTestService(engine, { DATELINE_SANDBOX_OPERATOR_KEY: configuredKey });
  const post = (path: string, body: unknown = {}) =>
    service.operate('sandbox', path, { method: 'POST', body });
  const json = async (response: Response): Promise<Record<string, unknown>> =>
    (await response.json()) as Record<string, unknown>;

  it('needs an operator key of this environment', async () => {
    const attempts = [
      {},
      { authorization: 'Basic abc' },
      { authorization: 'Bearer nonsense' },
      { authorization: `Bearer ${service.quickstart.production.operator_key}` },
      { authorization: `Bearer ${service.quickstart.sandbox.access_token}` },
    ];
    for (const headers of attempts) {
      const response = await service.call('sandbox', '/operator/users', {
        headers: headers as Record<string, string>,
      });
      expect(response.status).toBe(401);
      expect(response.headers.get('www-authenticate')).toMatch(/^Bearer realm="dateline operator"/);
    }
  });

  it('[outside2 28] shows only to those with a key which addresses it does not have', async () => {
    const path = '/operator/nothing';
    expect((await service.call('sandbox', path)).status).toBe(401);
    expect((await service.operate('sandbox', path)).status).toBe(404);
    for (const role of ['viewer', 'publisher']) {
      const made = await json(await post('/operator/operator-keys', { name: role, role }));
      const headers = { authorization: `Bearer ${made.operator_key}` };
      expect([role, (await service.call('sandbox', path, { headers })).status]).toEqual([role, 404]);
    }
  });

  it('accepts the key from the settings beside the stored ones', async () => {
    const headers = { authorization: `Bearer ${configuredKey}` };
    expect((await service.call('sandbox', '/operator/users', { headers })).status).toBe(200);
    expect((await service.call('production', '/operator/users', { headers })).status).toBe(401);
  });

  it('creates an organization, a user and a membership, and lists them', async () => {
    const organization = await json(await post('/operator/organizations', { name: 'Made' }));
    expect(organization).toMatchObject({ id: expect.stringMatching(/^org_/), name: 'Made' });
    const created = await post('/operator/users', {
      email: 'made@example.com',
      name: 'Made',
      password: 'correct horse battery',
    });
    expect(created.status).toBe(201);
    const user = await json(created);
    expect(Object.keys(user)).toEqual(['id', 'email', 'name', 'blocked_at', 'created_at']);
    const members = `/operator/organizations/${organization.id}/members`;
    expect((await post(members, { user_id: user.id })).status).toBe(201);
    expect(await json(await service.operate('sandbox', members))).toMatchObject({
      items: [{ user_id: user.id, email: 'made@example.com' }],
      pagination: { next_cursor: null },
    });
    const removed = await service.operate('sandbox', `${members}/${user.id}`, { method: 'DELETE' });
    expect([removed.status, await removed.text()]).toEqual([204, '']);
  });

  it('blocks a user, whose token is inactive at once', async () => {
    const { access_token } = service.quickstart.sandbox;
    const use = () =>
      service.call('sandbox', '/v1/organizations/', { headers: { authorization: `Bearer ${access_token}` } });
    const users = (await json(await service.operate('sandbox', '/operator/users'))).items as {
      id: string;
      email: string;
    }[];
    const demo = users.find(({ email }) => email === service.quickstart.sandbox.user_email);
    expect((await use()).status).toBe(200);
    expect(await json(await post(`/operator/users/${demo?.id}/block`))).toMatchObject({
      blocked_at: expect.any(String),
    });
    expect((await use()).status).toBe(401);
    expect(await json(await post(`/operator/users/${demo?.id}/unblock`))).toMatchObject({ blocked_at: null });
    expect((await use()).status).toBe(200);
  });

  it('rotates operator keys: create one, use it, revoke the old one', async () => {
    const created = await json(await post('/operator/operator-keys', { name: 'second' }));
    expect(created.operator_key).toMatch(/^dl_test_op_/);
    const withKey = (path: string, method = 'GET') =>
      service.call('sandbox', path, { method, headers: { authorization: `Bearer ${created.operator_key}` } });
    const list = await json(await withKey('/operator/operator-keys'));
    expect(JSON.stringify(list)).not.toContain(created.operator_key);
    const third = await json(await post('/operator/operator-keys', { name: 'third' }));
    expect((await withKey(`/operator/operator-keys/${third.id}/revoke`, 'POST')).status).toBe(200);
    const dead = await service.call('sandbox', '/operator/users', {
      headers: { authorization: `Bearer ${third.operator_key}` },
    });
    expect(dead.status).toBe(401);
  });

  it('pages with a cursor', async () => {
    for (const name of ['p1', 'p2', 'p3']) await post('/operator/organizations', { name });
    const names: string[] = [];
    let cursor: string | null = '';
    while (cursor !== null) {
      const page = await json(
        await service.operate('sandbox', `/operator/organizations?limit=2&cursor=${cursor}`),
      );
      names.push(...(page.items as { name: string }[]).map(({ name }) => name));
      cursor = (page.pagination as { next_cursor: string | null }).next_cursor;
    }
    expect(names).toEqual(expect.arrayContaining(['p1', 'p2', 'p3']));
    expect(new Set(names).size).toBe(names.length);
  });

  it.each([
    ['a missing field', '/operator/organizations', {}, 'name is missing.'],
    ['an empty name', '/operator/organizations', { name: '' }, 'name must not have fewer than 1 characters'],
    [
      'an over-long name',
      '/operator/organizations',
      { name: 'x'.repeat(201) },
      'name must not have more than 200 characters',
    ],
    [
      'a NUL in a name',
      '/operator/organizations',
      { name: 'a\u0000b' },
      'name has characters or a form that are not allowed',
    ],
    ['a number for a name', '/operator/organizations', { name: 7 }, 'name must be string'],
    [
      'an unknown field',
      '/operator/organizations',
      { name: 'x', colour: 'red' },
      'colour is not a field of this request',
    ],
    ['a body that is no object', '/operator/organizations', ['x'], 'the body must be object'],
    [
      'a short password',
      '/operator/users',
      { email: 'a@b', name: 'x', password: 'short' },
      'password must not have fewer',
    ],
    [
      'no email',
      '/operator/users',
      { email: 'nobody', name: 'x', password: 'x'.repeat(12) },
      'email has characters or a form',
    ],
  ])('names what is wrong: %s', async (_what, path, body, detail) => {
    const response = await post(path, body);
    expect(response.status).toBe(422);
    const answer = await json(response);
    expect(answer.error).toBe('validation_failed');
    expect(answer.detail).toContain(detail);
  });

  it.each(['limit=0', 'limit=101', 'limit=x', 'limit=1&limit=2', 'cursor=%27'])(
    'rejects the page %s',
    async (query) => {
      expect((await service.operate('sandbox', `/operator/users?${query}`)).status).toBe(422);
    },
  );

  it('distinguishes malformed JSON, a wrong media type and a body that is too large', async () => {
    const headers = { authorization: `Bearer ${service.quickstart.sandbox.operator_key}` };
    const send = (contentType: string, body: string) =>
      service.call('sandbox', '/operator/organizations', {
        method: 'POST',
        headers: { ...headers, 'content-type': contentType },
        body,
      });
    expect((await send('application/json', '{"name":')).status).toBe(400);
    expect((await send('application/json', '')).status).toBe(400);
    expect((await send('application/xml', '<a/>')).status).toBe(415);
    expect((await send('text/plain', '{"name":"x"}')).status).toBe(415);
    expect((await send('application/json', `{"name":"${'x'.repeat(300_000)}"}`)).status).toBe(413);
  });

  it('answers for a malformed id as for an unknown one', async () => {
    for (const id of ['%00', 'org_%F0%9F%92%B6', '..%2F..', 'x'.repeat(200)]) {
      expect((await service.operate('sandbox', `/operator/organizations/${id}/members`)).status).toBe(404);
      const path = `/operator/organizations/${id}/members/${id}`;
      expect((await service.operate('sandbox', path, { method: 'DELETE' })).status).toBe(404);
      expect((await post(`/operator/users/${id}/block`)).status).toBe(404);
      expect((await post(`/operator/operator-keys/${id}/revoke`)).status).toBe(404);
    }
  });

  it('forbids caches to store its answers', async () => {
    const created = await post('/operator/operator-keys', { name: 'never cached' });
    expect(created.headers.get('cache-control')).toBe('no-store');
    expect((await service.operate('sandbox', '/operator/users')).headers.get('cache-control')).toBe(
      'no-store',
    );
  });

  it('answers 404 for what does not exist and 409 for what exists already', async () => {
    expect((await post('/operator/users/usr_0000000000000000000000/block')).status).toBe(404);
    expect((await post('/operator/organizations/org_x/members', { user_id: 'usr_x' })).status).toBe(404);
    expect((await service.operate('sandbox', '/operator/organizations/org_x/members')).status).toBe(404);
    const user = { email: 'twice@example.com', name: 'x', password: 'x'.repeat(12) };
    expect((await post('/operator/users', user)).status).toBe(201);
    expect((await post('/operator/users', user)).status).toBe(409);
  });
});

onPostgresFirst('text that is no Unicode', (engine) => {
  const service = useTestService(engine);
  const post = (path: string, body: unknown) => service.operate('sandbox', path, { method: 'POST', body });
  const json = async (response: Response) => (await response.json()) as Record<string, unknown>;

  it('refuses a body that is nested too deeply, with a sentence', async () => {
    const deep = `${'['.repeat(20_000)}${']'.repeat(20_000)}`;
    const response = await service.call('sandbox', '/v1/webhooks/endpoints', {
      method: 'POST',
      headers: {
        authorization: `Bearer ${service.quickstart.sandbox.access_token}`,
        'content-type': 'application/json',
      },
      body: `{"url":${deep}}`,
    });
    expect([response.status, (await json(response)).detail]).toEqual([400, 'The body is nested too deeply.']);
  });

  it('[outside 9] takes half of a surrogate pair as U+FFFD, here and in every version', async () => {
    const half = 'half \ud800 of a pair';
    const organization = await json(await post('/operator/organizations', { name: half }));
    expect(organization.name).toBe('half \ufffd of a pair');
    const named = { organization_id: organization.id, name: half, kind: 'confidential' };
    const client = await json(await post('/operator/clients', named));
    const changed = await service.operate('sandbox', `/operator/clients/${client.id}`, {
      method: 'PATCH',
      body: { name: `${half}, changed` },
    });
    expect(changed.status).toBe(200);
    const send = async (path: string, version: string, body: object) => {
      const { access_token } = service.quickstart.sandbox;
      const response = await service.call('sandbox', path, {
        method: 'POST',
        headers: {
          authorization: `Bearer ${access_token}`,
          'content-type': 'application/json',
          'service-version': version,
        },
        body: JSON.stringify(body),
      });
      return response.status;
    };
    const texts = { name: half, description: half };
    for (const version of maintained) {
      const price =
        version < '2026-10'
          ? { price_amount: 1, price_currency: 'eur' }
          : { prices: [{ amount: 1, currency: 'eur' }], metadata: { [half]: half } };
      expect(await send('/v1/products/', version, { ...texts, ...price, billing: 'one_time' })).toBe(201);
      const robot = { client_name: half, grant_types: ['client_credentials'] };
      expect(await send('/v1/oauth2/register', version, robot)).toBe(201);
    }
    expect((await post('/operator/organizations', { name: 'x\u202e' })).status).toBe(422);
  });
});
