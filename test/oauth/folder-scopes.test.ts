import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { knownScopes, offeredBy } from '../../src/oauth/scopes/scopes.ts';
import { createTestDatabases, type Engine, onPostgresFirst } from '../support/database/databases.ts';
import type { TestDatabases } from '../support/database/test-databases.ts';
import {
  answerIn,
  authorization,
  authorizePath,
  CALLBACK,
  createPkce,
} from '../support/oauth/authorization.ts';
import { oauthCalls } from '../support/oauth/oauth-calls.ts';
import {
  homeTime,
  maintained,
  next,
  versionsBefore,
  versionsSince,
} from '../support/service/build-versions.ts';
import { operatorCalls } from '../support/service/operator-calls.ts';
import {
  type RunningTestService,
  startTestServiceOn,
  type TestService,
  useTestService,
} from '../support/service/test-service.ts';

const folderScopes = {
  'orders:read': { consent: 'See orders', organization: true },
  'orders:write': { consent: 'Place & cancel orders', organization: true },
  'reading:history': { consent: 'See what you have read', organization: false },
};
const names = Object.keys(folderScopes);
const people = ['openid', 'profile', 'email'];
const service = ['webhooks:read', 'webhooks:write', 'organizations:read'];
const products = ['products:read', 'products:write'];
const onlyNamed = ['grants:manage', 'offline_access'];
const usual = [...people, ...names, ...service];
const all = [...usual, ...onlyNamed];

describe('the known scopes', () => {
  it('are those of Dateline where an API has none of its own', () => {
    const known = knownScopes();
    expect(known.usual).toEqual([...people, ...products, ...service]);
    expect(known.all).toEqual([...people, ...products, ...service, ...onlyNamed]);
    expect(known.ofPeople).toEqual([...people, ...onlyNamed]);
    expect([known.ofFolder, known.wordsFor('products:read')]).toEqual([[], 'See products']);
    expect(products.map((scope) => known.needsOrganization([scope]))).toEqual([true, true]);
    expect(known.needsOrganization(known.ofPeople)).toBe(false);
  });

  it('are the own ones of an API in place of those of the example resource', () => {
    const known = knownScopes(folderScopes);
    expect([known.usual, known.all, known.ofFolder]).toEqual([usual, all, names]);
    expect(known.ofPeople).toEqual([...people, 'reading:history', ...onlyNamed]);
    expect(names.map((scope) => known.needsOrganization([scope]))).toEqual([true, true, false]);
    expect(knownScopes({}).usual).toEqual([...people, ...service]);
  });

  it('have no words for one that is gone, and take it for one that acts in an organization', () => {
    const known = knownScopes(folderScopes);
    for (const gone of ['products:read', 'constructor']) {
      expect(known.wordsFor(gone)).toBe(gone);
      expect(known.needsOrganization(['openid', gone])).toBe(true);
    }
  });

  it('are offered as a version has promised them, and own ones by every version', () => {
    expect(offeredBy(['email', 'products:read'], knownScopes())).toEqual(['email', 'products:read']);
    expect(offeredBy(['email', 'products:read'], knownScopes(folderScopes))).toEqual(['email', ...names]);
  });

  it('cannot be redefined by an API, except for those of the example resource', () => {
    const [terms] = Object.values(folderScopes) as [(typeof folderScopes)['orders:read']];
    for (const taken of [...people, ...service, ...onlyNamed])
      expect(() => knownScopes({ [taken]: terms })).toThrow(`The scope ${taken} is one of Dateline itself`);
    expect(knownScopes({ 'products:read': terms }).wordsFor('products:read')).toBe('See orders');
  });
});

const registerAt = (to: TestService, version: string, metadata: object, token?: string) =>
  oauthCalls(to, token === undefined ? 'sandbox' : 'production').send('/v1/oauth2/register', {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      'service-version': version,
      ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
    },
    body: JSON.stringify({ redirect_uris: [CALLBACK], ...metadata }),
  });

const credentialsOf = ({ id, client_secret }: { id: string; client_secret: string }) => ({
  client_id: id,
  client_secret,
});

