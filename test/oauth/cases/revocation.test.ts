import { beforeAll, expect, it } from 'vitest';
import { secretPrefix } from '../../../src/environments/environment.ts';
import { newCheckedSecret } from '../../../src/kernel/checked-secret.ts';
import { issueCode } from '../../../src/oauth/authorize/codes/issue-code.ts';
import { onPostgresFirst } from '../../support/database/databases.ts';
import { oauthCalls } from '../../support/oauth/oauth-calls.ts';
import { type Cast, createCast, type Player } from '../../support/oauth/oauth-cast.ts';
import { useTestService } from '../../support/service/test-service.ts';

onPostgresFirst('revocation (RFC 7009)', (engine) => {
  const service = useTestService(engine);
  const { post, send } = oauthCalls(service);
  let cast: Cast;
  beforeAll(async () => {
    cast = await createCast(service);
  });

  const revokeAs = ({ credentials }: Player, form: Record<string, string>) =>
    post('/v1/oauth2/revoke', { ...credentials, ...form });
  const isActive = async (token: string, { credentials }: Player = cast.A): Promise<boolean> =>
    (await post('/v1/oauth2/introspect', { ...credentials, token })).body.active;
  const refresh = (token: string, { credentials }: Player = cast.A) =>
    post('/v1/oauth2/token', { ...credentials, grant_type: 'refresh_token', refresh_token: token });

  it('[oauth 1] makes an access token inactive at once, and answers 200 {} (§2.1)', async () => {
    const { access } = await cast.tokensOf(cast.A);
    expect(await isActive(access)).toBe(true);
    const { status, text, headers } = await revokeAs(cast.A, { token: access });
    expect([status, text, headers.get('content-type')]).toEqual([
      200,
      '{}',
      'application/json; charset=utf-8',
    ]);
    expect(await isActive(access)).toBe(false);
  });

  it('[oauth 2] accepts a refresh token, which then refreshes nothing (§2)', async () => {
    const tokens = await cast.tokensOf(cast.A);
    expect((await revokeAs(cast.A, { token: tokens.refresh })).status).toBe(200);
    const { status, body } = await refresh(tokens.refresh);
    expect([status, body.error]).toEqual([400, 'invalid_grant']);
  });

  it('[oauth 3] finds an access token under the hint refresh_token (§2.1)', async () => {
    const { access } = await cast.tokensOf(cast.A);
    expect((await revokeAs(cast.A, { token: access, token_type_hint: 'refresh_token' })).status).toBe(200);
    expect(await isActive(access)).toBe(false);
  });

  it('[oauth 4] finds a refresh token under the hint access_token (§2.1)', async () => {
    const tokens = await cast.tokensOf(cast.A);
    expect((await revokeAs(cast.A, { token: tokens.refresh, token_type_hint: 'access_token' })).status).toBe(
      200,
    );
    expect(await isActive(tokens.refresh)).toBe(false);
  });

  it('[oauth 5] treats an empty hint as none, and rejects an unknown one with the list of hints', async () => {
    const { access } = await cast.tokensOf(cast.A);
    const refused = await revokeAs(cast.A, { token: access, token_type_hint: 'foo' });
    expect([refused.status, refused.body]).toEqual([
      400,
      {
        error: 'invalid_request',
        error_description: 'token_type_hint must be one of access_token, refresh_token.',
      },
    ]);
    expect(await isActive(access)).toBe(true);
    expect((await revokeAs(cast.A, { token: access, token_type_hint: '' })).status).toBe(200);
    expect(await isActive(access)).toBe(false);
  });

  it('[oauth 6] ends every access token of the grant with its refresh token (§2.1)', async () => {
    const tokens = await cast.tokensOf(cast.A);
    const second = (await refresh(tokens.refresh)).body;
    await revokeAs(cast.A, { token: second.refresh_token });
    for (const token of [tokens.access, second.access_token, second.refresh_token])
      expect(await isActive(token)).toBe(false);
  });

  it('[oauth 7] leaves the refresh token active when an access token is revoked (§2.1)', async () => {
    const tokens = await cast.tokensOf(cast.A);
    await revokeAs(cast.A, { token: tokens.access });
    expect(await isActive(tokens.refresh)).toBe(true);
    expect((await refresh(tokens.refresh)).status).toBe(200);
  });

  it('[oauth 8] answers 200 for an unknown token (§2.2)', async () => {
    const unknown = newCheckedSecret(secretPrefix('sandbox', 'at'));
    const { status, text } = await revokeAs(cast.A, { token: unknown });
    expect([status, text]).toEqual([200, '{}']);
  });

  it('[oauth 10] answers 200 for an expired token (§2.2)', async () => {
    const { access } = await cast.tokensOf(cast.A);
    const now = service.clock.now();
    service.clock.advanceSeconds(3600);
    const { status, text } = await revokeAs(cast.A, { token: access });
    service.clock.set(now);
    expect([status, text]).toEqual([200, '{}']);
  });

  it('[oauth 11] never fails for a string that is no token: malformed, huge, NUL, not ASCII', async () => {
    for (const token of ['x', ' ', 'ä€😀', 'x'.repeat(100_000)]) {
      expect((await revokeAs(cast.A, { token })).status).toBe(200);
    }
    const { client_id, client_secret } = cast.A.credentials;
    const credentials = `client_id=${client_id}&client_secret=${client_secret}`;
    for (const token of ['%00', '%ff', '%', '%zz', '\u00ff'])
      expect((await post('/v1/oauth2/revoke', `token=x${token}&${credentials}`)).status).toSatisfy(
        (status: number) => status === 200 || status === 400,
      );
    const tooLarge = await revokeAs(cast.A, { token: 'x'.repeat(1_000_000) });
    expect([tooLarge.status, tooLarge.body.error]).toEqual([413, 'invalid_request']);
  });

  it('[oauth 12] rejects another client’s live token and leaves it active; a dead one is 200 (§2.1)', async () => {
    const { access, refresh: refreshValue } = await cast.tokensOf(cast.A);
    for (const token of [access, refreshValue]) {
      const { status, body } = await revokeAs(cast.B, { token });
      expect([status, body.error]).toEqual([400, 'invalid_grant']);
      expect(await isActive(token)).toBe(true);
    }
    await revokeAs(cast.A, { token: refreshValue });
    for (const token of [access, refreshValue]) expect((await revokeAs(cast.B, { token })).status).toBe(200);
  });

  it('[oauth 13] requires a token: missing and empty are 400 invalid_request (§2.1)', async () => {
    const answers = [await revokeAs(cast.A, {}), await revokeAs(cast.A, { token: '' })];
    for (const { status, body } of answers)
      expect([status, body]).toEqual([
        400,
        { error: 'invalid_request', error_description: 'token is missing.' },
      ]);
  });

  it('[oauth 14] rejects a repeated token parameter (RFC 6749 §3.2)', async () => {
    const { access } = await cast.tokensOf(cast.A);
    const form = new URLSearchParams({ ...cast.A.credentials, token: access });
    const { status, body } = await post('/v1/oauth2/revoke', `${form}&token=${access}`);
    expect([status, body.error, body.error_description]).toEqual([
      400,
      'invalid_request',
      'token is given more than once.',
    ]);
    expect(await isActive(access)).toBe(true);
  });

  it('[oauth 15] rejects a missing or wrong secret, and leaves the token active (§2.1)', async () => {
    const { access } = await cast.tokensOf(cast.A);
    const { client_id = '', client_secret = '' } = cast.A.credentials;
    for (const credentials of [
      { client_id: 'cli_0000000000000000000000', client_secret },
      { client_id, client_secret: 'wrong' },
      { client_id },
      { client_secret },
      {},
    ]) {
      const { status, body } = await post('/v1/oauth2/revoke', { ...credentials, token: access } as never);
      expect([status, body.error]).toEqual([401, 'invalid_client']);
    }
    expect(await isActive(access)).toBe(true);
  });

  it('[oauth 20] leaves no active token when a refresh token is refreshed and revoked at once, 200 times', async () => {
    for (let round = 0; round < 200; round += 20) {
      const survivors = await Promise.all(
        Array.from({ length: 20 }, async () => {
          const tokens = await cast.tokensOf(cast.A);
          const [refreshed] = await Promise.all([
            refresh(tokens.refresh),
            revokeAs(cast.A, { token: tokens.refresh }),
          ]);
          expect([200, 400]).toContain(refreshed.status);
          const values = [
            tokens.access,
            tokens.refresh,
            refreshed.body.access_token,
            refreshed.body.refresh_token,
          ];
          const alive = await Promise.all(values.filter(Boolean).map((value) => isActive(value)));
          return alive.filter(Boolean).length;
        }),
      );
      expect(survivors).toEqual(survivors.map(() => 0));
    }
  }, 120_000);

  it('[oauth 21] answers 200 for an authorization code and reveals nothing', async () => {
    const codeValue = await issueCode(cast.sandbox, {
      clientId: cast.A.client.id,
      userId: cast.user.id,
      organizationIds: [],
      scopes: ['openid'],
      audience: cast.A.client.id,
      redirectUri: 'https://a.example.com/callback',
      codeChallenge: 'x'.repeat(43),
      nonce: null,
      authenticatedAt: service.clock.now(),
    });
    const { status, text } = await revokeAs(cast.A, { token: codeValue });
    expect([status, text]).toEqual([200, '{}']);
  });

  it('[oauth 22] accepts POST only: GET is 405 with Allow, and the token in the query stays active (§2)', async () => {
    const { access } = await cast.tokensOf(cast.A);
    const query = new URLSearchParams({ ...cast.A.credentials, token: access });
    const { status, headers, body } = await send(`/v1/oauth2/revoke?${query}`, { method: 'GET' });
    expect([status, headers.get('allow'), body.error]).toEqual([405, 'POST', 'invalid_request']);
    expect(await isActive(access)).toBe(true);
  });

  it('[oauth 23] may be called from any origin, without the browser’s credentials (§2.3)', async () => {
    const { access } = await cast.tokensOf(cast.A);
    const { headers } = await post(
      '/v1/oauth2/revoke',
      { ...cast.A.credentials, token: access },
      { origin: 'https://app.example' },
    );
    expect(headers.get('access-control-allow-origin')).toBe('*');
    expect(headers.get('access-control-allow-credentials')).toBeNull();
  });
});
