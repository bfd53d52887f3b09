import { decodeJwt, decodeProtectedHeader, generateKeyPair, type JWTHeaderParameters, SignJWT } from 'jose';
import { describe, expect, it } from 'vitest';
import { removeMember } from '../../../src/directory/users.ts';
import { addMember } from '../../../src/identity/members.ts';
import { createOrganization } from '../../../src/identity/organizations.ts';
import { disableClient } from '../../../src/oauth/clients/clients/administer-clients.ts';
import { createProduct } from '../../../src/products/products.ts';
import { statement } from '../../../src/storage/statement.ts';
import { storedProduct } from '../../support/contracts/products.ts';
import { onPostgresFirst } from '../../support/database/databases.ts';
import { fieldsOf, type Visited } from '../../support/http/visitor.ts';
import {
  answerIn,
  authorization,
  authorizePath,
  CALLBACK,
  createPkce,
} from '../../support/oauth/authorization.ts';
import { oauthCalls } from '../../support/oauth/oauth-calls.ts';
import { current, maintained, next, versionsBefore } from '../../support/service/build-versions.ts';
import { useTestService } from '../../support/service/test-service.ts';

onPostgresFirst('GET /v1/oauth2/authorize', (engine) => {
  const service = useTestService(engine);
  const { environment, addUser, addClient, visitor, signIn, signedIn, allow, obtainTokens, exchange } =
    authorization(service);
  const { post, send } = oauthCalls(service);

  const heading = ({ text }: Visited): string => /<h1>([^<]*)/.exec(text)?.[1] ?? '';
  const introspect = async (client: { credentials: Record<string, string> }, token: string) =>
    (await post('/v1/oauth2/introspect', { ...client.credentials, token })).body;

  it('is the same in every version, and follows its rules', async () => {
    const client = await addClient();
    for (const version of maintained) {
      const page = await visitor().visit(authorizePath(client.id), { 'service-version': version });
      expect([page.status, heading(page), page.headers.get('service-version')]).toEqual([
        200,
        'Sign in',
        version,
      ]);
    }
    const rejected = await visitor().visit(authorizePath(client.id), { 'service-version': 'nonsense' });
    expect(rejected.status).toBe(404);
  });

  it('leads through sign-in and consent back to the client', async () => {
    const user = await addUser();
    const client = await addClient({ name: 'Shop tool' });
    const browser = visitor();
    const first = await browser.visit(authorizePath(client.id));
    expect(heading(first)).toBe('Sign in');
    expect(first.text).toContain('Shop tool');
    const wrong = await signIn(browser, first, user.email, 'wrong password');
    expect(wrong.text).toContain('Shop tool');
    const asked = await signIn(browser, wrong, user.email);
    expect(heading(asked)).toBe('Allow Shop tool?');
    for (const words of ['Makers', 'Know that it is you', 'See products', 'Acme', 'app.test', user.email])
      expect(asked.text).toContain(words);
    expect(asked.text).not.toContain('delete products');
    const { status, url } = await allow(browser, asked);
    expect([status, url.startsWith(`${CALLBACK}?code=dl_test_ac_`)]).toEqual([303, true]);
  });

  it('keeps the query of the client’s redirect URI', async () => {
    const address = `${CALLBACK}?tenant=a%20b`;
    const client = await addClient({ redirectUris: [address] });
    const { url } = await visitor().visit(
      authorizePath(client.id, { redirect_uri: address, prompt: 'none' }),
    );
    expect(url.startsWith(`${address}&error=login_required`)).toBe(true);
  });

  it('sends access_denied to the client when the person refuses', async () => {
    const client = await addClient();
    const browser = await signedIn((await addUser()).email);
    const page = await browser.visit(authorizePath(client.id));
    const { url } = await browser.submit(page, '/account/consent', { decision: 'deny' });
    expect(answerIn(url)).toEqual({
      error: 'access_denied',
      error_description: 'The user denied the request.',
      state: 'the state',
      iss: service.urls.sandbox,
    });
  });

  it('shows errors of client_id and redirect_uri on a page, without a redirect', async () => {
    const client = await addClient();
    const disabled = await addClient();
    await disableClient(await environment(), disabled.id);
    for (const path of [
      '/v1/oauth2/authorize',
      authorizePath(''),
      authorizePath('cli_0000000000000000000000'),
      authorizePath('\0'),
      authorizePath(disabled.id),
      authorizePath(client.id, { redirect_uri: 'https://evil.test/' }),
      `${authorizePath(client.id)}&client_id=${client.id}`,
      `${authorizePath(client.id)}&redirect_uri=https://evil.test/`,
    ]) {
      const { status, headers, text, url } = await visitor().visit(path);
      expect([status, headers.get('location'), url.startsWith(service.urls.sandbox)]).toEqual([
        400,
        null,
        true,
      ]);
      expect(text).toContain('<code>invalid_request</code>');
      expect(text).not.toContain('evil.test');
    }
  });

  it.each([
    [{ response_type: '' }, 'invalid_request'],
    [{ response_type: 'token' }, 'unsupported_response_type'],
    [{ response_mode: 'fragment' }, 'invalid_request'],
    [{ scope: 'products:read nonsense' }, 'invalid_scope'],
    [{ scope: ' ' }, 'invalid_scope'],
    [{ resource: 'https://unknown.test/' }, 'invalid_target'],
    [{ resource: '\0' }, 'invalid_request'],
    [{ nonce: 'a\0b' }, 'invalid_request'],
    [{ prompt: 'none login' }, 'invalid_request'],
    [{ prompt: 'nonsense' }, 'invalid_request'],
    [{ max_age: '-1' }, 'invalid_request'],
    [{ request: 'x.y.z' }, 'request_not_supported'],
    [{ request_uri: 'https://evil.test/' }, 'request_uri_not_supported'],
  ])('redirects a request with %j to the client with %s', async (change, error) => {
    const client = await addClient();
    const { status, url } = await visitor().visit(authorizePath(client.id, change));
    expect([status, url.startsWith(`${CALLBACK}?`)]).toEqual([302, true]);
    expect(answerIn(url)).toMatchObject({ error, state: 'the state', iss: service.urls.sandbox });
    expect(answerIn(url).error_description).toMatch(/^[ !#-[\]-~]+$/);
  });

  it('redirects a repeated parameter to the client as invalid_request, and returns neither of two states', async () => {
    const client = await addClient();
    for (const extra of ['scope=openid', 'unknown=1&unknown=2', 'nonce=&nonce=x']) {
      const { url } = await visitor().visit(`${authorizePath(client.id)}&${extra}`);
      expect(answerIn(url)).toMatchObject({ error: 'invalid_request', state: 'the state' });
    }
    const { url } = await visitor().visit(`${authorizePath(client.id)}&state=other`);
    expect(answerIn(url).error).toBe('invalid_request');
    expect(answerIn(url).state).toBeUndefined();
  });

  it('answers unauthorized_client to a client that may not use codes', async () => {
    const client = await addClient({ allowedGrants: ['client_credentials'] });
    const { url } = await visitor().visit(authorizePath(client.id));
    expect(answerIn(url).error).toBe('unauthorized_client');
  });

  it('accepts GET, and since 2027-01 POST, and nothing else', async () => {
    const client = await addClient();
    for (const version of maintained) {
      const isOlder = versionsBefore('2027-01').includes(version);
      const [allowed, refused] = isOlder ? ['GET', ['POST']] : ['GET, POST', []];
      for (const method of ['PUT', 'DELETE', 'HEAD', 'OPTIONS', ...refused]) {
        const init = { method, headers: { 'service-version': version } };
        const { status, headers } = await send(authorizePath(client.id), init);
        const answer = method === 'OPTIONS' ? [204, `${allowed}, OPTIONS`] : [405, allowed];
        expect([method, status, headers.get('allow')]).toEqual([method, ...answer]);
        expect(headers.get('access-control-allow-origin')).toBeNull();
      }
    }
  });

  it('cannot be framed, runs no script, is not cached, and keeps the opener of a client’s window', async () => {
    const client = await addClient();
    const browser = visitor();
    const signingIn = await browser.visit(authorizePath(client.id));
    const asking = await signIn(browser, signingIn, (await addUser()).email);
    const broken = await visitor().visit('/v1/oauth2/authorize');
    for (const { headers } of [signingIn, asking, broken]) {
      const policy = headers.get('content-security-policy') ?? '';
      expect(policy).toContain("default-src 'none'");
      expect(policy).toContain("frame-ancestors 'none'");
      expect(policy).not.toMatch(/script-src|unsafe/);
      expect(headers.get('x-frame-options')).toBe('DENY');
      expect(headers.get('cache-control')).toBe('no-store');
      expect(headers.get('referrer-policy')).toBe('same-origin');
    }
    for (const { headers } of [signingIn, asking])
      expect(headers.get('cross-origin-opener-policy')).toBe('unsafe-none');
  });

  it('escapes names chosen by clients and people', async () => {
    const evil = '<script>alert("1")</script>';
    const client = await addClient({ name: evil });
    const user = await addUser([`Org ${evil}`]);
    const browser = visitor();
    const signingIn = await browser.visit(authorizePath(client.id, { login_hint: `"><img src=x>` }));
    const asking = await signIn(browser, signingIn, user.email);
    await allow(browser, asking);
    const broken = await visitor().visit(authorizePath(evil));
    for (const { text } of [signingIn, asking, broken]) {
      expect(text).not.toContain('<script>');
      expect(text).not.toContain('<img');
    }
    expect(signingIn.text).toContain('&#34;&#62;&#60;img src=x&#62;');
    expect(asking.text).toContain('&#60;script&#62;');
  });

  it('asks the person for which organizations, and grants the chosen ones', async () => {
    const user = await addUser(['One', 'Two', 'Three']);
    const [one, , three] = user.organizations;
    const client = await addClient();
    const browser = await signedIn(user.email);
    const page = await browser.visit(authorizePath(client.id));
    expect(
      Object.keys(fieldsOf(page, '/account/consent')).some((name) => name.startsWith('organization:')),
    ).toBe(false);
    const none = await allow(browser, page);
    expect([none.status, none.text.includes('Choose at least one organization.')]).toEqual([422, true]);
    const foreign = await addUser(['Foreign']);
    const chosen = Object.fromEntries(
      [one, three, foreign.organizations[0]].map((organization) => [
        `organization:${organization?.id}`,
        'yes',
      ]),
    );
    expect(answerIn((await allow(browser, none, chosen)).url).code).toBeDefined();
    // An earlier choice is preselected when the page is shown again.
    const { body } = await obtainTokens(client, user.email, { prompt: 'consent' });
    expect((await introspect(client, body.access_token)).organizations).toEqual([one?.id, three?.id].sort());
  });

  it('[outside 2] attaches no organization where no scope needs one, asked or remembered', async () => {
    const user = await addUser(['Acme']);
    const [acme] = user.organizations;
    const client = await addClient();
    const browser = await signedIn(user.email);
    const page = await browser.visit(authorizePath(client.id, { scope: 'openid email' }));
    expect([heading(page), page.text.includes('Acme')]).toEqual(['Allow Client?', false]);
    // They list products for any scope; since 2027-01 products:read is needed.
    const lenient = versionsBefore('2027-01');
    const countProducts = async (token: string, version: string): Promise<number> => {
      const headers = { authorization: `Bearer ${token}`, 'service-version': version };
      return (await send('/v1/products/', { headers })).body.items.length;
    };
    const reachOfToken = async (scope: string, fields = {}) => {
      const { verifier: code_verifier, challenge } = createPkce();
      const path = authorizePath(client.id, { scope, code_challenge: challenge });
      const shown = await browser.visit(path);
      const { url } = shown.status === 200 ? await allow(browser, shown, fields) : shown;
      const code = answerIn(url).code ?? '';
      const { body } = await exchange({ ...client.credentials, code, redirect_uri: CALLBACK, code_verifier });
      return {
        organizations: (await introspect(client, body.access_token)).organizations,
        products: await Promise.all(lenient.map((version) => countProducts(body.access_token, version))),
      };
    };
    if (!acme) throw new Error('the user has no organization');
    await createProduct(await environment(), [acme.id], { organizationId: acme.id, product: storedProduct });
    const none = { organizations: [], products: lenient.map(() => 0) };
    // Also where the form names one.
    expect(await reachOfToken('openid email', { [`organization:${acme?.id}`]: 'yes' })).toEqual(none);
    expect(await reachOfToken('openid')).toEqual(none);
    const both = { organizations: [acme?.id], products: lenient.map(() => 1) };
    expect(await reachOfToken('openid products:read')).toEqual(both);
    expect(await reachOfToken('openid')).toEqual(none);
    // What needs no organization leaves the earlier choice as it was.
    expect(await reachOfToken('openid profile')).toEqual(none);
    const { url } = await browser.visit(authorizePath(client.id, { scope: 'products:read', prompt: 'none' }));
    expect(answerIn(url).code).toBeDefined();
  });

  describe('for a client that has registered itself', () => {
    async function registered(metadata: object, version = current) {
      const { status, body } = await send('/v1/oauth2/register', {
        method: 'POST',
        headers: { 'content-type': 'application/json', 'service-version': version },
        body: JSON.stringify({ redirect_uris: [CALLBACK], scope: 'openid', ...metadata }),
      });
      return { status, id: body.client_id, message: body.error_description };
    }

    it('[outside 9] says that nobody has verified the publisher; of others it does not', async () => {
      const browser = await signedIn((await addUser()).email);
      const { id } = await registered({ client_name: 'Notes' });
      const own = await browser.visit(authorizePath(id, { scope: 'openid' }));
      expect(own.text).toContain('nobody has verified its name or its publisher');
      const known = await browser.visit(authorizePath((await addClient()).id));
      expect(known.text).not.toContain('verified');
    });

    it('[outside 9] shows errors on a page, and sends nobody on but by their own decision', async () => {
      const { id } = await registered({ client_name: 'Notes' });
      for (const change of [{ scope: 'admin' }, { response_type: 'token' }, { prompt: 'none' }]) {
        const page = await visitor().visit(authorizePath(id, { scope: 'openid', ...change }));
        expect([page.status, page.headers.get('location'), heading(page)]).toEqual([
          400,
          null,
          'This request is invalid',
        ]);
      }
      const browser = await signedIn((await addUser()).email);
      const asked = await browser.visit(authorizePath(id, { scope: 'openid' }));
      const denied = await browser.submit(asked, '/account/consent', { decision: 'deny' });
      expect(answerIn(denied.url).error).toBe('access_denied');
    });

    it('[outside 9] shows the scheme of an app’s address, not the host that it claims', async () => {
      const redirect_uri = 'evil.app://accounts.google.com';
      const { id } = await registered({ redirect_uris: [redirect_uri], token_endpoint_auth_method: 'none' });
      const browser = await signedIn((await addUser()).email);
      const { text } = await browser.visit(authorizePath(id, { redirect_uri, scope: 'openid' }));
      expect(text).toContain('the app for evil.app:');
      expect(text).not.toContain('<strong>accounts.google.com');
    });

    it('[outside 9] takes no format characters in its name since 2027-01, and shows none that older versions took', async () => {
      const client_name = 'gro.elpmaxe \u202e';
      const { status, message } = await registered({ client_name }, next);
      expect([status, message]).toEqual([400, 'client_name has characters or a form that are not allowed.']);
      // As an older version has registered it.
      const { id } = await registered({ client_name: 'Reversed' });
      const database = await service.database('sandbox');
      const rename = statement('rename_client', 'update {schema}.oauth_clients set name = $1 where id = $2');
      await database.run(rename, [client_name, id]);
      const page = await visitor().visit(authorizePath(id, { scope: 'openid' }));
      const browser = await signedIn((await addUser()).email);
      const asked = await browser.visit(authorizePath(id, { scope: 'openid' }));
      for (const { text } of [page, asked]) {
        expect(text).toContain('gro.elpmaxe \ufffd');
        expect(text).not.toContain('\u202e');
      }
      for (const version of versionsBefore('2027-01'))
        expect((await registered({ client_name }, version)).status).toBe(201);
    });
  });

  it('grants no organization to a person who is a member of none', async () => {
    const user = await addUser([]);
    const client = await addClient();
    const { body } = await obtainTokens(client, user.email);
    expect(await introspect(client, body.access_token)).toMatchObject({
      active: true,
      sub: user.id,
      organizations: [],
    });
  });

  it('asks for all scopes of the client when none is named, and grants no more than was shown', async () => {
    const user = await addUser();
    const client = await addClient({ scopes: ['openid', 'products:read'] });
    const browser = await signedIn(user.email);
    const page = await browser.visit(authorizePath(client.id, { scope: '' }));
    expect(page.text).toContain('See products');
    const database = await service.database('sandbox');
    await database.run(
      statement(
        'widen_client',
        `update {schema}.oauth_clients set scopes = scopes || '{email}' where id = $1`,
      ),
      [client.id],
    );
    expect((await allow(browser, page)).status).toBe(403);
  });

  it('rejects a form that was filled in for another request', async () => {
    const user = await addUser();
    const client = await addClient();
    const browser = await signedIn(user.email);
    const page = await browser.visit(authorizePath(client.id));
    const other = authorizePath(client.id, { scope: 'products:write' });
    expect((await allow(browser, page, { continue: other })).status).toBe(403);
  });

  it('redirects to the client without asking again, for the same scopes or fewer', async () => {
    const user = await addUser();
    const client = await addClient();
    const { browser } = await obtainTokens(client, user.email);
    for (const scope of ['openid products:read', 'openid']) {
      const { status, url } = await browser.visit(authorizePath(client.id, { scope }));
      expect([status, url.startsWith(`${CALLBACK}?code=`)]).toEqual([302, true]);
    }
    expect(heading(await browser.visit(authorizePath(client.id, { scope: 'email' })))).toBe('Allow Client?');
    expect(heading(await browser.visit(authorizePath(client.id, { prompt: 'consent' })))).toBe(
      'Allow Client?',
    );
    const elsewhere = await addClient({ kind: 'resource_server', audiences: [`https://${client.id}.test/`] });
    const resource = elsewhere.audiences[0] ?? '';
    expect(heading(await browser.visit(authorizePath(client.id, { resource })))).toBe('Allow Client?');
  });

  it('[outside2 21] shows with prompt=select_account who is signed in, and another account is one click away', async () => {
    const [user, other] = [await addUser(), await addUser()];
    const client = await addClient();
    const { browser } = await obtainTokens(client, user.email);
    await obtainTokens(client, other.email);
    const select = () => browser.visit(authorizePath(client.id, { prompt: 'select_account' }));
    const page = await select();
    expect([page.status, heading(page), page.text.includes(user.email)]).toEqual([
      200,
      'Allow Client?',
      true,
    ]);
    expect(answerIn((await allow(browser, page)).url).code).toBeDefined();
    const signInPage = await browser.submit(await select(), '/account/sign-out', {});
    expect(heading(signInPage)).toBe('Sign in');
    // The account is chosen by signing in; nothing more is asked of somebody who has allowed the client before.
    expect(answerIn((await signIn(browser, signInPage, other.email)).url).code).toBeDefined();
  });

  describe('[outside2 21] with id_token_hint', () => {
    /** Somebody who is signed in and has allowed a client, with the id_token that it got. */
    async function known(client: Awaited<ReturnType<typeof addClient>>) {
      const user = await addUser();
      const { browser, body } = await obtainTokens(client, user.email);
      return { user, browser, idToken: body.id_token as string };
    }

    const silently = async (
      { browser }: Pick<Awaited<ReturnType<typeof known>>, 'browser'>,
      clientId: string,
      hint: string,
    ) =>
      answerIn((await browser.visit(authorizePath(clientId, { prompt: 'none', id_token_hint: hint }))).url);

    it('answers silently for the person of the hint, also of one that has expired, whatever signed it', async () => {
      for (const idTokenAlgorithm of ['ES256', 'RS256'] as const) {
        const client = await addClient({ idTokenAlgorithm });
        const person = await known(client);
        expect((await silently(person, client.id, person.idToken)).code).toBeDefined();
        service.clock.advanceSeconds(3_601);
        const { exp = 0 } = decodeJwt(person.idToken);
        expect(exp * 1_000).toBeLessThan(service.clock.now().getTime());
        expect((await silently(person, client.id, person.idToken)).code).toBeDefined();
      }
    });

    it('is login_required for anybody else, and where the hint is forged or of another client', async () => {
      const [client, stranger] = [await addClient(), await addClient()];
      const [person, other] = [await known(client), await known(client)];
      const [header, payload = '', signature] = person.idToken.split('.');
      const claims = JSON.parse(Buffer.from(payload, 'base64url').toString());
      const packed = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
      const { privateKey } = await generateKeyPair('ES256');
      const elsewhere = await new SignJWT(claims)
        .setProtectedHeader(decodeProtectedHeader(person.idToken) as JWTHeaderParameters)
        .sign(privateKey);
      const hints = {
        'of another person': other.idToken,
        'with another payload': [header, packed({ ...claims, name: 'x' }), signature].join('.'),
        'without a signature': [packed({ alg: 'none', typ: 'JWT' }), payload, ''].join('.'),
        'signed by somebody else': elsewhere,
        'of another client': (await obtainTokens(stranger, person.user.email)).body.id_token,
        'that is no token': 'x',
      };
      for (const [what, hint] of Object.entries(hints))
        expect([what, (await silently(person, client.id, hint)).error]).toEqual([what, 'login_required']);
      expect((await silently(person, client.id, person.idToken)).code).toBeDefined();
    });

    it('has another person sign in, and answers for nobody else', async () => {
      const client = await addClient();
      const [person, other] = [await known(client), await known(client)];
      const path = authorizePath(client.id, { id_token_hint: other.idToken });
      const page = await person.browser.visit(path);
      expect([page.status, heading(page), page.text.includes(person.user.email)]).toEqual([
        200,
        'Sign in',
        false,
      ]);
      expect(page.text).toContain('The application asks for another account.');
      const again = await signIn(person.browser, page, person.user.email);
      expect(heading(again)).toBe('Sign in');
      expect(answerIn((await signIn(person.browser, again, other.user.email)).url).code).toBeDefined();
    });

    it('leaves it to the person where the hint says nothing', async () => {
      const client = await addClient();
      const { browser } = await known(client);
      const { url } = await browser.visit(authorizePath(client.id, { id_token_hint: 'x.y.z' }));
      expect(answerIn(url).code).toBeDefined();
    });
  });

  it('adds up consent for the same organizations, and starts anew for others', async () => {
    const user = await addUser(['One', 'Two']);
    const [one, two] = user.organizations;
    const client = await addClient();
    const browser = await signedIn(user.email);
    const allowIn = async (scope: string, id: string | undefined) => {
      const page = await browser.visit(authorizePath(client.id, { scope, prompt: 'consent' }));
      const { [`organization:${one?.id}`]: _one, ...rest } = fieldsOf(page, '/account/consent');
      const { [`organization:${two?.id}`]: _two, ...hidden } = rest;
      await browser.post('/account/consent', { ...hidden, decision: 'allow', [`organization:${id}`]: 'yes' });
    };
    const isAsked = async (scope: string): Promise<boolean> =>
      (await browser.visit(authorizePath(client.id, { scope }))).status === 200;
    await allowIn('products:read', one?.id);
    await allowIn('products:write', one?.id);
    expect(await isAsked('products:read products:write')).toBe(false);
    await allowIn('products:read', two?.id);
    expect([await isAsked('products:read'), await isAsked('products:write')]).toEqual([false, true]);
  });

  it('asks again when the person has left an organization, or has joined the first', async () => {
    const context = await environment();
    const silently = async (browser: ReturnType<typeof visitor>, clientId: string) =>
      answerIn((await browser.visit(authorizePath(clientId, { prompt: 'none' }))).url);
    const client = await addClient();

    const leaver = await addUser();
    const organizationId = leaver.organizations[0]?.id ?? '';
    const { browser } = await obtainTokens(client, leaver.email);
    expect((await silently(browser, client.id)).code).toBeDefined();
    await removeMember(context, { organizationId, userId: leaver.id });
    expect((await silently(browser, client.id)).error).toBe('interaction_required');

    const joiner = await addUser([]);
    const joining = (await obtainTokens(client, joiner.email)).browser;
    expect((await silently(joining, client.id)).code).toBeDefined();
    const organization = await createOrganization(context, { name: 'First' });
    await addMember(context, { organizationId: organization.id, userId: joiner.id });
    expect((await silently(joining, client.id)).error).toBe('interaction_required');
  });

  it('asks again after a grant of the client was revoked, by any actor', async () => {
    const client = await addClient();
    const isAsked = async (browser: ReturnType<typeof visitor>) =>
      (await browser.visit(authorizePath(client.id))).status === 200;

    const { browser, body } = await obtainTokens(client, (await addUser()).email);
    expect(await isAsked(browser)).toBe(false);
    await post('/v1/oauth2/revoke', { ...client.credentials, token: body.access_token });
    expect(await isAsked(browser)).toBe(false);
    await post('/v1/oauth2/revoke', { ...client.credentials, token: body.refresh_token });
    expect(await isAsked(browser)).toBe(true);

    const again = await obtainTokens(client, (await addUser()).email);
    expect(await isAsked(again.browser)).toBe(false);
    const headers = { authorization: `Bearer ${again.body.access_token}` };
    const { items } = (await send('/v1/oauth2/grants', { headers })).body;
    await send(`/v1/oauth2/grants/${items[0].id}`, { method: 'DELETE', headers });
    expect(await isAsked(again.browser)).toBe(true);
  });

  it('always asks for a public client that any program on the machine could imitate (RFC 8252 §8.6)', async () => {
    const user = await addUser();
    const loopback = 'http://127.0.0.1:4711/callback';
    const native = await addClient({ kind: 'public', redirectUris: ['http://127.0.0.1/callback'] });
    const { browser } = await obtainTokens(native, user.email, { redirect_uri: loopback });
    const again = await browser.visit(authorizePath(native.id, { redirect_uri: loopback }));
    expect(heading(again)).toBe('Allow Client?');
    const silent = await browser.visit(authorizePath(native.id, { redirect_uri: loopback, prompt: 'none' }));
    expect(answerIn(silent.url).error).toBe('consent_required');
    const web = await addClient({ kind: 'public' });
    const second = await obtainTokens(web, user.email);
    expect((await second.browser.visit(authorizePath(web.id))).status).toBe(302);
  });

  it('shows no page with prompt=none, and answers which prompt would be needed', async () => {
    const client = await addClient();
    const silent = (change = {}) => authorizePath(client.id, { prompt: 'none', ...change });
    expect(answerIn((await visitor().visit(silent())).url).error).toBe('login_required');
    const user = await addUser();
    const fresh = await signedIn(user.email);
    expect(answerIn((await fresh.visit(silent())).url).error).toBe('consent_required');
    const { browser } = await obtainTokens(client, user.email);
    expect(answerIn((await browser.visit(silent())).url).code).toMatch(/^dl_test_ac_/);
    service.clock.advanceSeconds(61);
    expect(answerIn((await browser.visit(silent({ max_age: '60' }))).url).error).toBe('login_required');
    expect(answerIn((await browser.visit(silent({ max_age: '61' }))).url).code).toBeDefined();
  });

  it.each([{ prompt: 'login' }, { max_age: '0' }, { prompt: 'login consent' }])(
    'asks for the password again with %j, and then continues',
    async (change) => {
      const user = await addUser();
      const client = await addClient();
      const { browser } = await obtainTokens(client, user.email);
      service.clock.advanceSeconds(30);
      const page = await browser.visit(authorizePath(client.id, change));
      expect(heading(page)).toBe('Sign in');
      expect(fieldsOf(page, '/account/sign-in').email).toBe(user.email);
      const after = await signIn(browser, page, user.email);
      if (change.prompt === 'login consent') expect(heading(after)).toBe('Allow Client?');
      else expect(answerIn(after.url).code).toBeDefined();
    },
  );

  it('logs neither codes nor states', async () => {
    const client = await addClient();
    const { code } = await obtainTokens(client, (await addUser()).email, { state: 'a-very-secret-state' });
    const log = service.logLines.join('');
    expect(log).toContain('"route":"/v1/oauth2/authorize"');
    expect(log).not.toContain(code);
    expect(log).not.toContain('a-very-secret-state');
  });
});
