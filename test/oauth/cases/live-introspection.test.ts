import { expect, it } from 'vitest';
import { removeMember } from '../../../src/directory/users.ts';
import { addMember } from '../../../src/identity/members.ts';
import { createOrganization } from '../../../src/identity/organizations.ts';
import type { OrganizationId } from '../../../src/identity/types.ts';
import { grantToUser } from '../../../src/oauth/grants/grants.ts';
import { issueAccessToken } from '../../../src/oauth/tokens/issue-token.ts';
import { onPostgresFirst } from '../../support/database/databases.ts';
import {
  answerIn,
  authorization,
  authorizePath,
  CALLBACK,
  createPkce,
} from '../../support/oauth/authorization.ts';
import { oauthCalls } from '../../support/oauth/oauth-calls.ts';
import { createCaller, serviceEnvironment } from '../../support/service/service-environment.ts';
import { useTestService } from '../../support/service/test-service.ts';

onPostgresFirst('introspection (RFC 7662)', (engine) => {
  const service = useTestService(engine);
  const calls = oauthCalls(service);
  type Caller = Awaited<ReturnType<typeof createCaller>>;
  const introspect = ({ credentials }: Caller, token: string, more = {}) =>
    calls.introspect({ ...credentials, token, ...more });

  it('[oauth 38] reports a blocked subject’s tokens inactive at once, and active again when unblocked', async () => {
    const caller = await createCaller(service);
    const tokens = [caller.access.tokenValue, caller.refresh.tokenValue];
    const texts = async () =>
      Promise.all(tokens.map(async (token) => (await introspect(caller, token)).text));
    const operate = (verb: string) =>
      service.operate('sandbox', `/operator/users/${caller.user.id}/${verb}`, { method: 'POST' });
    await operate('block');
    expect(await texts()).toEqual(['{"active":false}', '{"active":false}']);
    await operate('unblock');
    expect((await introspect(caller, caller.access.tokenValue)).body.active).toBe(true);
  });

  it('[oauth 39] omits an organization that the subject has left, at once', async () => {
    const [caller, colleague] = [await createCaller(service), await createCaller(service)];
    const environment = await serviceEnvironment(service);
    const second = await createOrganization(environment, { name: 'Second' });
    const membership = { organizationId: second.id, userId: caller.user.id };
    await addMember(environment, membership);
    // The membership of a colleague does not replace the subject's own.
    await addMember(environment, { organizationId: second.id, userId: colleague.user.id });
    const grant = await grantToUser(environment, {
      client: caller.client,
      userId: caller.user.id,
      organizationIds: [caller.organization.id, second.id],
      scopes: ['products:read'],
    });
    const { tokenValue } = await issueAccessToken(environment, grant);
    const organizations = async () => (await introspect(caller, tokenValue)).body.organizations;
    expect(await organizations()).toEqual([caller.organization.id, second.id].sort());
    await removeMember(environment, membership);
    expect(await organizations()).toEqual([caller.organization.id]);
    await removeMember(environment, { ...membership, organizationId: caller.organization.id });
    expect(await introspect(caller, tokenValue)).toMatchObject({ body: { active: true, organizations: [] } });
  });

  it('[outside2 10] omits it also when the subject is added again: what was allowed before does not reach that membership', async () => {
    const { addUser, addClient, obtainTokens, exchange, signedIn } = authorization(service);
    const environment = await serviceEnvironment(service);
    const user = await addUser(['Left', 'Kept']);
    const [left, kept] = user.organizations.map(({ id }) => id) as [OrganizationId, OrganizationId];
    const client = await addClient();
    const chosen = { [`organization:${left}`]: 'yes', [`organization:${kept}`]: 'yes' };
    const scope = 'products:read products:write';
    const first = await obtainTokens(client, user.email, { scope }, {}, chosen);
    const organizations = async (token: string) =>
      (await calls.introspect({ ...client.credentials, token })).body.organizations;
    expect(await organizations(first.body.access_token)).toEqual([left, kept].sort());
    // A code from before, which is exchanged after.
    const { verifier, challenge } = createPkce();
    const browser = await signedIn(user.email);
    const silently = () => browser.visit(authorizePath(client.id, { scope, code_challenge: challenge }));
    const { code = '' } = answerIn((await silently()).url);
    const unused = { ...client.credentials, code, redirect_uri: CALLBACK, code_verifier: verifier };

    const membership = { organizationId: left, userId: user.id };
    await removeMember(environment, membership);
    // Whatever the clock says.
    service.clock.advanceSeconds(-1_800);
    await addMember(environment, membership);
    service.clock.advanceSeconds(1_800);
    expect(await organizations(first.body.access_token)).toEqual([kept]);
    expect(await organizations(first.body.refresh_token)).toEqual([kept]);
    const renewed = await calls.token({
      ...client.credentials,
      grant_type: 'refresh_token',
      refresh_token: first.body.refresh_token,
    });
    expect(await organizations(renewed.body.access_token)).toEqual([kept]);
    expect(await organizations((await exchange(unused)).body.access_token)).toEqual([kept]);
    // To be a member once more changes nothing.
    await addMember(environment, membership);
    expect(await organizations(renewed.body.access_token)).toEqual([kept]);
    const listed = await calls.send('/v1/oauth2/grants', {
      headers: { authorization: `Bearer ${renewed.body.access_token}` },
    });
    expect(listed.body.items[0].organizations).toEqual([kept]);

    // The user is asked, and what they allow now counts in the organization; of what they allowed before it says nothing.
    expect((await silently()).text).toContain('In these organizations');
    const anew = await obtainTokens(client, user.email, { scope: 'products:read' }, {}, chosen);
    expect(await organizations(anew.body.access_token)).toEqual([left, kept].sort());
    expect(await organizations(renewed.body.access_token)).toEqual([kept]);
    expect((await silently()).text).toContain('In these organizations');
  });

  it('[oauth 40] has no not-before time: a clock that steps back ends no token', async () => {
    const caller = await createCaller(service);
    const issuedAt = service.clock.now();
    // This node's clock was ahead, or another node's is: the token is valid from the moment it was issued.
    service.clock.advanceSeconds(-3_600);
    const { body } = await introspect(caller, caller.access.tokenValue);
    expect(body).toMatchObject({ active: true, iat: Math.floor(issuedAt.getTime() / 1000) });
    expect(body).not.toHaveProperty('nbf');
    // Its expiry does not move with the clock.
    service.clock.set(new Date(body.exp * 1000));
    expect((await introspect(caller, caller.access.tokenValue)).text).toBe('{"active":false}');
    service.clock.set(issuedAt);
  });

  it('[oauth 41] forbids caching of any answer, and always includes the exp of an active token', async () => {
    const caller = await createCaller(service);
    const { access, refresh, credentials } = caller;
    const active = [
      await introspect(caller, access.tokenValue),
      await introspect(caller, refresh.tokenValue),
    ];
    const ends = [access, refresh].map(({ token }) => Math.floor(token.expiresAt.getTime() / 1000));
    expect(active.map(({ body }) => body.exp)).toEqual(ends);
    const path = '/v1/oauth2/introspect';
    const others = [
      await introspect(caller, 'garbage'),
      await introspect(caller, access.tokenValue, { client_secret: 'wrong' }),
      await calls.post(path, credentials),
      await calls.post(path, 'x'.repeat(300_000)),
      await calls.post(path, '{}', { 'content-type': 'application/json' }),
      await calls.send(path, {}),
    ];
    expect(others.map(({ status }) => status)).toEqual([200, 401, 400, 413, 415, 405]);
    for (const { headers } of [...active, ...others]) expect(headers.get('cache-control')).toBe('no-store');
  });

  it('[oauth 42] ignores unknown form fields', async () => {
    const caller = await createCaller(service);
    const extra = {
      token_type_hint: 'nonsense',
      scope: 'products:write',
      resource: 'https://elsewhere.test',
      audience: '',
      constructor: 'x',
      'ключ 🗝': 'значение',
    };
    const plain = await introspect(caller, caller.access.tokenValue);
    const { status, text } = await introspect(caller, caller.access.tokenValue, extra);
    expect([status, text]).toEqual([200, plain.text]);
    const form = new URLSearchParams({ ...caller.credentials, token: caller.access.tokenValue });
    const withPrototype = await calls.post('/v1/oauth2/introspect', `${form}&__proto__=x&toString=x`);
    expect(withPrototype.text).toBe(plain.text);
  });
});