onPostgresFirst('a service with scopes of its own', (engine) => {
  const running = useTestService(engine, {}, homeTime, { folderScopes });
  const { send, post, introspect } = oauthCalls(running);
  const { addUser, signedIn, allow, exchange } = authorization(running);
  const operator = operatorCalls(running);

  it('lets operators give them to clients, and no others', async () => {
    const named = await operator.createClient({ scopes: ['orders:read', 'reading:history'] });
    expect(named.scopes).toEqual(['orders:read', 'reading:history']);
    expect((await operator.createClient()).scopes).toEqual(usual);
    const scopes = ['orders:read', 'products:read'];
    const body = { organization_id: named.organization_id, name: 'Shop', kind: 'confidential', scopes };
    for (const refused of [
      await operator.post('/operator/clients', body),
      await operator.ask('PATCH', `/operator/clients/${named.id}`, { scopes }),
      await operator.post('/operator/registration-tokens', { scopes }),
    ]) {
      expect(refused.status).toBe(422);
      expect(refused.body.detail).toBe(`scopes.1 must be one of ${all.join(', ')}.`);
    }
    const token = await operator.post('/operator/registration-tokens', { scopes: ['orders:write'] });
    expect([token.status, token.body.scopes]).toEqual([201, ['orders:write']]);
    expect((await operator.post('/operator/registration-tokens')).body.scopes).toEqual(usual);
  });

  it.each(maintained)('lets clients register them in %s, and no others', async (version) => {
    const promised = version < '2027-01' ? usual : all;
    const scope = 'openid orders:read orders:write';
    const named = await registerAt(running, version, { scope });
    expect([named.status, named.body.scope]).toEqual([201, scope]);
    expect((await registerAt(running, version, {})).body.scope).toBe(usual.join(' '));
    const refused = await registerAt(running, version, { scope: 'orders:read products:read' });
    expect([refused.status, refused.body.error, refused.body.error_description]).toEqual([
      400,
      'invalid_client_metadata',
      `scope must name known scopes: ${promised.join(', ')}.`,
    ]);
  });

  it('names them in discovery, in every version', async () => {
    const supported = async (version: string) =>
      (await send('/.well-known/openid-configuration', { headers: { 'service-version': version } })).body
        .scopes_supported;
    for (const version of versionsBefore('2027-01')) expect(await supported(version)).toEqual(usual);
    for (const version of versionsSince('2027-01')) expect(await supported(version)).toEqual(all);
  });

  it('grants a client for itself those that are not about people', async () => {
    const client = credentialsOf(await operator.createClient());
    const ask = async (form = {}) =>
      (await post('/v1/oauth2/token', { grant_type: 'client_credentials', ...client, ...form })).body;
    expect((await ask()).scope).toBe(['orders:read', 'orders:write', ...service].join(' '));
    expect((await ask({ scope: 'orders:write' })).scope).toBe('orders:write');
    expect(await ask({ scope: 'reading:history' })).toMatchObject({
      error: 'invalid_scope',
      error_description: 'The scope reading:history may not be requested here.',
    });
    expect(await ask({ scope: 'products:read' })).toMatchObject({
      error: 'invalid_scope',
      error_description: `There is a scope that is not known here; known are ${usual.join(', ')}.`,
    });
  });

  it('asks people in the words of the API, and for an organization where a scope acts in one', async () => {
    const user = await addUser();
    const client = await operator.createClient({ redirect_uris: [CALLBACK] });
    const browser = await signedIn(user.email);
    const { verifier, challenge } = createPkce();
    const request = (scope: string) => authorizePath(client.id, { scope, code_challenge: challenge });
    const alone = await browser.visit(request('openid reading:history'));
    expect(alone.text).toContain('<li>See what you have read</li>');
    expect(alone.text).not.toContain('In these organizations');
    const page = await browser.visit(request('openid orders:write'));
    expect(page.text).toContain('<li>Place &#38; cancel orders</li>');
    expect(page.text).toContain('In these organizations');
    const { code = '' } = answerIn((await allow(browser, page)).url);
    const form = { ...credentialsOf(client), code, redirect_uri: CALLBACK, code_verifier: verifier };
    const { body } = await exchange(form);
    expect(body.scope).toBe('openid orders:write');
    expect(
      (await post('/v1/oauth2/introspect', { ...credentialsOf(client), token: body.access_token })).body,
    ).toMatchObject({ active: true, scope: 'openid orders:write' });
    expect((await browser.visit('/account/grants')).text).toContain('<li>Place &#38; cancel orders</li>');
    const refused = await browser.visit(request('openid products:read'));
    expect(answerIn(refused.url).error).toBe('invalid_scope');
  });

  it('gives the demo client all that is usual', async () => {
    const { access_token: token } = running.quickstart.sandbox;
    expect((await introspect({ token })).body.scope).toBe(usual.join(' '));
  });
});

