import { createLocalJWKSet, decodeJwt, decodeProtectedHeader, jwtVerify } from 'jose';
import { expect, it } from 'vitest';
import { knownScopes } from '../../src/oauth/scopes/scopes.ts';
import { signingAlgorithms } from '../../src/oauth/types.ts';
import { onPostgresFirst } from '../support/database/databases.ts';
import { authorization, authorizePath, CALLBACK } from '../support/oauth/authorization.ts';
import { oauthCalls } from '../support/oauth/oauth-calls.ts';
import { REDIRECT_URI, signInDemoUser } from '../support/oauth/sign-in.ts';
import { maintained, next, versionsBefore } from '../support/service/build-versions.ts';
import { operatorCalls } from '../support/service/operator-calls.ts';
import { useTestService } from '../support/service/test-service.ts';

const { all, usual: scopes } = knownScopes();

onPostgresFirst('OpenID Connect since 2027-01', (engine) => {
  const service = useTestService(engine);
  const { send, post, demo } = oauthCalls(service);
  const { addUser, addClient, signedIn, obtainTokens } = authorization(service);

  const register = (version: string, metadata = {}) =>
    send('/v1/oauth2/register', {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'service-version': version },
      body: JSON.stringify({ redirect_uris: ['https://app.test/'], ...metadata }),
    });

  async function claimsIn(version: string, scope: string) {
    const { user, ...signedIn } = await signInDemoUser(service, { scopes: scope.split(' ') });
    const form = { code: signedIn.code, code_verifier: signedIn.codeVerifier, redirect_uri: REDIRECT_URI };
    const { status, body } = await post(
      '/v1/oauth2/token',
      { ...demo(), grant_type: 'authorization_code', ...form },
      { 'service-version': version },
    );
    expect(status).toBe(200);
    const { name, preferred_username, email, email_verified, sub } = decodeJwt(body.id_token);
    expect(sub).toBe(user.id);
    return { name, preferred_username, email, email_verified };
  }

  it('[outside2 24] puts name, username and address into the id_token of a token request, as far as granted', async () => {
    const address = { email: service.quickstart.sandbox.user_email, email_verified: false };
    expect(await claimsIn(next, 'openid')).toEqual({});
    expect(await claimsIn(next, 'openid profile')).toEqual({ name: 'Demo user' });
    expect(await claimsIn(next, 'openid email')).toEqual(address);
    expect(await claimsIn(next, 'openid profile email')).toEqual({
      name: 'Demo user',
      preferred_username: address.email,
      ...address,
    });
  });

  it('leaves them to userinfo in older versions', async () => {
    for (const version of versionsBefore('2027-01'))
      expect(await claimsIn(version, 'openid profile email')).toEqual({});
  });

  it.each(maintained)('[outside2 22] lists every algorithm that id_tokens have in %s', async (version) => {
    const headers = { 'service-version': version };
    const { body } = await send('/.well-known/openid-configuration', { headers });
    const { email } = await addUser();
    for (const idTokenAlgorithm of signingAlgorithms) {
      const client = await addClient({ idTokenAlgorithm });
      const { body: tokens } = await obtainTokens(client, email, {}, headers);
      expect(decodeProtectedHeader(tokens.id_token).alg).toBe(idTokenAlgorithm);
      expect(body.id_token_signing_alg_values_supported).toContain(idTokenAlgorithm);
    }
  });

  const asItself = (version: string, client: { registration_access_token: string }) => ({
    'content-type': 'application/json',
    'service-version': version,
    authorization: `Bearer ${client.registration_access_token}`,
  });

  it('signs the id_tokens of a client as it has registered: with ES256, unless it names RS256', async () => {
    const usual = await register(next);
    expect(usual.body.id_token_signed_response_alg).toBe('ES256');
    const { email } = await addUser();
    for (const alg of ['ES256', 'RS256'] as const) {
      const { status, body } = await register(next, {
        redirect_uris: [CALLBACK],
        id_token_signed_response_alg: alg,
      });
      expect([status, body.id_token_signed_response_alg]).toEqual([201, alg]);
      const { client_id, client_secret } = body;
      const tokens = await obtainTokens({ id: client_id, credentials: { client_id, client_secret } }, email);
      const keys = (await send('/.well-known/jwks.json', {})).body;
      const { payload, protectedHeader } = await jwtVerify(tokens.body.id_token, createLocalJWKSet(keys), {
        currentDate: service.clock.now(),
        algorithms: [alg],
      });
      expect([payload.aud, protectedHeader.alg]).toEqual([client_id, alg]);
    }
    const refused = await register(next, { id_token_signed_response_alg: 'none' });
    expect([refused.status, refused.body.error]).toEqual([400, 'invalid_client_metadata']);
  });

  it('keeps what was registered when an older version, which cannot say it, replaces the rest', async () => {
    const { body: client } = await register(next, { id_token_signed_response_alg: 'RS256' });
    const path = `/v1/oauth2/register/${client.client_id}`;
    const metadata = { client_id: client.client_id, redirect_uris: ['https://app.test/'] };
    const replace = async (version: string, more = {}) =>
      (
        await send(path, {
          method: 'PUT',
          headers: asItself(version, client),
          body: JSON.stringify({ ...metadata, ...more }),
        })
      ).body;
    const read = async () =>
      (await send(path, { headers: asItself(next, client) })).body.id_token_signed_response_alg;
    for (const version of versionsBefore('2027-01')) {
      expect(await replace(version, { id_token_signed_response_alg: 'ES256' })).not.toHaveProperty(
        'id_token_signed_response_alg',
      );
      expect(await read()).toBe('RS256');
    }
    expect((await replace(next)).id_token_signed_response_alg).toBe('ES256');
    expect(await read()).toBe('ES256');
  });

  it('ignores the algorithm at a registration in older versions, as any field that they do not know', async () => {
    for (const version of versionsBefore('2027-01')) {
      const { status, body } = await register(version, { id_token_signed_response_alg: 'RS256' });
      expect([status, 'id_token_signed_response_alg' in body]).toEqual([201, false]);
      const shown = await send(`/v1/oauth2/register/${body.client_id}`, { headers: asItself(next, body) });
      expect(shown.body.id_token_signed_response_alg).toBe('ES256');
    }
  });

  it('signs the id_tokens of a client as its operator has set it, and the client may choose otherwise', async () => {
    const { ask, createClient } = operatorCalls(service);
    const made = await createClient({ redirect_uris: [CALLBACK], id_token_signed_response_alg: 'RS256' });
    const { email } = await addUser();
    const algorithmOf = async () => {
      const credentials = { client_id: made.id, client_secret: made.client_secret };
      const { body } = await obtainTokens({ id: made.id, credentials }, email, { prompt: 'consent' });
      return decodeProtectedHeader(body.id_token).alg;
    };
    expect([made.id_token_signed_response_alg, await algorithmOf()]).toEqual(['RS256', 'RS256']);
    const path = `/operator/clients/${made.id}`;
    const changed = await ask('PATCH', path, { id_token_signed_response_alg: 'ES256' });
    expect([changed.status, await algorithmOf()]).toEqual([200, 'ES256']);
    const refused = await ask('PATCH', path, { id_token_signed_response_alg: 'none' });
    expect([refused.status, refused.body.detail]).toEqual([
      422,
      'id_token_signed_response_alg must be one of ES256, RS256.',
    ]);
    const { body: own } = await register(next);
    await ask('PATCH', `/operator/clients/${own.client_id}`, { id_token_signed_response_alg: 'RS256' });
    const replacing = { client_id: own.client_id, redirect_uris: ['https://app.test/'] };
    const replaced = await send(`/v1/oauth2/register/${own.client_id}`, {
      method: 'PUT',
      headers: asItself(next, own),
      body: JSON.stringify(replacing),
    });
    expect([replaced.status, replaced.body.id_token_signed_response_alg]).toEqual([200, 'ES256']);
  });

  it('lets clients register offline_access, by name and not in older versions', async () => {
    for (const version of versionsBefore('2027-01')) {
      const { status, body } = await register(version, { scope: 'openid offline_access' });
      expect([status, body.error]).toEqual([400, 'invalid_client_metadata']);
      expect(body.error_description).not.toContain('offline_access');
    }
    const named = await register(next, { scope: 'openid offline_access' });
    expect([named.status, named.body.scope]).toEqual([201, 'openid offline_access']);
    expect((await register(next)).body.scope).toBe(scopes.join(' '));
  });

  it('grants offline_access only where it is named, after people have read what it means', async () => {
    const client = await addClient({ scopes: all });
    const user = await addUser();
    const browser = await signedIn(user.email);
    const page = await browser.visit(authorizePath(client.id, { scope: 'openid offline_access' }));
    expect(page.text).toContain('Keep this access while you are away');
    const unnamed = await obtainTokens(client, user.email, { scope: '' });
    expect(unnamed.body.scope.split(' ')).toEqual(scopes);
    const named = await obtainTokens(client, user.email, { scope: 'openid offline_access' });
    expect(named.body.scope).toBe('openid offline_access');
  });

  it('issues refresh tokens by the registered grant types, with offline_access or without', async () => {
    const { email } = await addUser();
    const withRefresh = await addClient({ scopes: all });
    const without = await addClient({ scopes: all, allowedGrants: ['authorization_code'] });
    for (const scope of ['openid', 'openid offline_access']) {
      expect((await obtainTokens(withRefresh, email, { scope })).body).toHaveProperty('refresh_token');
      expect((await obtainTokens(without, email, { scope })).body).not.toHaveProperty('refresh_token');
    }
  });

  it('gives a client for itself no offline_access', async () => {
    const client = await addClient({ scopes: all, allowedGrants: ['client_credentials'] });
    const form = { grant_type: 'client_credentials', ...client.credentials };
    expect((await post('/v1/oauth2/token', form)).body.scope).not.toContain('offline_access');
    const asked = await post('/v1/oauth2/token', { ...form, scope: 'offline_access' });
    expect(asked.body.error).toBe('invalid_scope');
  });
});
