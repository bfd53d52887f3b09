import { expect, it } from 'vitest';
import { knownScopes, scopes } from '../../src/oauth/scopes/scopes.ts';
import { authorization, authorizePath } from '../support/authorization.ts';
import { current, deprecated, next } from '../support/build-versions.ts';
import { onPostgresFirst } from '../support/databases.ts';
import { oauthCalls } from '../support/oauth-calls.ts';
import { useTestService } from '../support/test-service.ts';

onPostgresFirst('OpenID Connect in Next', (engine) => {
  const service = useTestService(engine);
  const { send, post } = oauthCalls(service);
  const { addUser, addClient, signedIn, obtainTokens } = authorization(service);

  const register = (version: string, metadata = {}) =>
    send('/v1/oauth2/register', {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'service-version': version },
      body: JSON.stringify({ redirect_uris: ['https://app.test/'], ...metadata }),
    });

  it('lets clients register offline_access, by name and not in older versions', async () => {
    for (const version of [deprecated, current]) {
      const { status, body } = await register(version, { scope: 'openid offline_access' });
      expect([status, body.error]).toEqual([400, 'invalid_client_metadata']);
      expect(body.error_description).not.toContain('offline_access');
    }
    const named = await register(next, { scope: 'openid offline_access' });
    expect([named.status, named.body.scope]).toEqual([201, 'openid offline_access']);
    expect((await register(next)).body.scope).toBe(scopes.join(' '));
  });

  it('grants offline_access only where it is named, after people have read what it means', async () => {
    const client = await addClient({ scopes: knownScopes });
    const user = await addUser();
    const browser = await signedIn(user.email);
    const page = await browser.visit(authorizePath(client.id, { scope: 'openid offline_access' }));
    expect(page.text).toContain('Keep this access while you are away');
    const unnamed = await obtainTokens(client, user.email, { scope: '' });
    expect(unnamed.body.scope.split(' ')).toEqual([...scopes]);
    const named = await obtainTokens(client, user.email, { scope: 'openid offline_access' });
    expect(named.body.scope).toBe('openid offline_access');
  });

  it('issues refresh tokens by the registered grant types, with offline_access or without', async () => {
    const { email } = await addUser();
    const withRefresh = await addClient({ scopes: knownScopes });
    const without = await addClient({ scopes: knownScopes, allowedGrants: ['authorization_code'] });
    for (const scope of ['openid', 'openid offline_access']) {
      expect((await obtainTokens(withRefresh, email, { scope })).body).toHaveProperty('refresh_token');
      expect((await obtainTokens(without, email, { scope })).body).not.toHaveProperty('refresh_token');
    }
  });

  it('gives a client for itself no offline_access', async () => {
    const client = await addClient({ scopes: knownScopes, allowedGrants: ['client_credentials'] });
    const form = { grant_type: 'client_credentials', ...client.credentials };
    expect((await post('/v1/oauth2/token', form)).body.scope).not.toContain('offline_access');
    const asked = await post('/v1/oauth2/token', { ...form, scope: 'offline_access' });
    expect(asked.body.error).toBe('invalid_scope');
  });
});