onPostgresFirst('a scope that an API has removed since it was granted', (engine) => {
  const twice = useTwoStarts(engine);
  const { 'orders:write': _removed, ...others } = folderScopes;
  const left = { ...others, 'orders:read': { consent: 'See all orders', organization: true } };
  let second: RunningTestService;
  let before: Awaited<ReturnType<typeof grantAll>>;

  beforeAll(async () => {
    const first = await twice.start(folderScopes);
    before = await grantAll(first);
    await first.stop();
    second = await twice.start(left);
  });
  afterAll(() => second?.stop());

  const tokenAs = async (client: { id: string; client_secret: string }, form: Record<string, string>) =>
    (await oauthCalls(second).post('/v1/oauth2/token', { ...credentialsOf(client), ...form })).body;
  const nothingLeft = {
    error: 'invalid_scope',
    error_description: 'The client is no longer allowed any of these scopes.',
  };

  it('[outside2 6] is not shown by introspection any more', async () => {
    const { body } = await oauthCalls(second).post('/v1/oauth2/introspect', {
      ...credentialsOf(before.some),
      token: before.tokens.access_token,
    });
    expect(body).toMatchObject({ active: true, scope: 'openid orders:read' });
  });

  it('is not granted to a client for itself', async () => {
    const grant_type = 'client_credentials';
    expect((await tokenAs(before.some, { grant_type })).scope).toBe('orders:read');
    expect((await tokenAs(before.some, { grant_type, scope: 'orders:write' })).error_description).toContain(
      'a scope that is not known here',
    );
    expect(await tokenAs(before.none, { grant_type })).toMatchObject(nothingLeft);
    expect(await tokenAs(before.none, { grant_type, scope: 'orders:write' })).toMatchObject(nothingLeft);
  });

  it('is not granted for a code that was issued before', async () => {
    const form = { grant_type: 'authorization_code', redirect_uri: CALLBACK, ...before.unused };
    expect((await tokenAs(before.some, form)).scope).toBe('openid orders:read');
  });

  it('is not granted at a refresh, and stays stored', async () => {
    const grant_type = 'refresh_token';
    const { refresh_token } = before.tokens;
    const named = await tokenAs(before.some, { grant_type, refresh_token, scope: 'orders:write' });
    expect(named.error).toBe('invalid_scope');
    const refreshed = await tokenAs(before.some, { grant_type, refresh_token });
    expect(refreshed.scope).toBe('openid orders:read');
    expect(
      await tokenAs(before.none, { grant_type, refresh_token: before.onlyRemoved.refresh_token }),
    ).toMatchObject(nothingLeft);
    const { body } = await oauthCalls(second).send('/v1/oauth2/grants', {
      headers: { authorization: `Bearer ${refreshed.access_token}`, 'service-version': next },
    });
    expect(body.items.map(({ scopes }: { scopes: string[] }) => scopes)).toEqual([
      ['openid', 'orders:read', 'orders:write'],
    ]);
  });

  it('is not asked for, nor part of a new code', async () => {
    const { signedIn, obtainTokens, allow } = authorization(second);
    const client = { ...before.some, credentials: credentialsOf(before.some) };
    const { body } = await obtainTokens(client, before.email, { scope: '', prompt: 'consent' });
    expect(body.scope).toBe('openid orders:read');
    const browser = await signedIn(before.email);
    const ask = (id: string, scope: string) => browser.visit(authorizePath(id, { scope, prompt: 'consent' }));
    const page = await ask(before.some.id, '');
    expect(page.text).toContain('<li>See all orders</li>');
    expect(page.text).not.toMatch(/orders:write|Place/);
    expect((await allow(browser, page)).url).toContain('code=');
    for (const [id, scope] of [
      [before.some.id, 'openid orders:write'],
      [before.none.id, ''],
    ] as const)
      expect(answerIn((await ask(id, scope)).url).error).toBe('invalid_scope');
  });

  it('leaves forms valid whose words are the same, and no others', async () => {
    const browser = authorization(second).visitor();
    for (const [name, value] of before.browser.cookies) browser.cookies.set(name, value);
    const { allow } = authorization(second);
    expect((await allow(browser, before.pages.unchanged)).url).toContain('code=');
    expect((await allow(browser, before.pages.otherWords)).status).toBe(403);
  });

  it('is shown by its name to people and operators', async () => {
    const browser = await authorization(second).signedIn(before.email);
    const page = await browser.visit('/account/grants');
    expect([page.status, page.text]).toEqual([200, expect.stringContaining('<li>orders:write</li>')]);
    const { get, ask } = operatorCalls(second);
    const { body } = await get(`/operator/clients/${before.none.id}`);
    expect(body.scopes).toEqual(['orders:write']);
    const renamed = await ask('PATCH', `/operator/clients/${before.none.id}`, { name: 'Renamed' });
    expect([renamed.status, renamed.body.scopes]).toEqual([200, ['orders:write']]);
    expect((await operatorCalls(second, 'production').get('/operator/registration-tokens')).text).toContain(
      'orders:write',
    );
  });

  it('is not registered again by a token that allowed it', async () => {
    const { registrationToken } = before;
    const named = await registerAt(second, next, { scope: 'orders:read' }, registrationToken);
    expect([named.status, named.body.error]).toEqual([400, 'invalid_client_metadata']);
    const registered = await registerAt(second, next, {}, registrationToken);
    expect([registered.status, registered.body.scope]).toEqual([201, '']);
  });

  it('is neither in the new token of the demo client nor in a new grant', async () => {
    const known = [...people, 'orders:read', 'reading:history', ...service];
    const { access_token: token, refresh_token } = second.quickstart.sandbox;
    expect((await oauthCalls(second).introspect({ token })).body.scope).toBe(known.join(' '));
    await oauthCalls(second).revoke({ token: refresh_token });
    await second.stop();
    second = await twice.start(left);
    const { body } = await oauthCalls(second).introspect({ token: second.quickstart.sandbox.refresh_token });
    expect(body).toMatchObject({ active: true, scope: known.join(' ') });
  });
});

