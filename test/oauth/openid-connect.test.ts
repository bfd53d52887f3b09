import { createHash } from 'node:crypto';
import { decodeJwt, decodeProtectedHeader } from 'jose';
import { expect, it } from 'vitest';
import { grantToUser } from '../../src/oauth/grants/grants.ts';
import type { Scope } from '../../src/oauth/scopes/scopes.ts';
import { issueAccessToken } from '../../src/oauth/tokens/issue-token.ts';
import { statement } from '../../src/storage/statement.ts';
import { onPostgresFirst } from '../support/database/databases.ts';
import { runAsAdmin } from '../support/database/run-as-admin.ts';
import { oauthCalls } from '../support/oauth/oauth-calls.ts';
import { REDIRECT_URI, signInDemoUser } from '../support/oauth/sign-in.ts';
import { maintained, versionsBefore } from '../support/service/build-versions.ts';
import { useTestService } from '../support/service/test-service.ts';

const USED = statement('used_codes', 'select 1 from {schema}.oauth_codes where used_at is not null');
const BREAK = statement('break_secret_key', `update {schema}.secret_key set active_id = 'ffffffffffffffff'`);

onPostgresFirst('OpenID Connect', (engine) => {
  const service = useTestService(engine);
  const { token, send } = oauthCalls(service);
  const seconds = (at: Date): number => Math.floor(at.getTime() / 1000);

  const exchange = ({ code, codeVerifier }: { code: string; codeVerifier: string }) =>
    token({
      grant_type: 'authorization_code',
      code,
      code_verifier: codeVerifier,
      redirect_uri: REDIRECT_URI,
    });
  const userinfo = (accessToken: string, init: RequestInit = {}) =>
    send('/v1/oauth2/userinfo', {
      ...init,
      headers: { authorization: `Bearer ${accessToken}`, ...init.headers },
    });
  async function accessTokenWith(scopes: readonly Scope[], audience?: string): Promise<string> {
    const { sandbox, client, user } = await signInDemoUser(service);
    const organizationIds = [client.organizationId];
    const named = audience === undefined ? {} : { audience };
    const grant = await grantToUser(sandbox, { client, userId: user.id, organizationIds, scopes, ...named });
    return (await issueAccessToken(sandbox, grant)).tokenValue;
  }

  it('identifies the user, the time and the audience of a sign-in in an id_token', async () => {
    const authenticatedAt = new Date(service.clock.now().getTime() - 90_500);
    const scopes: Scope[] = ['openid', 'products:read'];
    const signedIn = await signInDemoUser(service, { scopes, nonce: 'n-0S6_WzA2Mj', authenticatedAt });
    const { status, body } = await exchange(signedIn);
    expect(status).toBe(200);
    const now = seconds(service.clock.now());
    expect(decodeJwt(body.id_token)).toEqual({
      iss: service.urls.sandbox,
      sub: signedIn.user.id,
      aud: signedIn.client.id,
      exp: now + 3_600,
      iat: now,
      auth_time: seconds(authenticatedAt),
      nonce: 'n-0S6_WzA2Mj',
      at_hash: createHash('sha256').update(body.access_token).digest().subarray(0, 16).toString('base64url'),
    });
    expect(decodeProtectedHeader(body.id_token)).toEqual({
      alg: 'ES256',
      typ: 'JWT',
      kid: expect.stringMatching(/^sgk_/),
    });
  });

  it('issues no id_token without openid or for a refresh, and no nonce that was not sent', async () => {
    const plain = await exchange(await signInDemoUser(service, { scopes: ['products:read', 'email'] }));
    expect([plain.status, plain.body.id_token]).toEqual([200, undefined]);
    const signedIn = await exchange(await signInDemoUser(service));
    expect(decodeJwt(signedIn.body.id_token)).not.toHaveProperty('nonce');
    const refreshed = await token({
      grant_type: 'refresh_token',
      refresh_token: signedIn.body.refresh_token,
    });
    expect([refreshed.status, refreshed.body.id_token]).toEqual([200, undefined]);
  });

  it.each([
    [['openid'], ['sub']],
    [
      ['openid', 'profile'],
      ['sub', 'name'],
    ],
    [
      ['openid', 'email'],
      ['sub', 'email', 'email_verified'],
    ],
  ] as [Scope[], string[]][])('returns at userinfo with %j only %j', async (scopes, claims) => {
    const { status, body } = await userinfo(await accessTokenWith(scopes));
    expect([status, Object.keys(body)]).toEqual([200, claims]);
  });

  it('returns the same at userinfo by GET and POST, with the subject of the id_token', async () => {
    const { body: issued } = await exchange(await signInDemoUser(service));
    const { user_email: email } = service.quickstart.sandbox;
    const claims = { sub: decodeJwt(issued.id_token).sub, name: 'Demo user', email, email_verified: false };
    for (const version of maintained)
      for (const method of ['GET', 'POST']) {
        const headers = { 'service-version': version };
        const answer = await userinfo(issued.access_token, { method, headers });
        expect([answer.status, answer.headers.get('cache-control')]).toEqual([200, 'no-store']);
        const isOlder = versionsBefore('2027-01').includes(version);
        expect(answer.body).toEqual(isOlder ? claims : { ...claims, preferred_username: email });
      }
  });

  it('rejects at userinfo a token without the openid scope (RFC 6750 §3.1)', async () => {
    const own = (await token({ grant_type: 'client_credentials' })).body.access_token;
    const unscoped = await accessTokenWith(['profile', 'email']);
    for (const accessToken of [own, unscoped]) {
      const { status, headers, body } = await userinfo(accessToken);
      expect([status, body.error]).toEqual([403, 'insufficient_scope']);
      expect(headers.get('www-authenticate')).toBe(
        'Bearer realm="dateline", error="insufficient_scope", scope="openid"',
      );
    }
  });

  it('rejects at userinfo tokens that are malformed, of another kind or for another audience', async () => {
    const { refresh_token } = service.quickstart.sandbox;
    const foreign = await accessTokenWith(['openid'], 'https://reports.example.com');
    for (const accessToken of ['x', refresh_token, foreign]) {
      const { status, headers, body } = await userinfo(accessToken);
      expect([status, body.error]).toEqual([401, 'invalid_token']);
      expect(headers.get('www-authenticate')).toBe('Bearer realm="dateline", error="invalid_token"');
    }
    const without = await send('/v1/oauth2/userinfo', {});
    expect([without.status, without.headers.get('www-authenticate')]).toEqual([
      401,
      'Bearer realm="dateline"',
    ]);
    const inAddress = await send(`/v1/oauth2/userinfo?access_token=${await accessTokenWith(['openid'])}`, {});
    expect(inAddress.status).toBe(401);
  });

  it('keeps a code valid when the id_token cannot be signed: the whole answer, or nothing', async () => {
    const { sandbox, ...signedIn } = await signInDemoUser(service);
    const usedBefore = (await sandbox.session.run(USED, [])).length;
    await runAsAdmin(sandbox.database, 'delete from {schema}.oauth_signing_keys');
    await sandbox.session.run(BREAK, []);
    expect((await exchange(signedIn)).status).toBe(500);
    expect((await sandbox.session.run(USED, [])).length).toBe(usedBefore);
    const mended = (await service.operate('sandbox', '/operator/secret-key')).json() as Promise<{
      node_ids: string[];
    }>;
    const mend = statement(
      'mend_secret_key',
      `update {schema}.secret_key set active_id = '${(await mended).node_ids[0]}'`,
    );
    await sandbox.session.run(mend, []);
    expect((await exchange(signedIn)).status).toBe(200);
  });
});
