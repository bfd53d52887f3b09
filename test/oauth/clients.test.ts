import { expect, it, vi } from 'vitest';
import { digestOf } from '../../src/kernel/digest.ts';
import { createSecretUse } from '../../src/oauth/clients/authentication/secret-use.ts';
import type { Session } from '../../src/storage/database.ts';
import { onPostgresFirst } from '../support/database/databases.ts';
import { oauthCalls } from '../support/oauth/oauth-calls.ts';
import { operatorCalls } from '../support/service/operator-calls.ts';
import { useTestService } from '../support/service/test-service.ts';

onPostgresFirst('OAuth clients of an operator', (engine) => {
  const service = useTestService(engine);
  const { ask, get, post, createClient, audit, occurrences } = operatorCalls(service);
  const calls = oauthCalls(service);
  const path = (client: { id: string }, action = '') => `/operator/clients/${client.id}${action}`;
  const opens = async (client: { id: string }, secret: string): Promise<boolean> => {
    const form = { grant_type: 'client_credentials', client_id: client.id, client_secret: secret };
    const [token, introspect] = [
      await calls.token(form),
      await calls.introspect({ client_id: client.id, client_secret: secret, token: 'x' }),
    ];
    expect(token.status).toBe(introspect.status);
    return token.status === 200;
  };

  it('are created, read, changed and listed', async () => {
    const client = await createClient({ redirect_uris: ['https://a.example/cb'] });
    expect(client).toMatchObject({
      kind: 'confidential',
      grant_types: ['authorization_code', 'refresh_token', 'client_credentials'],
      client_secret: expect.stringMatching(/^dl_test_cs_/),
      disabled_at: null,
    });
    const changed = await ask('PATCH', path(client), { name: 'Changed', scopes: ['products:read'] });
    expect(changed.body).toMatchObject({
      name: 'Changed',
      scopes: ['products:read'],
      redirect_uris: ['https://a.example/cb'],
    });
    const { client_secret, secret_id, ...created } = client;
    const read = await get(path(client));
    expect(read.body).toEqual({
      ...created,
      name: 'Changed',
      scopes: ['products:read'],
      limits: {
        name: 'Changed',
        scopes: ['products:read'],
        grant_types: null,
        redirect_uris: null,
        require_pkce: null,
      },
      secrets: [{ id: secret_id, created_at: client.created_at, last_used_at: null }],
    });
    expect(read.text).not.toContain(client_secret);
    const list = await get(`/operator/clients?organization_id=${client.organization_id}`);
    expect(list.body.items).toEqual([{ ...changed.body, last_failure: null }]);
    expect((await get('/operator/clients?organization_id=org_unknown')).status).toBe(404);
  });

  it('are listed page by page, without deleted ones', async () => {
    const first = await createClient();
    const same = { organization_id: first.organization_id };
    const [second, third] = [await createClient(same), await createClient(same)];
    await ask('DELETE', path(second));
    const ofOrganization = `/operator/clients?organization_id=${first.organization_id}&limit=1`;
    const one = (await get(ofOrganization)).body;
    const two = (await get(`${ofOrganization}&cursor=${one.pagination.next_cursor}`)).body;
    const listed = [...one.items, ...two.items].map(({ id }: { id: string }) => id);
    expect(listed).toEqual([first.id, third.id].sort());
    expect(two.pagination.next_cursor).toBeNull();
    for (const [method, action] of [
      ['GET', ''],
      ['DELETE', ''],
      ['POST', '/disable'],
      ['POST', '/rotate-secret'],
    ])
      expect((await ask(method as string, path(second, action))).status).toBe(404);
  });

  it.each([
    [{ kind: 'public', grant_types: ['client_credentials'] }, 'cannot use client_credentials'],
    [{ kind: 'public' }, 'authorization_code needs a redirect URI'],
    [{ grant_types: ['refresh_token'] }, 'refresh_token needs authorization_code'],
    [{ redirect_uris: ['https://a.example/', 'http://a.example/'] }, 'Redirect URI 2 must be https'],
    [{ kind: 'resource_server' }, 'needs an audience'],
    [{ audiences: ['https://a.example'] }, 'Only a resource server has audiences'],
    [{ kind: 'resource_server', audiences: ['ok', 'not ok'] }, 'Audience 2 must be'],
    [{ kind: 'resource_server', audiences: ['https://a.example/#x'] }, 'Audience 1 must be'],
    [{ kind: 'secret' }, 'kind must be one of confidential, public, resource_server'],
    [{ scopes: ['everything'] }, 'scopes.0 must be one of openid'],
    [{ grant_types: ['password'] }, 'grant_types.0 must be one of authorization_code'],
    [{ client_secret: 'mine' }, 'client_secret is not a field of this request'],
  ])('are rejected with a reason: %j', async (wrong, reason) => {
    const organization = await post('/operator/organizations', { name: 'Refusing' });
    const { status, body } = await post('/operator/clients', {
      organization_id: organization.body.id,
      name: 'Refused',
      kind: 'confidential',
      ...wrong,
    });
    expect([status, body.error]).toEqual([422, 'validation_failed']);
    expect(body.detail).toContain(reason);
    const list = await get(`/operator/clients?organization_id=${organization.body.id}`);
    expect(list.body.items).toEqual([]);
  });

  it('belong to an organization that exists', async () => {
    for (const organization_id of ['org_unknown', 'org_0000000000000000000000']) {
      const body = { organization_id, name: 'Lost', kind: 'confidential' };
      expect((await post('/operator/clients', body)).status).toBe(404);
    }
  });

  it('have audiences unique among resource servers, also under concurrent claims', async () => {
    const { organization_id } = await createClient();
    const claim = (audience: string) =>
      post('/operator/clients', {
        organization_id,
        name: 'Claiming',
        kind: 'resource_server',
        audiences: [audience],
      });
    for (let round = 0; round < 5; round += 1) {
      const claims = await Promise.all(Array.from({ length: 8 }, () => claim(`urn:example:${round}`)));
      expect(claims.map(({ status }) => status).sort()).toEqual([201, ...Array(7).fill(409)]);
    }
  });

  it('keep their audiences until they drop them or are deleted', async () => {
    const owner = await createClient({ kind: 'resource_server', audiences: ['urn:example:owned'] });
    const other = await createClient({ kind: 'resource_server', audiences: ['a.name'] });
    const claim = (client: { id: string }, ...audiences: string[]) =>
      ask('PATCH', path(client), { audiences });
    const refused = await claim(other, 'another.name', 'urn:example:owned');
    expect([refused.status, refused.body.detail]).toEqual([
      409,
      'Another resource server has the audience urn:example:owned.',
    ]);
    expect((await claim(owner, 'urn:example:owned', 'more')).status).toBe(200);
    expect((await claim(owner, 'urn:example:owned')).status).toBe(200);
    expect((await claim(other, 'more')).status).toBe(200);
    await ask('DELETE', path(owner));
    expect((await claim(other, 'urn:example:owned')).status).toBe(200);
  });

  it('rotate their secret without an outage: the old one works until the rotation after the next', async () => {
    const client = await createClient();
    const secrets = [client.client_secret];
    const rotate = async () => {
      service.clock.advanceSeconds(1);
      const { body } = await post(path(client, '/rotate-secret'));
      secrets.push(body.client_secret);
      return body;
    };
    const opened = async () => Promise.all(secrets.map((secret) => opens(client, secret)));
    const second = await rotate();
    expect([second.revoked_secret_ids, await opened()]).toEqual([[], [true, true]]);
    const third = await rotate();
    expect([third.revoked_secret_ids, await opened()]).toEqual([[client.secret_id], [false, true, true]]);
    const shown = (await get(path(client))).body.secrets as { id: string }[];
    expect(shown.map(({ id }) => id)).toEqual([second.secret_id, third.secret_id]);
    await post(path(client, `/secrets/${second.secret_id}/revoke`));
    expect(await opened()).toEqual([false, false, true]);
    expect((await post(path(client, `/secrets/${second.secret_id}/revoke`))).status).toBe(404);
    const published = (await occurrences('client.secret_rotated')).filter(
      ({ data }) => data.client_id === client.id,
    );
    expect(published.map(({ organization_ids }) => organization_ids)).toEqual([
      [client.organization_id],
      [client.organization_id],
    ]);
    expect(published.map(({ data }) => data.secret_id)).toEqual(
      expect.arrayContaining([second.secret_id, third.secret_id]),
    );
    expect(JSON.stringify(published)).not.toContain('dl_test_');
  });

  it('never have more than two secrets, however many requests rotate at once', async () => {
    const client = await createClient();
    const rotations = await Promise.all(
      Array.from({ length: 6 }, () => post(path(client, '/rotate-secret'))),
    );
    expect(rotations.map(({ status }) => status)).toEqual(Array(6).fill(200));
    expect((await get(path(client))).body.secrets).toHaveLength(2);
  });

  it('without a secret have none to rotate', async () => {
    const client = await createClient({ kind: 'public', redirect_uris: ['https://a.example/cb'] });
    expect(client).not.toHaveProperty('client_secret');
    const { status, body } = await post(path(client, '/rotate-secret'));
    expect([status, body.detail]).toEqual([409, 'A public client has no secret to rotate.']);
  });

  it('have an audit entry for everything that operators did to them, without a secret', async () => {
    const client = await createClient();
    const acts: [string, string, unknown?][] = [
      ['PATCH', '', { name: 'Audited' }],
      ['POST', '/rotate-secret'],
      ['POST', `/secrets/${client.secret_id}/revoke`],
      ['POST', '/disable'],
      ['POST', '/enable'],
      ['DELETE', ''],
    ];
    for (const [method, action, body] of acts) {
      service.clock.advanceSeconds(1);
      expect((await ask(method, path(client, action), body)).status).toBeLessThan(300);
    }
    const entries = await audit(client.id);
    expect(entries.map(({ action }) => action)).toEqual([
      'client.created',
      'client.updated',
      'client.secret_rotated',
      'client.secret_revoked',
      'client.disabled',
      'client.enabled',
      'client.deleted',
    ]);
    for (const { actor_type, actor_id, organization_id } of entries)
      expect({ actor_type, actor_id, organization_id }).toEqual({
        actor_type: 'operator',
        actor_id: expect.stringMatching(/^opk_/),
        organization_id: client.organization_id,
      });
    expect(entries[3]?.details).toEqual({ secret_id: client.secret_id });
    expect(JSON.stringify(entries)).not.toContain('dl_test_');
  });

  it('show when each secret was last used, at the token endpoint or elsewhere', async () => {
    const [issued, introspecting, failing] = [
      await createClient(),
      await createClient(),
      await createClient(),
    ];
    const lastUse = async (client: { id: string }) => (await get(path(client))).body.secrets[0].last_used_at;
    const credentials = ({ id, client_secret }: { id: string; client_secret: string }) => ({
      client_id: id,
      client_secret,
    });
    const wrong = await calls.introspect({ ...credentials(failing), client_secret: 'wrong', token: 'x' });
    expect(wrong.status).toBe(401);
    await calls.token({ ...credentials(issued), grant_type: 'client_credentials' });
    await calls.introspect({ ...credentials(introspecting), token: 'x' });
    const usedAt = service.clock.now().toISOString();
    const waiting = { timeout: 60_000, interval: 50 };
    for (const client of [issued, introspecting])
      await vi.waitFor(async () => expect(await lastUse(client)).toBe(usedAt), waiting);
    expect(await lastUse(failing)).toBeNull();
  });

  it('have their use recorded once a minute, in one statement, and again after a failed write', async () => {
    const [one, other] = [await createClient(), await createClient()];
    const database = await service.database('sandbox');
    const errors: unknown[] = [];
    let statements = 0;
    let broken = false;
    const session: Session = {
      ...database,
      async run(statement, parameters) {
        if (broken) throw new Error('no database');
        statements += 1;
        return database.run(statement, parameters);
      },
    };
    const { clock } = service;
    const use = createSecretUse({
      context: { clock, session },
      onError: (error) => void errors.push(error),
    });
    const lastUses = async () =>
      Promise.all([one, other].map(async (client) => (await get(path(client))).body.secrets[0].last_used_at));
    const noteAll = () => {
      for (const client of [one, other, one]) use.note(digestOf(client.client_secret));
    };
    const first = clock.now().toISOString();
    noteAll();
    broken = true;
    await use.flush();
    expect([errors.length, statements, await lastUses()]).toEqual([1, 0, [null, null]]);
    broken = false;
    await use.flush();
    expect([statements, await lastUses()]).toEqual([1, [first, first]]);
    clock.advanceSeconds(59);
    noteAll();
    await use.flush();
    expect([statements, await lastUses()]).toEqual([1, [first, first]]);
    clock.advanceSeconds(1);
    const second = clock.now().toISOString();
    use.note(digestOf(one.client_secret));
    await use.stop();
    expect([statements, await lastUses()]).toEqual([2, [second, first]]);
    clock.advanceSeconds(60);
    noteAll();
    await use.flush();
    expect(statements).toBe(2);
  });
});