/** All that a scope can be part of, of two clients: one has it among others, the other has nothing else. */
async function grantAll(first: TestService) {
  const { addUser, signedIn, allow, obtainTokens } = authorization(first);
  const operator = operatorCalls(first);
  const { email } = await addUser();
  const scopes = ['openid', 'orders:read', 'orders:write'];
  const some = await operator.createClient({ redirect_uris: [CALLBACK], scopes });
  const none = await operator.createClient({ redirect_uris: [CALLBACK], scopes: ['orders:write'] });
  const tokensOf = async (client: typeof some) => {
    const made = { id: client.id, credentials: credentialsOf(client) };
    return (await obtainTokens(made, email, { scope: client.scopes.join(' ') })).body;
  };
  const [tokens, onlyRemoved] = [await tokensOf(some), await tokensOf(none)];
  const { verifier, challenge } = createPkce();
  const browser = await signedIn(email);
  const ask = (scope: string) =>
    browser.visit(authorizePath(some.id, { scope, code_challenge: challenge, prompt: 'consent' }));
  const { code = '' } = answerIn((await allow(browser, await ask(scopes.join(' ')))).url);
  const pages = { unchanged: await ask('openid'), otherWords: await ask('orders:read') };
  const registration = await operatorCalls(first, 'production').post('/operator/registration-tokens', {
    scopes: ['orders:write'],
  });
  const registrationToken: string = registration.body.registration_token;
  return {
    email,
    some,
    none,
    tokens,
    onlyRemoved,
    unused: { code, code_verifier: verifier },
    registrationToken,
    browser,
    pages,
  };
}

/** Starts services one after the other, on the same databases and in the same folder. */
function useTwoStarts(engine: Engine) {
  const folder = mkdtempSync(join(tmpdir(), 'dateline-twice-'));
  let databases: TestDatabases;
  beforeAll(async () => {
    databases = await createTestDatabases(engine);
  });
  afterAll(async () => {
    await databases?.close();
    rmSync(folder, { recursive: true, force: true });
  });
  const kept: TestDatabases = {
    open: async (name) => ({ ...(await databases.open(name)), close: async () => {} }),
    close: async () => {},
  };
  return {
    start: (scopes: typeof folderScopes | Omit<typeof folderScopes, 'orders:write'>) =>
      startTestServiceOn(kept, { DATELINE_DATA_DIR: folder }, homeTime, { folderScopes: scopes }),
  };
}
