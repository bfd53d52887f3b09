import { expect, it } from 'vitest';
import { newProduct } from '../support/contracts/products.ts';
import { onPostgresFirst } from '../support/database/databases.ts';
import {
  answerIn,
  authorization,
  authorizePath,
  CALLBACK,
  createPkce,
} from '../support/oauth/authorization.ts';
import { oauthCalls } from '../support/oauth/oauth-calls.ts';
import { current, next } from '../support/service/build-versions.ts';
import { operatorCalls } from '../support/service/operator-calls.ts';
import { useTestService } from '../support/service/test-service.ts';

const GRANTED = 'products:write openid email products:read';

onPostgresFirst('a scope that is taken from a client', (engine) => {
  const service = useTestService(engine);
  const { addUser, addClient, obtainTokens, signedIn, allow, exchange } = authorization(service);
  const { post, send } = oauthCalls(service);
  const operator = operatorCalls(service);

  type Client = Awaited<ReturnType<typeof addClient>>;

  async function allowOnly(client: Client, ...scopes: string[]): Promise<void> {
    const { status, text } = await operator.ask('PATCH', `/operator/clients/${client.id}`, { scopes });
    if (status !== 200) throw new Error(text);
  }
  const giveBack = (client: Client) => allowOnly(client, ...GRANTED.split(' '));

  /** A client with tokens of a user, and calls with them. */
  async function stage() {
    const user = await addUser();
    const client = await addClient();
    await giveBack(client);
    const { body } = await obtainTokens(client, user.email, { scope: GRANTED });
    expect(body.scope).toBe(GRANTED);
    const { access_token: access, refresh_token: refresh } = body as Record<string, string>;
    const introspected = async (token = '') =>
      (await post('/v1/oauth2/introspect', { ...client.credentials, token })).body;
    const call = (path: string, init: RequestInit = {}, version: string = next) =>
      send(path, {
        ...init,
        headers: {
          authorization: `Bearer ${access}`,
          'service-version': version,
          'content-type': 'application/json',
        },
      });
    const create = () => call('/v1/products/', { method: 'POST', body: JSON.stringify(newProduct) });
    const renew = (refresh_token = refresh ?? '', form = {}) =>
      post('/v1/oauth2/token', {
        grant_type: 'refresh_token',
        refresh_token,
        ...client.credentials,
        ...form,
      });
    return { user, client, access, refresh, introspected, call, create, renew };
  }

  it('[outside2 6] is gone from its tokens at once, in the order in which they were granted, and back with it', async () => {
    const { client, access, refresh, introspected, call, create } = await stage();
    const bulk = async () =>
      (
        await call('/v1/oauth2/introspections', {
          method: 'POST',
          body: JSON.stringify({ ...client.credentials, tokens: [access, refresh] }),
        })
      ).body.introspections.map(({ scope }: { scope: string }) => scope);
    const email = async () => (await call('/v1/oauth2/userinfo')).body.email !== undefined;
    expect([(await create()).status, await email()]).toEqual([201, true]);

    await allowOnly(client, 'openid', 'products:read', 'profile');
    for (const token of [access, refresh])
      expect(await introspected(token)).toMatchObject({ active: true, scope: 'openid products:read' });
    expect(await bulk()).toEqual(['openid products:read', 'openid products:read']);
    const refused = await create();
    expect([refused.status, refused.body.code]).toEqual([403, 'insufficient_scope']);
    expect([(await call('/v1/products/')).status, await email()]).toEqual([200, false]);
    const explained = await operator.post('/operator/tokens/explain', { token: access });
    expect(explained.body).toMatchObject({
      state: 'active',
      message: 'It is active, without the scopes that its client may not have any more.',
    });

    await giveBack(client);
    for (const token of [access, refresh]) expect((await introspected(token)).scope).toBe(GRANTED);
    expect([(await create()).status, await email()]).toEqual([201, true]);
  });

  it('[outside2 6] leaves tokens that had no other active with an empty scope, and of no use at the API', async () => {
    const { client, access, introspected, call, renew } = await stage();
    const statuses = async () => [
      (await call('/v1/products/')).status,
      // Here any scope would do.
      (await call('/v1/products/', {}, current)).status,
      (await call('/v1/oauth2/userinfo', {}, current)).status,
    ];
    expect(await statuses()).toEqual([200, 200, 200]);
    await allowOnly(client, 'profile');
    expect(await introspected(access)).toMatchObject({ active: true, scope: '' });
    expect(await statuses()).toEqual([403, 403, 403]);
    expect((await call('/v1/products/', {}, current)).headers.get('www-authenticate')).toBe(
      'Bearer realm="dateline", error="insufficient_scope"',
    );
    expect((await renew()).body).toMatchObject({ error: 'invalid_scope' });
    await giveBack(client);
    expect(await statuses()).toEqual([200, 200, 200]);
    expect((await renew()).body.scope).toBe(GRANTED);
  });

  it('[outside2 6] is not granted at a refresh, nor repeated, and is not lost by one', async () => {
    const { client, renew, introspected } = await stage();
    const first = await renew();
    expect(first.body.scope).toBe(GRANTED);
    await allowOnly(client, 'openid', 'products:read');
    const repeated = await renew();
    expect(repeated.body.refresh_token).toBe(first.body.refresh_token);
    expect(repeated.body.scope).toBe('openid products:read');
    expect((await renew(first.body.refresh_token, { scope: 'products:write' })).body.error).toBe(
      'invalid_scope',
    );
    const second = await renew(first.body.refresh_token);
    expect(second.body.scope).toBe('openid products:read');
    await giveBack(client);
    // This access token was never granted more; the refresh token was.
    expect((await introspected(second.body.access_token)).scope).toBe('openid products:read');
    expect((await renew(second.body.refresh_token)).body.scope).toBe(GRANTED);
  });

  it('[outside2 6] is not granted for a code from before', async () => {
    const { client, user } = await stage();
    const { verifier, challenge } = createPkce();
    const browser = await signedIn(user.email);
    const page = await browser.visit(
      authorizePath(client.id, { scope: GRANTED, code_challenge: challenge, prompt: 'consent' }),
    );
    const { code = '' } = answerIn((await allow(browser, page)).url);
    await allowOnly(client, 'products:read', 'openid');
    const form = { ...client.credentials, code, redirect_uri: CALLBACK, code_verifier: verifier };
    expect((await exchange(form)).body.scope).toBe('openid products:read');
    await allowOnly(client, 'openid');
    // The answer of the code is repeated, as if it had been lost.
    expect((await exchange(form)).body).toMatchObject({ scope: 'openid', access_token: expect.any(String) });
  });

  it('[outside2 6] counts also where the client gives it up itself', async () => {
    const metadata = (scope: string) =>
      JSON.stringify({ grant_types: ['client_credentials'], client_name: 'Own', scope });
    const registered = await send('/v1/oauth2/register', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: metadata('products:read products:write'),
    });
    const { client_id, client_secret, registration_access_token: key } = registered.body;
    const credentials = { client_id, client_secret };
    const { body } = await post('/v1/oauth2/token', { grant_type: 'client_credentials', ...credentials });
    const replace = (scope: string) =>
      send(`/v1/oauth2/register/${client_id}`, {
        method: 'PUT',
        headers: { 'content-type': 'application/json', authorization: `Bearer ${key}` },
        body: JSON.stringify({ ...JSON.parse(metadata(scope)), client_id }),
      });
    const scope = async () =>
      (await post('/v1/oauth2/introspect', { ...credentials, token: body.access_token })).body.scope;
    expect(await scope()).toBe('products:read products:write');
    expect((await replace('products:write')).status).toBe(200);
    expect(await scope()).toBe('products:write');
    expect((await replace('products:write products:read')).status).toBe(200);
    expect(await scope()).toBe('products:read products:write');
  });
});
