import { expect, it } from 'vitest';
import { disableClient, enableClient } from '../../src/oauth/clients/clients/administer-clients.ts';
import { grantToOrganization } from '../../src/oauth/grants/grants.ts';
import { knownScopes } from '../../src/oauth/scopes/scopes.ts';
import { issueAccessToken } from '../../src/oauth/tokens/issue-token.ts';
import { statement } from '../../src/storage/statement.ts';
import { onPostgresFirst } from '../support/database/databases.ts';
import { authorization } from '../support/oauth/authorization.ts';
import { oauthCalls } from '../support/oauth/oauth-calls.ts';
import { maintained, next, versionsBefore } from '../support/service/build-versions.ts';
import { useTestService } from '../support/service/test-service.ts';

const { all, usual: scopes } = knownScopes();

onPostgresFirst('/v1/oauth2/grants', (engine) => {
  const service = useTestService(engine);
  const { environment, addUser, addClient, obtainTokens } = authorization(service);
  const { send, post } = oauthCalls(service);

  const list = (token: string, query = '', version: string = next) =>
    send(`/v1/oauth2/grants${query}`, {
      headers: { authorization: `Bearer ${token}`, 'service-version': version },
    });
  const end = (token: string, id: string, version: string = next) =>
    send(`/v1/oauth2/grants/${id}`, {
      method: 'DELETE',
      headers: { authorization: `Bearer ${token}`, 'service-version': version },
    });
  const idsOf = async (token: string, version: string = next): Promise<string[]> =>
    (await list(token, '', version)).body.items.map(({ id }: { id: string }) => id);

  const addManager = (change = {}) => addClient({ scopes: all, ...change });
  const asManager = { scope: 'grants:manage' };

  it('[outside 5] shows a token its own grant alone since 2027-01, and lets it end no other', async () => {
    const user = await addUser();
    const { access_token: token } = (await obtainTokens(await addClient(), user.email)).body;
    service.clock.advanceSeconds(1);
    const { access_token: other } = (await obtainTokens(await addClient(), user.email)).body;
    const [[own, ...more], [theirs]] = (await Promise.all([idsOf(token), idsOf(other)])) as [
      [string, ...string[]],
      [string],
    ];
    expect(more).toEqual([]);
    expect(own).not.toBe(theirs);
    // The same answer for what does not exist.
    for (const id of [theirs, 'gra_0000000000000000000000', 'nonsense']) {
      const refused = await end(token, id, next);
      expect([refused.status, refused.body.code, refused.body.detail]).toEqual([
        403,
        'insufficient_scope',
        'The token does not carry the scope grants:manage.',
      ]);
      expect(refused.headers.get('www-authenticate')).toContain('scope="grants:manage"');
    }
    expect(await idsOf(other, next)).toEqual([theirs]);
    expect((await end(token, own, next)).status).toBe(204);
    expect((await list(token, '', next)).status).toBe(401);
  });

  it('[outside 5] shows a token with grants:manage all grants of its user since 2027-01, and lets it end them', async () => {
    const user = await addUser();
    const granted = await obtainTokens(await addManager(), user.email, asManager);
    expect(granted.body.scope).toBe('grants:manage');
    service.clock.advanceSeconds(1);
    const { access_token: other } = (await obtainTokens(await addClient(), user.email)).body;
    const { access_token: token } = granted.body;
    const [own, theirs] = (await idsOf(token, next)) as [string, string];
    expect((await end(token, theirs, next)).status).toBe(204);
    expect([await idsOf(token, next), (await list(other, '', next)).status]).toEqual([[own], 401]);
    expect((await end(token, theirs, next)).status).toBe(404);
  });

  it('[outside 5] grants grants:manage only where it is named, and never to a client for itself', async () => {
    const client = await addClient({
      scopes: all,
      allowedGrants: ['authorization_code', 'refresh_token', 'client_credentials'],
    });
    const { body } = await obtainTokens(client, (await addUser()).email, { scope: '' });
    expect(body.scope.split(' ')).toEqual(scopes);
    const form = { grant_type: 'client_credentials', ...client.credentials };
    for (const version of maintained) {
      const ask = (more = {}) =>
        post('/v1/oauth2/token', { ...form, ...more }, { 'service-version': version });
      expect((await ask()).body.scope).not.toContain('grants:manage');
      expect((await ask({ scope: 'grants:manage' })).body.error).toBe('invalid_scope');
    }
  });

  it('[outside 5] lets clients register grants:manage since 2027-01 alone, and only by name', async () => {
    const register = async (version: string, metadata = {}) => {
      const { status, body } = await send('/v1/oauth2/register', {
        method: 'POST',
        headers: { 'content-type': 'application/json', 'service-version': version },
        body: JSON.stringify({ redirect_uris: ['https://app.test/'], ...metadata }),
      });
      return [status, body.scope ?? body.error_description];
    };
    const usual = scopes.join(' ');
    for (const version of versionsBefore('2027-01')) {
      expect(await register(version, { scope: 'openid grants:manage' })).toEqual([
        400,
        `scope must name known scopes: ${scopes.join(', ')}.`,
      ]);
      expect(await register(version)).toEqual([201, usual]);
    }
    expect(await register(next)).toEqual([201, usual]);
    expect(await register(next, { scope: 'openid grants:manage' })).toEqual([201, 'openid grants:manage']);
  });

  it.each(versionsBefore('2027-01'))(
    '[outside2 9] shows a token the grants of its user to its own client in %s, and ends no other',
    async (version) => {
      const { email } = await addUser();
      const client = await addClient();
      const again = { scope: 'openid', prompt: 'consent' };
      const token = (await obtainTokens(client, email, again)).body.access_token;
      service.clock.advanceSeconds(1);
      await obtainTokens(client, email, again);
      const other = (await obtainTokens(await addClient(), email)).body.access_token;
      const [own = '', second = '', ...more] = await idsOf(token, version);
      expect([more, await idsOf(token)]).toEqual([[], [own]]);
      const [theirs = ''] = await idsOf(other, version);
      const [refused, unknown] = [await end(token, theirs, version), await end(token, 'gra_none', version)];
      expect([refused.status, refused.text]).toEqual([404, unknown.text]);
      expect((await list(other, '', version)).status).toBe(200);
      // The grant of somebody else to the same client.
      const stranger = (await obtainTokens(client, (await addUser()).email, again)).body.access_token;
      expect(await idsOf(stranger, version)).toHaveLength(1);
      expect((await end(stranger, second, version)).status).toBe(404);
      expect((await end(token, second, version)).status).toBe(204);
      expect(await idsOf(token, version)).toEqual([own]);
    },
  );

  it('lists the grants of the token’s user, for all clients', async () => {
    const user = await addUser(['Acme']);
    const [one, other] = [await addManager({ name: 'One' }), await addClient({ name: 'Other' })];
    const token = (await obtainTokens(one, user.email, asManager)).body.access_token;
    service.clock.advanceSeconds(1);
    await obtainTokens(other, user.email, { scope: 'products:read email' });
    await obtainTokens(one, (await addUser()).email);
    for (const version of maintained) {
      const { status, body } = await list(token, '', version);
      expect(status).toBe(200);
      expect(body.pagination).toEqual({ next_cursor: null });
      const now = service.clock.now().toISOString();
      expect(body.items).toMatchObject([
        {
          client_id: one.id,
          client_name: 'One',
          scopes: ['grants:manage'],
          audience: one.id,
          organizations: [],
        },
        {
          client_id: other.id,
          client_name: 'Other',
          scopes: ['products:read', 'email'],
          created_at: now,
          organizations: [user.organizations[0]?.id],
        },
      ]);
    }
  });

  it('lists them page by page', async () => {
    const user = await addUser();
    const client = await addManager();
    const token = (await obtainTokens(client, user.email, asManager)).body.access_token;
    service.clock.advanceSeconds(1);
    await obtainTokens(client, user.email, { prompt: 'consent' });
    const [first, second] = await idsOf(token);
    const page = (await list(token, '?limit=1')).body;
    expect([page.items.length, page.items[0].id, page.pagination.next_cursor]).toEqual([1, first, first]);
    const rest = (await list(token, `?limit=1&cursor=${page.pagination.next_cursor}`)).body;
    expect([rest.items[0].id, rest.pagination.next_cursor]).toEqual([second, null]);
    for (const query of ['?limit=0', '?limit=101', '?cursor=nonsense', '?cursor=%00'])
      expect((await list(token, query)).status).toBe(422);
  });

  it('omits grants that can no longer yield a token', async () => {
    const user = await addUser();
    const client = await addManager();
    const other = await addClient({ allowedGrants: ['authorization_code'] });
    const { body } = await obtainTokens(client, user.email, asManager);
    await obtainTokens(other, user.email);
    expect(await idsOf(body.access_token)).toHaveLength(2);
    await disableClient(await environment(), other.id);
    expect(await idsOf(body.access_token)).toHaveLength(1);
    await enableClient(await environment(), other.id);
    service.clock.advanceSeconds(3600);
    const form = { grant_type: 'refresh_token', refresh_token: body.refresh_token, ...client.credentials };
    const renewed = (await post('/v1/oauth2/token', form)).body.access_token;
    expect(await idsOf(renewed)).toHaveLength(1);
  });

  it('revokes any grant of the token’s user, once, and records the actor', async () => {
    const user = await addUser();
    const [one, other] = [await addManager(), await addClient()];
    const { access_token: token } = (await obtainTokens(one, user.email, asManager)).body;
    service.clock.advanceSeconds(1);
    const { access_token: doomed } = (await obtainTokens(other, user.email)).body;
    const [own, theirs] = (await idsOf(token)) as [string, string];
    expect([(await end(token, theirs)).status, (await end(token, theirs)).status]).toEqual([204, 404]);
    expect((await list(doomed)).status).toBe(401);
    expect(await idsOf(token)).toEqual([own]);
    expect((await end(token, own)).status).toBe(204);
    expect((await list(token)).status).toBe(401);
    const audited = await (await service.database('sandbox')).run(
      statement(
        'audit_of_grants',
        `select grant_id, actor_type, actor_id from {schema}.audit_log where grant_id = any($1::text[]) order by at, grant_id desc`,
      ),
      [[own, theirs]],
    );
    expect(audited).toHaveLength(2);
    expect(audited).toEqual(
      expect.arrayContaining([
        { grant_id: theirs, actor_type: 'user', actor_id: user.id },
        { grant_id: own, actor_type: 'client', actor_id: one.id },
      ]),
    );
  });

  it('answers 404 for grants of others and for malformed ids', async () => {
    const client = await addManager();
    const token = (await obtainTokens(client, (await addUser()).email, asManager)).body.access_token;
    const foreign = (await obtainTokens(client, (await addUser()).email)).body.access_token;
    const [id] = (await idsOf(foreign)) as [string];
    for (const absent of [id, 'gra_0000000000000000000000', 'nonsense', '%00'])
      expect((await end(token, absent)).status).toBe(404);
    expect(await idsOf(foreign)).toEqual([id]);
  });

  it('shows a client that acts for itself the one grant of its token', async () => {
    const context = await environment();
    const client = await addClient();
    const issue = async () => {
      const grant = await grantToOrganization(context, { client, scopes: ['products:read'] });
      return { id: grant.id, token: (await issueAccessToken(context, grant)).tokenValue };
    };
    const [one, other] = [await issue(), await issue()];
    expect(await idsOf(one.token)).toEqual([one.id]);
    expect((await list(one.token)).body.items[0].organizations).toEqual([client.organizationId]);
    expect((await end(one.token, other.id)).status).toBe(404);
    expect((await end(one.token, one.id)).status).toBe(204);
    expect(await idsOf(other.token)).toEqual([other.id]);
  });

  it('needs an access token, of any scope', async () => {
    expect((await send('/v1/oauth2/grants', {})).status).toBe(401);
    const { body } = await obtainTokens(await addClient(), (await addUser()).email);
    expect((await list(body.refresh_token)).status).toBe(401);
  });
});
