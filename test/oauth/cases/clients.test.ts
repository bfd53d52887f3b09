import { expect, it } from 'vitest';
import { onPostgresFirst } from '../../support/database/databases.ts';
import { oauthCalls } from '../../support/oauth/oauth-calls.ts';
import { current, maintained, next, versionsBefore } from '../../support/service/build-versions.ts';
import { operatorCalls } from '../../support/service/operator-calls.ts';
import { useTestService } from '../../support/service/test-service.ts';

onPostgresFirst('the authorization server', (engine) => {
  const service = useTestService(engine);
  const { post, createClient } = operatorCalls(service);
  const calls = oauthCalls(service);

  const tokenFor = (client: { id?: string; client_id?: string; client_secret: string }, form = {}) =>
    calls.token({
      grant_type: 'client_credentials',
      client_id: client.client_id ?? client.id ?? '',
      client_secret: client.client_secret,
      ...form,
    });

  /** Whether a resource server still sees the token: its client itself may be gone. */
  async function seenBy(server: { id: string; client_secret: string }, token: string): Promise<string> {
    const form = { token, client_id: server.id, client_secret: server.client_secret };
    return (await calls.introspect(form)).text;
  }

  it('[oauth 37] reports tokens of a disabled or deleted client inactive', async () => {
    const audience = `https://${engine.toLowerCase()}.example.com`;
    const server = await createClient({ kind: 'resource_server', audiences: [audience] });
    const client = await createClient();
    const { access_token } = (await tokenFor(client, { resource: audience })).body;
    expect(JSON.parse(await seenBy(server, access_token))).toMatchObject({ active: true, aud: audience });
    await post(`/operator/clients/${client.id}/disable`);
    expect(await seenBy(server, access_token)).toBe('{"active":false}');
    expect((await tokenFor(client)).body.error).toBe('invalid_client');
    await post(`/operator/clients/${client.id}/enable`);
    expect(JSON.parse(await seenBy(server, access_token))).toMatchObject({ active: true });
    const deleted = await service.operate('sandbox', `/operator/clients/${client.id}`, { method: 'DELETE' });
    expect(deleted.status).toBe(204);
    expect(await seenBy(server, access_token)).toBe('{"active":false}');
    expect((await tokenFor(client)).body.error).toBe('invalid_client');
    expect((await post(`/operator/clients/${client.id}/enable`)).status).toBe(404);
  });

  it('[oauth 57] rejects a scope beyond the client’s and always names the granted scope', async () => {
    const client = await createClient({ scopes: ['products:read', 'webhooks:read'] });
    for (const scope of ['products:write', 'products:read products:write', 'unheard:of']) {
      const { status, body } = await tokenFor(client, { scope });
      expect([status, body.error]).toEqual([400, 'invalid_scope']);
    }
    expect((await tokenFor(client)).body.scope).toBe('products:read webhooks:read');
    expect((await tokenFor(client, { scope: 'webhooks:read' })).body.scope).toBe('webhooks:read');
  });

  const register = (body: unknown, headers = {}) =>
    calls.send('/v1/oauth2/register', {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body: JSON.stringify(body),
    });

  const manage = (
    method: string,
    client: { client_id: string; registration_access_token?: string },
    body?: unknown,
    version: string = current,
  ) =>
    calls.send(`/v1/oauth2/register/${client.client_id}`, {
      method,
      headers: {
        'service-version': version,
        ...(client.registration_access_token === undefined
          ? {}
          : { authorization: `Bearer ${client.registration_access_token}` }),
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });

  it.each(maintained)(
    '[oauth 74] registers a client and returns all of its registered metadata (%s)',
    async (version) => {
      const metadata = {
        redirect_uris: ['https://app.example.com/cb', 'http://127.0.0.1/cb'],
        token_endpoint_auth_method: 'client_secret_post',
        grant_types: ['authorization_code', 'refresh_token'],
        response_types: ['code'],
        client_name: 'Registered',
        scope: 'openid products:read',
      };
      const { status, headers, body } = await register(
        { ...metadata, software_id: 'ignored' },
        { 'service-version': version },
      );
      expect([status, headers.get('cache-control'), headers.get('pragma')]).toEqual([
        201,
        'no-store',
        'no-cache',
      ]);
      expect(body).toEqual({
        client_id: expect.stringMatching(/^cli_/),
        client_secret: expect.stringMatching(/^dl_test_cs_/),
        client_id_issued_at: Math.floor(service.clock.now().getTime() / 1000),
        client_secret_expires_at: 0,
        registration_access_token: expect.stringMatching(/^dl_test_ra_/),
        registration_client_uri: `${service.urls.sandbox}/v1/oauth2/register/${body.client_id}`,
        ...metadata,
        ...(versionsBefore('2027-01').includes(version)
          ? {}
          : { require_pkce: true, id_token_signed_response_alg: 'ES256' }),
      });
    },
  );

  it('[oauth 74] registers machine clients without a redirect URI, and public clients without a secret', async () => {
    const machine = (await register({ grant_types: ['client_credentials'] })).body;
    expect(machine).toMatchObject({
      redirect_uris: [],
      response_types: [],
      token_endpoint_auth_method: 'client_secret_basic',
    });
    const issued = await tokenFor(machine);
    expect(issued.status).toBe(200);
    const other = (await register({ grant_types: ['client_credentials'] })).body;
    const organizationOf = async (client: { client_id: string; client_secret: string }) => {
      const { client_id, client_secret } = client;
      const { access_token } = (await tokenFor(client)).body;
      return (await calls.introspect({ client_id, client_secret, token: access_token })).body.sub;
    };
    expect(await organizationOf(machine)).not.toBe(await organizationOf(other));
    const app = await register({
      token_endpoint_auth_method: 'none',
      redirect_uris: ['com.example.app:/callback'],
    });
    expect(app.status).toBe(201);
    expect(app.body).toMatchObject({ grant_types: ['authorization_code'], response_types: ['code'] });
    expect(app.body).not.toHaveProperty('client_secret');
    expect(app.body).not.toHaveProperty('client_secret_expires_at');
  });

  it.each([
    ['a fragment', { redirect_uris: ['https://a.example/cb#x'] }],
    ['http elsewhere than on loopback', { redirect_uris: ['http://a.example/cb'] }],
    ['a relative address', { redirect_uris: ['/cb'] }],
    ['a wildcard', { redirect_uris: ['https://*.example.com/cb'] }],
    ['a private-use scheme of a client with a secret', { redirect_uris: ['com.example.app:/cb'] }],
    [
      'a scheme without a dot',
      { redirect_uris: ['javascript:alert(1)'], token_endpoint_auth_method: 'none' },
    ],
    ['none where one is needed', { grant_types: ['authorization_code'] }],
    ['no list', { redirect_uris: 'https://a.example/cb' }],
  ])('[oauth 75] rejects a redirect URI: %s', async (_what, body) => {
    const answer = await register(body);
    expect([answer.status, answer.body.error]).toEqual([400, 'invalid_redirect_uri']);
    expect(Object.keys(answer.body)).toEqual(['error', 'error_description']);
  });

  it.each([
    [
      'a code for which there is no grant type',
      { grant_types: ['client_credentials'], response_types: ['code'] },
    ],
    [
      'a grant type whose code is never answered',
      { redirect_uris: ['https://a.example/cb'], response_types: [] },
    ],
    ['a refresh token without a code', { grant_types: ['refresh_token'] }],
    ['an implicit grant', { grant_types: ['implicit'], response_types: ['token'] }],
    [
      'client_credentials without a secret',
      { grant_types: ['client_credentials'], token_endpoint_auth_method: 'none' },
    ],
    ['no grant type at all', { grant_types: [] }],
    ['an unknown scope', { grant_types: ['client_credentials'], scope: 'everything' }],
    [
      'an unknown way to say who it is',
      { grant_types: ['client_credentials'], token_endpoint_auth_method: 'tls_client_auth' },
    ],
    ['a name with a NUL', { grant_types: ['client_credentials'], client_name: 'a\u0000b' }],
    ['a body that is no object', ['client_credentials']],
  ])('[oauth 75] rejects metadata: %s', async (_what, body) => {
    const answer = await register(body);
    expect([answer.status, answer.body.error]).toEqual([400, 'invalid_client_metadata']);
  });

  it('[oauth 75] answers other bad requests in OAuth’s error shape', async () => {
    const send = (path: string, method: string, contentType: string, body: string | null) =>
      calls.send(path, { method, headers: { 'content-type': contentType }, body });
    const answers = [
      await send('/v1/oauth2/register', 'POST', 'application/json', '{"grant_types":'),
      await send('/v1/oauth2/register', 'POST', 'application/x-www-form-urlencoded', 'a=b'),
      await send('/v1/oauth2/register', 'POST', 'application/json', `"${'x'.repeat(300_000)}"`),
      await calls.send('/v1/oauth2/register', {}),
      await calls.send('/v1/oauth2/register/cli_1', { method: 'POST' }),
      await calls.send(`/v1/oauth2/register/${'x'.repeat(300)}`, {}),
    ];
    expect(answers.map(({ status }) => status)).toEqual([400, 415, 413, 405, 405, 414]);
    for (const { body } of answers) expect(body.error).toBe('invalid_request');
    expect(answers[4]?.headers.get('allow')).toContain('PUT');
  });

  it('[oauth 76] lets a client read and replace its registration; its secret stays', async () => {
    const client = (await register({ grant_types: ['client_credentials'], client_name: 'Before' })).body;
    const read = await manage('GET', client);
    const { client_secret, ...rest } = client;
    expect([read.status, read.body]).toEqual([200, rest]);
    const replaced = await manage('PUT', client, {
      client_id: client.client_id,
      client_secret,
      redirect_uris: ['https://a.example/cb'],
      scope: 'products:read',
    });
    expect([replaced.status, replaced.body]).toEqual([
      200,
      {
        ...rest,
        redirect_uris: ['https://a.example/cb'],
        grant_types: ['authorization_code'],
        response_types: ['code'],
        client_name: 'Unnamed client',
        scope: 'products:read',
      },
    ]);
    expect((await manage('GET', client)).body).toEqual(replaced.body);
    expect((await tokenFor(client)).body.error).toBe('unauthorized_client');
  });

  const withCodes = { redirect_uris: ['https://a.example/cb'], grant_types: ['authorization_code'] };

  it('[oauth 61] registers a confidential client without PKCE since 2027-01, and no public one', async () => {
    const inNext = { 'service-version': next };
    const { status, body: client } = await register({ ...withCodes, require_pkce: false }, inNext);
    expect([status, client.require_pkce]).toEqual([201, false]);
    expect((await manage('GET', client, undefined, next)).body.require_pkce).toBe(false);
    const open = { ...withCodes, token_endpoint_auth_method: 'none', require_pkce: false };
    const refused = await register(open, inNext);
    expect([refused.status, refused.body]).toEqual([
      400,
      {
        error: 'invalid_client_metadata',
        error_description: 'A public client has no secret, so PKCE is required of it.',
      },
    ]);
    const named = { ...withCodes, client_id: client.client_id };
    const replaced = await manage('PUT', client, named, next);
    expect([replaced.status, replaced.body.require_pkce]).toEqual([200, true]);
  });

  it.each(versionsBefore('2027-01'))(
    '[oauth 61] %s knows nothing of require_pkce, and leaves it as it is',
    async (version) => {
      const early = await register({ ...withCodes, require_pkce: false }, { 'service-version': version });
      expect([early.status, 'require_pkce' in early.body]).toEqual([201, false]);
      expect((await manage('GET', early.body, undefined, next)).body.require_pkce).toBe(true);
      const { body: client } = await register(
        { ...withCodes, require_pkce: false },
        { 'service-version': next },
      );
      const named = { ...withCodes, client_id: client.client_id, require_pkce: true };
      const replaced = await manage('PUT', client, named, version);
      expect([replaced.status, 'require_pkce' in replaced.body]).toEqual([200, false]);
      expect((await manage('GET', client, undefined, next)).body.require_pkce).toBe(false);
    },
  );

  it('[oauth 61] an operator requires PKCE again, and the client cannot lift it', async () => {
    const { ask } = operatorCalls(service);
    const { body: client } = await register(
      { ...withCodes, require_pkce: false },
      { 'service-version': next },
    );
    const path = `/operator/clients/${client.client_id}`;
    const set = await ask('PATCH', path, { require_pkce: true });
    expect([set.status, set.body.require_pkce]).toEqual([200, true]);
    const named = { ...withCodes, client_id: client.client_id, require_pkce: false };
    const refused = await manage('PUT', client, named, next);
    expect([refused.status, refused.body.error]).toEqual([400, 'invalid_client_metadata']);
    expect((await ask('GET', path)).body).toMatchObject({
      require_pkce: true,
      limits: { require_pkce: true },
    });
    const audited = (await operatorCalls(service).audit(client.client_id)).map(({ details }) => details);
    const [before, after] = [{ require_pkce: false }, { require_pkce: true }];
    expect(audited).toContainEqual({ changed: ['require_pkce'], before, after });
  });

  it('[oauth 76] rejects another client_id or client_secret, and changes nothing', async () => {
    const metadata = { grant_types: ['client_credentials'], client_name: 'Mine' };
    const client = (await register(metadata)).body;
    const other = (await register(metadata)).body;
    const wanted = {
      client_id: client.client_id,
      grant_types: ['client_credentials'],
      client_name: 'Changed',
    };
    for (const wrong of [
      { client_id: other.client_id },
      { client_id: undefined },
      { client_secret: other.client_secret },
      { client_secret: 'chosen by myself' },
      { token_endpoint_auth_method: 'none', grant_types: undefined, redirect_uris: ['https://a.example/cb'] },
      { response_types: ['code'] },
    ]) {
      const answer = await manage('PUT', client, { ...wanted, ...wrong });
      expect([answer.status, answer.body.error]).toEqual([400, 'invalid_client_metadata']);
    }
    expect((await manage('GET', client)).body.client_name).toBe('Mine');
    expect((await tokenFor(client)).status).toBe(200);
  });

  it('[oauth 76] deletes a client with its tokens; its registration token is then rejected like any wrong one', async () => {
    const audience = `https://${engine.toLowerCase()}.registered.example.com`;
    const server = await createClient({ kind: 'resource_server', audiences: [audience] });
    const client = (await register({ grant_types: ['client_credentials'] })).body;
    const other = (await register({ grant_types: ['client_credentials'] })).body;
    const { access_token } = (await tokenFor(client, { resource: audience })).body;
    expect(JSON.parse(await seenBy(server, access_token)).active).toBe(true);
    for (const token of [undefined, 'nonsense', other.registration_access_token, client.client_secret]) {
      const refused = await manage('DELETE', { ...client, registration_access_token: token });
      expect([refused.status, refused.body.error]).toEqual([401, 'invalid_token']);
      expect(refused.headers.get('www-authenticate')).toBe(
        `Bearer realm="dateline"${token === undefined ? '' : ', error="invalid_token"'}`,
      );
    }
    expect(JSON.parse(await seenBy(server, access_token)).active).toBe(true);
    const deleted = await manage('DELETE', client);
    expect([deleted.status, deleted.text]).toEqual([204, '']);
    expect(await seenBy(server, access_token)).toBe('{"active":false}');
    for (const method of ['GET', 'DELETE']) expect((await manage(method, client)).status).toBe(401);
    const replacing = { client_id: client.client_id, grant_types: ['client_credentials'] };
    expect((await manage('PUT', client, replacing)).status).toBe(401);
  });

  it('[outside2 28] rejects the registration token of a disabled client, until it is enabled again', async () => {
    const client = (await register({ grant_types: ['client_credentials'] })).body;
    const set = (state: string) =>
      service.operate('sandbox', `/operator/clients/${client.client_id}/${state}`, {
        method: 'POST',
        body: {},
      });
    expect((await set('disable')).status).toBe(200);
    const changed = { client_id: client.client_id, grant_types: ['client_credentials'], client_name: 'Mine' };
    for (const [method, body] of [['GET'], ['PUT', changed], ['DELETE']] as const) {
      const refused = await manage(method, client, body);
      expect([method, refused.status, refused.body.error]).toEqual([method, 401, 'invalid_token']);
    }
    expect((await set('enable')).status).toBe(200);
    const { status, body } = await manage('GET', client);
    expect([status, body.client_name]).toEqual([200, client.client_name]);
  });

  it.each(versionsBefore('2027-01'))(
    'allows registration in production with an operator key, in %s',
    async (version) => {
      const production = oauthCalls(service, 'production');
      const send = (headers: Record<string, string>) =>
        production.send('/v1/oauth2/register', {
          method: 'POST',
          headers: { 'content-type': 'application/json', 'service-version': version, ...headers },
          body: '{"grant_types":["client_credentials"]}',
        });
      const keys = [undefined, 'x', service.quickstart.sandbox.operator_key];
      for (const key of keys) {
        const { status, headers, body } = await send(
          key === undefined ? {} : { authorization: `Bearer ${key}` },
        );
        expect([status, body.error]).toEqual([401, 'invalid_token']);
        expect(headers.get('www-authenticate')).toMatch(/^Bearer realm="dateline"/);
      }
      const { status, body } = await send({
        authorization: `Bearer ${service.quickstart.production.operator_key}`,
      });
      expect([status, body.client_secret]).toEqual([201, expect.stringMatching(/^dl_cs_/)]);
      const [entry] = await operatorCalls(service, 'production').audit(body.client_id);
      expect(entry).toMatchObject({
        actor_type: 'operator',
        actor_id: expect.stringMatching(/^opk_/),
        action: 'client.registered',
      });
    },
  );

  it('[outside 4] keeps a client within what the operator has set, until that is lifted', async () => {
    const app = {
      client_name: 'App',
      redirect_uris: ['https://a.example/', 'https://b.example/'],
      grant_types: ['authorization_code', 'refresh_token'],
      scope: 'openid products:read products:write',
    };
    const client = (await register(app)).body;
    const { ask } = operatorCalls(service);
    const path = `/operator/clients/${client.client_id}`;
    const set = {
      name: 'App (unofficial)',
      scopes: ['openid', 'products:read'],
      grant_types: ['authorization_code'],
      redirect_uris: ['https://a.example/'],
    };
    expect((await ask('PATCH', path, set)).status).toBe(200);
    const put = async (change: object) => {
      const within = {
        client_id: client.client_id,
        client_name: set.name,
        redirect_uris: set.redirect_uris,
        grant_types: set.grant_types,
        scope: 'openid',
        ...change,
      };
      const { status, body } = await manage('PUT', client, within);
      return status === 200 ? status : [status, body.error];
    };
    expect(await put({ scope: 'openid products:write' })).toEqual([400, 'invalid_client_metadata']);
    expect(await put({ grant_types: app.grant_types })).toEqual([400, 'invalid_client_metadata']);
    expect(await put({ client_name: 'App' })).toEqual([400, 'invalid_client_metadata']);
    expect(await put({ redirect_uris: app.redirect_uris })).toEqual([400, 'invalid_redirect_uri']);
    expect((await ask('GET', path)).body).toMatchObject({ ...set, limits: set });
    // Less is fine; and what is left out is filled up to the limit, not beyond it.
    expect(await put({})).toBe(200);
    expect(await put({ scope: undefined, client_name: undefined })).toBe(200);
    expect((await ask('GET', path)).body).toMatchObject({ name: set.name, scopes: set.scopes });
    expect((await ask('PATCH', path, { limits: null })).status).toBe(200);
    expect(await put(app)).toBe(200);
  });

  it('[outside 4] writes down what a client has changed about itself, and what an operator has', async () => {
    const client = (await register({ grant_types: ['client_credentials'], scope: 'products:read' })).body;
    service.clock.advanceSeconds(1);
    const scope = 'products:read products:write';
    const named = { client_id: client.client_id, grant_types: ['client_credentials'] };
    expect((await manage('PUT', client, { ...named, scope })).status).toBe(200);
    service.clock.advanceSeconds(1);
    const { ask, audit } = operatorCalls(service);
    await ask('PATCH', `/operator/clients/${client.client_id}`, { scopes: ['products:read'] });
    const [one, both] = [{ scopes: ['products:read'] }, { scopes: ['products:read', 'products:write'] }];
    expect((await audit(client.client_id)).map(({ actor_type, details }) => [actor_type, details])).toEqual([
      ['client', {}],
      ['client', { changed: ['scopes'], before: one, after: both }],
      ['operator', { changed: ['scopes'], before: both, after: one }],
    ]);
  });

  it('[outside 4] takes a registration token once in production, in every version, and keeps the client within it', async () => {
    const production = oauthCalls(service, 'production');
    const { ask, get, audit } = operatorCalls(service, 'production');
    const ceiling = { scopes: ['products:read'], grant_types: ['client_credentials'] };
    const send = async (token: string, version: string, metadata = {}) =>
      production.send('/v1/oauth2/register', {
        method: 'POST',
        headers: {
          'content-type': 'application/json',
          'service-version': version,
          authorization: `Bearer ${token}`,
        },
        body: JSON.stringify({ grant_types: ['client_credentials'], ...metadata }),
      });
    for (const version of maintained) {
      const made = await ask('POST', '/operator/registration-tokens', ceiling);
      expect([made.status, made.body]).toEqual([201, expect.objectContaining({ ...ceiling, used_at: null })]);
      const token = made.body.registration_token;
      expect(token).toMatch(/^dl_ir_/);
      // A registration that is refused does not use it up.
      const greedy = await send(token, version, { scope: 'products:read products:write' });
      expect([greedy.status, greedy.body.error]).toEqual([400, 'invalid_client_metadata']);
      const answers = await Promise.all([send(token, version), send(token, version)]);
      expect(answers.map(({ status }) => status).sort()).toEqual([201, 401]);
      const { body } = answers.find(({ status }) => status === 201) ?? answers[0];
      expect(body.scope).toBe('products:read');
      const [entry] = await audit(body.client_id);
      expect(entry).toMatchObject({ actor_type: 'client', details: { registration_token_id: made.body.id } });
      const widened = await production.send(`/v1/oauth2/register/${body.client_id}`, {
        method: 'PUT',
        headers: {
          'content-type': 'application/json',
          authorization: `Bearer ${body.registration_access_token}`,
        },
        body: JSON.stringify({ ...ceiling, client_id: body.client_id, scope: 'products:write' }),
      });
      expect([widened.status, widened.body.error]).toEqual([400, 'invalid_client_metadata']);
    }
    const listed = (await get('/operator/registration-tokens')).body.items;
    expect(listed).toHaveLength(3);
    expect(JSON.stringify(listed)).not.toContain('dl_ir_');
  });

  it('[outside 4] takes no registration token after a day, nor a revoked one; and no operator key in Next', async () => {
    const production = oauthCalls(service, 'production');
    const { ask } = operatorCalls(service, 'production');
    const create = async () => (await ask('POST', '/operator/registration-tokens', {})).body;
    const send = async (token: string) => {
      const { status, body } = await production.send('/v1/oauth2/register', {
        method: 'POST',
        headers: {
          'content-type': 'application/json',
          'service-version': next,
          authorization: `Bearer ${token}`,
        },
        body: '{"grant_types":["client_credentials"]}',
      });
      return [status, body.error];
    };
    const [late, revoked] = [await create(), await create()];
    expect((await ask('DELETE', `/operator/registration-tokens/${revoked.id}`)).status).toBe(204);
    expect(await send(revoked.registration_token)).toEqual([401, 'invalid_token']);
    service.clock.advanceSeconds(24 * 3600);
    expect(await send(late.registration_token)).toEqual([401, 'invalid_token']);
    expect(await send(service.quickstart.production.operator_key)).toEqual([403, 'insufficient_scope']);
    expect(await send('x')).toEqual([401, 'invalid_token']);
  });

  it('audits what a client does to its own registration', async () => {
    const client = (await register({ grant_types: ['client_credentials'] })).body;
    service.clock.advanceSeconds(1);
    await manage('PUT', client, { client_id: client.client_id, grant_types: ['client_credentials'] });
    service.clock.advanceSeconds(1);
    await manage('DELETE', client);
    const entries = await operatorCalls(service).audit(client.client_id);
    expect(entries.map(({ actor_type, actor_id, action }) => [actor_type, actor_id, action])).toEqual([
      ['client', client.client_id, 'client.registered'],
      ['client', client.client_id, 'client.updated'],
      ['client', client.client_id, 'client.deleted'],
    ]);
    expect(JSON.stringify(entries)).not.toContain('dl_test_');
  });

  it('allows 60 registrations a minute from one address', async () => {
    service.clock.advanceSeconds(120);
    const answers = await Promise.all(
      Array.from({ length: 62 }, () => register({ grant_types: ['client_credentials'] })),
    );
    const refused = answers.filter(({ status }) => status === 429);
    expect(refused).toHaveLength(2);
    expect(refused[0]?.body.error).toBe('too_many_requests');
    expect(refused[0]?.headers.get('retry-after')).toBe('60');
    service.clock.advanceSeconds(60);
    expect((await register({ grant_types: ['client_credentials'] })).status).toBe(201);
  });
});
