import { describe, expect, it } from 'vitest';
import { onPostgresFirst } from '../../support/database/databases.ts';
import {
  answerIn,
  authorization,
  authorizePath,
  CALLBACK,
  createPkce,
} from '../../support/oauth/authorization.ts';
import { oauthCalls } from '../../support/oauth/oauth-calls.ts';
import { maintained, next, versionsBefore } from '../../support/service/build-versions.ts';
import { useTestService } from '../../support/service/test-service.ts';

onPostgresFirst('authorizing', (engine) => {
  const service = useTestService(engine);
  const { environment: _environment, addUser, addClient, visitor, ...flow } = authorization(service);
  const { post, send } = oauthCalls(service);
  const { exchange, obtainTokens, signedIn, allow } = flow;

  const loopback = 'http://127.0.0.1/callback';
  const addPublicClient = () => addClient({ kind: 'public', redirectUris: [loopback] });
  const tokensOf = async (client: Awaited<ReturnType<typeof addClient>>, email: string) =>
    obtainTokens(client, email, { redirect_uri: client.redirectUris[0] ?? '' });

  const bearer = (token: string, version = '') => ({
    headers: { authorization: `Bearer ${token}`, ...(version === '' ? {} : { 'service-version': version }) },
  });
  const opens = async (token: string): Promise<boolean> =>
    (await send('/v1/oauth2/grants', bearer(token))).status === 200;
  const firstGrantOf = async (token: string): Promise<string> =>
    (await send('/v1/oauth2/grants', bearer(token))).body.items[0].id;

  it('[oauth 16] a public client revokes by its id alone in Next (RFC 7009 §2.1)', async () => {
    const client = await addPublicClient();
    const { body } = await tokensOf(client, (await addUser()).email);
    const form = { token: body.refresh_token, client_id: client.id };
    const revoked = await post('/v1/oauth2/revoke', form, { 'service-version': next });
    expect([revoked.status, revoked.text]).toEqual([200, '{}']);
    expect(await opens(body.access_token)).toBe(false);
  });

  it('[oauth 16] a confidential client needs its secret to revoke in Next', async () => {
    const client = await addClient();
    const { body } = await tokensOf(client, (await addUser()).email);
    const form = { token: body.refresh_token, client_id: client.id };
    const refused = await post('/v1/oauth2/revoke', form, { 'service-version': next });
    expect([refused.status, refused.body.error]).toEqual([401, 'invalid_client']);
    expect(await opens(body.access_token)).toBe(true);
  });

  it('[oauth 16] a public client is rejected at revoke in older versions, and ends its grant by its access token in all', async () => {
    const client = await addPublicClient();
    for (const version of versionsBefore('2027-01')) {
      const { body } = await tokensOf(client, (await addUser()).email);
      const form = { token: body.refresh_token, client_id: client.id };
      const refused = await post('/v1/oauth2/revoke', form, { 'service-version': version });
      expect([refused.status, refused.body.error]).toEqual([401, 'invalid_client']);
      expect(await opens(body.access_token)).toBe(true);
    }
    for (const version of maintained) {
      const { body } = await tokensOf(client, (await addUser()).email);

      const id = await firstGrantOf(body.access_token);
      const ended = await send(`/v1/oauth2/grants/${id}`, {
        method: 'DELETE',
        ...bearer(body.access_token, version),
      });
      expect([ended.status, ended.text]).toEqual([204, '']);
      expect(await opens(body.access_token)).toBe(false);
      const again = await exchange({
        grant_type: 'refresh_token',
        client_id: client.id,
        refresh_token: body.refresh_token,
      });
      expect([again.status, again.body.error]).toEqual([400, 'invalid_grant']);
    }
  });

  it('[oauth 17] a public client cannot revoke another client’s token', async () => {
    const theirs = (await tokensOf(await addClient(), (await addUser()).email)).body;
    const client = await addPublicClient();
    const own = (await tokensOf(client, (await addUser()).email)).body;
    for (const version of maintained) {
      const isOlder = versionsBefore('2027-01').includes(version);
      const answer = isOlder ? [401, 'invalid_client'] : [400, 'invalid_grant'];
      const form = { token: theirs.refresh_token, client_id: client.id };
      const refused = await post('/v1/oauth2/revoke', form, { 'service-version': version });
      expect([refused.status, refused.body.error]).toEqual(answer);
    }
    const id = await firstGrantOf(theirs.access_token);
    for (const version of maintained) {
      const ending = { method: 'DELETE', ...bearer(own.access_token, version) };
      const { status } = await send(`/v1/oauth2/grants/${id}`, ending);
      expect([404, 403]).toContain(status);
    }
    expect(await opens(theirs.access_token)).toBe(true);
  });

  describe('a request by POST (OpenID Connect Core §3.1.2.1)', () => {
    const AUTHORIZE = '/v1/oauth2/authorize';
    const posting = (clientId: string, change: Record<string, string> = {}) =>
      Object.fromEntries(new URL(authorizePath(clientId, change), 'http://any.test').searchParams);

    it('goes on as the same request by GET in Next, also where another site posts it', async () => {
      const client = await addClient();
      const { verifier, challenge } = createPkce();
      const browser = await signedIn((await addUser()).email);
      const form = posting(client.id, { code_challenge: challenge });
      const fromElsewhere = { origin: 'https://app.test', 'sec-fetch-site': 'cross-site' };
      const page = await browser.post(AUTHORIZE, form, { ...fromElsewhere, 'service-version': next });
      const answer = answerIn((await allow(browser, page)).url);
      expect(answer).toMatchObject({ state: 'the state' });
      const { status } = await exchange({
        ...client.credentials,
        code: answer.code ?? '',
        redirect_uri: CALLBACK,
        code_verifier: verifier,
      });
      expect(status).toBe(200);
      // Such a post carries no cookie of ours: a new one would end the session.
      const posted = await send(AUTHORIZE, {
        method: 'POST',
        redirect: 'manual',
        headers: { 'service-version': next },
        body: new URLSearchParams(form),
      });
      expect([posted.status, posted.headers.get('set-cookie')]).toEqual([303, null]);
    });

    it.each(versionsBefore('2027-01'))('is 405 in %s, which promised GET alone', async (version) => {
      const { id } = await addClient();
      const { status, headers } = await visitor().post(AUTHORIZE, posting(id), {
        'service-version': version,
      });
      expect([status, headers.get('allow')]).toEqual([405, 'GET']);
    });
  });

  describe('[oauth 58] a code', () => {
    async function obtainCode(parameters: Record<string, string> = {}) {
      const client = await addClient();
      const { verifier, challenge } = createPkce();
      const browser = await signedIn((await addUser()).email);
      const page = await browser.visit(
        authorizePath(client.id, { code_challenge: challenge, ...parameters }),
      );
      const { code = '' } = answerIn((await allow(browser, page)).url);
      const form = { ...client.credentials, code, redirect_uri: CALLBACK, code_verifier: verifier };
      return { client, form };
    }

    const refusal = async (form: Record<string, string>) => {
      const { status, body } = await exchange(form);
      return [status, body.error];
    };

    it('is rejected for the wrong client, and still valid for the right one', async () => {
      const { form } = await obtainCode();
      const other = await addClient();
      expect(await refusal({ ...form, ...other.credentials })).toEqual([400, 'invalid_grant']);
      expect((await exchange(form)).status).toBe(200);
    });

    it('is rejected with the wrong redirect_uri, and without the one that was named', async () => {
      const { form } = await obtainCode();
      const { redirect_uri: _named, ...without } = form;
      expect(await refusal({ ...form, redirect_uri: `${CALLBACK}/` })).toEqual([400, 'invalid_grant']);
      expect(await refusal(without)).toEqual([400, 'invalid_grant']);
    });

    it('needs no redirect_uri where none was named (RFC 6749 §4.1.3)', async () => {
      const { form } = await obtainCode({ redirect_uri: '' });
      const { redirect_uri: _named, ...without } = form;
      expect(await refusal({ ...form, redirect_uri: `${CALLBACK}/` })).toEqual([400, 'invalid_grant']);
      expect((await exchange(without)).status).toBe(200);
    });

    it('is rejected once it has expired, at the second of its end', async () => {
      const { form } = await obtainCode();
      service.clock.advanceSeconds(60);
      expect(await refusal(form)).toEqual([400, 'invalid_grant']);
    });

    it('is rejected when it is used again, and the tokens of the first use are revoked', async () => {
      const { form } = await obtainCode();
      const { body } = await exchange(form);
      expect(await opens(body.access_token)).toBe(true);
      expect(await refusal(form)).toEqual([400, 'invalid_grant']);
      expect(await opens(body.access_token)).toBe(false);
    });
  });

  it('[oauth 61] no other client gets a code or token without PKCE, and plain is rejected', async () => {
    for (const client of [await addClient(), await addClient({ kind: 'public' })]) {
      for (const change of [
        { code_challenge: '', code_challenge_method: '' },
        { code_challenge: '' },
        { code_challenge_method: '' },
        { code_challenge_method: 'plain' },
        { code_challenge: 'too-short' },
      ]) {
        const { url } = await visitor().visit(authorizePath(client.id, change));
        expect(url.startsWith(CALLBACK)).toBe(true);
        expect(answerIn(url)).toMatchObject({ error: 'invalid_request', state: 'the state' });
      }
    }
  });

  describe('[oauth 61] a confidential client that was registered without PKCE', () => {
    const none = { code_challenge: '', code_challenge_method: '' };
    async function codeOf(change: Record<string, string> = none, version = '') {
      const client = await addClient({ requiresPkce: false });
      const browser = await signedIn((await addUser()).email);
      const headers = version === '' ? {} : { 'service-version': version };
      const page = await browser.visit(authorizePath(client.id, change), headers);
      const { code = '' } = answerIn((await allow(browser, page)).url);
      return { ...client.credentials, code, redirect_uri: CALLBACK };
    }

    it.each(maintained)('gets a code and tokens in %s', async (version) => {
      const { status, body } = await exchange(await codeOf(none, version));
      expect([status, await opens(body.access_token)]).toEqual([200, true]);
    });

    it('has a challenge that it sends checked as ever', async () => {
      const { verifier, challenge } = createPkce();
      const form = await codeOf({ code_challenge: challenge });
      for (const wrong of [{}, { code_verifier: createPkce().verifier }]) {
        const { status, body } = await exchange({ ...form, ...wrong });
        expect([status, body.error]).toEqual([400, 'invalid_grant']);
      }
      expect((await exchange({ ...form, code_verifier: verifier })).status).toBe(200);
      const { id } = await addClient({ requiresPkce: false });
      for (const change of [{ code_challenge: '' }, { code_challenge_method: 'plain' }]) {
        const { url } = await visitor().visit(authorizePath(id, change));
        expect(answerIn(url).error).toBe('invalid_request');
      }
    });

    it('[oauth 62] is rejected with a verifier where it sent no challenge (RFC 9700 §4.8.2)', async () => {
      const form = await codeOf();
      const { status, body } = await exchange({ ...form, code_verifier: createPkce().verifier });
      expect([status, body.error]).toEqual([400, 'invalid_grant']);
      expect((await exchange(form)).status).toBe(200);
    });
  });

  it('[oauth 62] a verifier is rejected where no challenge was sent', async () => {
    const client = await addClient();
    const browser = await signedIn((await addUser()).email);
    const { url } = await browser.visit(
      authorizePath(client.id, { code_challenge: '', code_challenge_method: '' }),
    );
    expect(answerIn(url).code).toBeUndefined();
    const { verifier, challenge } = createPkce();
    const page = await browser.visit(authorizePath(client.id, { code_challenge: challenge }));
    const { code = '' } = answerIn((await allow(browser, page)).url);
    const form = { ...client.credentials, code, redirect_uri: CALLBACK };
    expect((await exchange(form)).body.error).toBe('invalid_request');
    expect((await exchange({ ...form, code_verifier: createPkce().verifier })).body.error).toBe(
      'invalid_grant',
    );
    expect((await exchange({ ...form, code_verifier: verifier })).status).toBe(200);
  });

  it('[oauth 63] a verifier that is wrong, too short or too long is rejected', async () => {
    const client = await addClient();
    const browser = await signedIn((await addUser()).email);
    const { challenge } = createPkce();
    const page = await browser.visit(authorizePath(client.id, { code_challenge: challenge }));
    const { code = '' } = answerIn((await allow(browser, page)).url);
    const form = { ...client.credentials, code, redirect_uri: CALLBACK };
    const errorWith = async (code_verifier: string) =>
      (await exchange({ ...form, code_verifier })).body.error;
    expect(await errorWith('x'.repeat(43))).toBe('invalid_grant');
    expect(await errorWith('x'.repeat(128))).toBe('invalid_grant');
    expect(await errorWith('x'.repeat(42))).toBe('invalid_request');
    expect(await errorWith('x'.repeat(129))).toBe('invalid_request');
    expect(await errorWith('é'.repeat(43))).toBe('invalid_request');
  });

  describe('[oauth 68] redirect_uri', () => {
    const statusFor = async (registered: string[], asked: string) => {
      const client = await addClient({ redirectUris: registered });
      const { status, url } = await visitor().visit(
        authorizePath(client.id, { redirect_uri: asked, response_type: 'x' }),
      );
      return { status, sentAway: !url.startsWith(service.urls.sandbox) };
    };

    it.each([
      [CALLBACK, CALLBACK],
      [loopback, 'http://127.0.0.1:51004/callback'],
      ['http://[::1]/callback', 'http://[::1]:51004/callback'],
      ['http://127.0.0.1:8080/callback', loopback],
      ['com.example.app:/callback', 'com.example.app:/callback'],
    ])('%s allows %s', async (registered, asked) => {
      expect(await statusFor([registered], asked)).toEqual({ status: 302, sentAway: true });
    });

    it.each([
      [CALLBACK, `${CALLBACK}/`],
      [CALLBACK, `${CALLBACK}?x=1`],
      [CALLBACK, 'https://APP.test/callback'],
      [CALLBACK, 'https://app.test:443/callback'],
      [CALLBACK, 'http://app.test/callback'],
      [CALLBACK, 'https://app.test/callback/../evil'],
      [CALLBACK, 'https://app.test@evil.test/callback'],
      [loopback, 'http://127.0.0.1:80@evil.test/callback'],
      [loopback, 'http://127.0.0.1:99999/callback'],
      [loopback, 'http://127.0.0.1:51004/callback#x'],
      [loopback, 'http://127.0.0.2:51004/callback'],
      [loopback, 'http://localhost:51004/callback'],
      [loopback, 'http://[::1]:51004/callback'],
      [loopback, 'https://127.0.0.1:51004/callback'],
      ['http://app.test/callback', 'http://app.test:8080/callback'],
    ])('%s does not allow %s: an error page without a redirect', async (registered, asked) => {
      expect(await statusFor([registered], asked)).toEqual({ status: 400, sentAway: false });
    });

    it('may be omitted by a client that has one, not by a client that has several or none', async () => {
      const missing = async (redirectUris: string[]) => {
        const { id } = await addClient({ redirectUris });
        return (await visitor().visit(authorizePath(id, { redirect_uri: '', response_type: 'x' }))).status;
      };
      expect([await missing([CALLBACK]), await missing([CALLBACK, loopback]), await missing([])]).toEqual([
        302, 400, 400,
      ]);
    });
  });

  it('[oauth 69] there is no password grant and no implicit grant', async () => {
    const client = await addClient();
    const { email } = await addUser();
    const password = await exchange({
      ...client.credentials,
      grant_type: 'password',
      username: email,
      password: 'x',
    });
    expect([password.status, password.body.error]).toEqual([400, 'unsupported_grant_type']);
    for (const response_type of ['token', 'id_token', 'id_token token', 'code token', 'code id_token']) {
      const { url } = await visitor().visit(authorizePath(client.id, { response_type }));
      expect(answerIn(url)).toMatchObject({ error: 'unsupported_response_type', state: 'the state' });
      expect(url).not.toContain('#');
    }
  });

  it('[oauth 70] every answer names its issuer (RFC 9207), and a token is valid for its audience only', async () => {
    const audience = 'https://api.test/';
    await addClient({ kind: 'resource_server', audiences: [audience] });
    const client = await addClient();
    const browser = await signedIn((await addUser()).email);
    const refused = await browser.visit(authorizePath(client.id, { scope: 'nonsense' }));
    expect(answerIn(refused.url).iss).toBe(service.urls.sandbox);
    const unknown = await browser.visit(authorizePath(client.id, { resource: 'https://unknown.test/' }));
    expect(answerIn(unknown.url)).toMatchObject({ error: 'invalid_target', iss: service.urls.sandbox });

    const { verifier, challenge } = createPkce();
    const page = await browser.visit(
      authorizePath(client.id, { code_challenge: challenge, resource: audience }),
    );
    const answer = answerIn((await allow(browser, page)).url);
    expect(Object.keys(answer).sort()).toEqual(['code', 'iss', 'state']);
    expect(answer).toMatchObject({ state: 'the state', iss: service.urls.sandbox });

    const form = { ...client.credentials, code: answer.code ?? '', redirect_uri: CALLBACK };
    const { body } = await exchange({ ...form, code_verifier: verifier });
    const introspected = await post('/v1/oauth2/introspect', {
      ...client.credentials,
      token: body.access_token,
    });
    expect(introspected.body).toMatchObject({ active: true, aud: audience, iss: service.urls.sandbox });
    expect(await opens(body.access_token)).toBe(false);
  });
});
