import { beforeAll, expect, it } from 'vitest';
import { secretPrefix } from '../../../src/environments/environment.ts';
import { newCheckedSecret } from '../../../src/kernel/checked-secret.ts';
import { onPostgresFirst } from '../../support/database/databases.ts';
import { type Form, oauthCalls } from '../../support/oauth/oauth-calls.ts';
import { type Cast, createCast, type Player, RESOURCE } from '../../support/oauth/oauth-cast.ts';
import { startTestService, useTestService } from '../../support/service/test-service.ts';

onPostgresFirst('introspection (RFC 7662)', (engine) => {
  const service = useTestService(engine);
  const { post, send } = oauthCalls(service);
  let cast: Cast;
  beforeAll(async () => {
    cast = await createCast(service);
  });

  const introspectAs = ({ credentials }: Player, form: Record<string, string>) =>
    post('/v1/oauth2/introspect', { ...credentials, ...form });
  const seconds = (at: Date): number => Math.floor(at.getTime() / 1000);

  it('[oauth 25] returns exactly the eleven members of an active access token, in their types (§2.2)', async () => {
    const { access, accessToken } = await cast.tokensOf(cast.A);
    const { status, body } = await introspectAs(cast.A, { token: access });
    expect(status).toBe(200);
    expect(body).toEqual({
      active: true,
      client_id: cast.A.client.id,
      token_type: 'access_token',
      scope: cast.A.client.scopes.join(' '),
      sub_type: 'user',
      sub: cast.user.id,
      organizations: [cast.organization.id],
      aud: cast.A.client.id,
      iss: service.urls.sandbox,
      exp: seconds(accessToken.expiresAt),
      iat: seconds(accessToken.issuedAt),
    });
    expect([body.exp, body.iat].every(Number.isInteger)).toBe(true);
  });

  it('[oauth 25] returns the organization as the subject of a client’s own token', async () => {
    const issued = await post('/v1/oauth2/token', {
      ...cast.A.credentials,
      grant_type: 'client_credentials',
    });
    const { body } = await introspectAs(cast.A, { token: issued.body.access_token });
    const organization = cast.A.client.organizationId;
    expect(body).toMatchObject({
      sub_type: 'organization',
      sub: organization,
      organizations: [organization],
    });
    expect(body.scope).not.toMatch(/openid|profile|email/);
    expect(issued.body.refresh_token).toBeUndefined();
  });

  it('[oauth 26] marks a refresh token as one, with its own exp (§2.2)', async () => {
    const { refresh, refreshToken } = await cast.tokensOf(cast.A);
    const now = service.clock.now();
    // Its access token has long expired by then.
    service.clock.advanceSeconds(7200);
    const { body } = await introspectAs(cast.A, { token: refresh });
    service.clock.set(now);
    expect(body).toMatchObject({
      active: true,
      token_type: 'refresh_token',
      exp: seconds(refreshToken.expiresAt),
    });
  });

  it('[oauth 27] has one answer for every inactive token, equal in each byte and header (§2.2)', async () => {
    const revoked = (await cast.tokensOf(cast.A)).access;
    await post('/v1/oauth2/revoke', { ...cast.A.credentials, token: revoked });
    const foreign = (await cast.tokensOf(cast.B)).access;
    const expired = (await cast.tokensOf(cast.A)).access;
    const unknown = newCheckedSecret(secretPrefix('sandbox', 'at'));
    const now = service.clock.now();
    const answers = [];
    for (const token of [revoked, foreign, unknown, 'garbage', `${unknown}x`, `dl_at_${'0'.repeat(38)}`])
      answers.push(await introspectAs(cast.A, { token }));
    service.clock.advanceSeconds(3600);
    answers.push(await introspectAs(cast.A, { token: expired }));
    service.clock.set(now);
    const comparable = answers.map(({ status, text, headers }) => {
      const kept = [...headers].filter(([name]) => !['date', 'x-request-id'].includes(name));
      return JSON.stringify([status, text, kept]);
    });
    expect(answers[0]).toMatchObject({ status: 200, text: '{"active":false}' });
    expect(new Set(comparable).size).toBe(1);
  });

  it('[oauth 28] counts a token as expired at the very second of exp (§4)', async () => {
    const { access, accessToken } = await cast.tokensOf(cast.A);
    const now = service.clock.now();
    service.clock.set(new Date(accessToken.expiresAt.getTime() - 1));
    expect((await introspectAs(cast.A, { token: access })).body.active).toBe(true);
    service.clock.set(accessToken.expiresAt);
    expect((await introspectAs(cast.A, { token: access })).body).toEqual({ active: false });
    service.clock.set(now);
  });

  it('[oauth 29] finds the token under any hint, right or wrong (§2.1)', async () => {
    const { access } = await cast.tokensOf(cast.A);
    for (const token_type_hint of ['access_token', 'refresh_token', 'foo'])
      expect((await introspectAs(cast.A, { token: access, token_type_hint })).body.active).toBe(true);
  });

  it('[oauth 30] requires an authenticated client (§2.1)', async () => {
    const { access } = await cast.tokensOf(cast.A);
    const { status, body } = await post('/v1/oauth2/introspect', { token: access });
    expect([status, body.error]).toEqual([401, 'invalid_client']);
  });

  it('[oauth 31] rejects a public client (§4)', async () => {
    const { access } = await cast.tokensOf(cast.P);
    for (const credentials of [cast.P.credentials, { ...cast.P.credentials, client_secret: 'x' }]) {
      const { status, body } = await post('/v1/oauth2/introspect', { ...credentials, token: access });
      expect([status, body.error]).toEqual([401, 'invalid_client']);
    }
  });

  it('[oauth 32] reports a token active only to its client and to the resource server of its audience (§4)', async () => {
    const own = await cast.tokensOf(cast.A);
    const forR = await cast.tokensOf(cast.A, RESOURCE);
    const sees = async (player: Player, token: string): Promise<boolean> =>
      (await introspectAs(player, { token })).body.active;
    expect([
      await sees(cast.A, own.access),
      await sees(cast.B, own.access),
      await sees(cast.R, own.access),
    ]).toEqual([true, false, false]);
    expect([await sees(cast.A, forR.access), await sees(cast.B, forR.access)]).toEqual([true, false]);
    expect((await introspectAs(cast.R, { token: forR.access })).body).toMatchObject({
      active: true,
      aud: RESOURCE,
      sub: cast.user.id,
    });
  });

  it('[oauth 33] rejects a wrong secret even for an unknown token (§2.3)', async () => {
    const { status, body } = await introspectAs(cast.A, { token: 'garbage', client_secret: 'wrong' });
    expect([status, body.error]).toEqual([401, 'invalid_client']);
  });

  it('[oauth 34] requires the token exactly once: missing and repeated are 400 (§2.1)', async () => {
    const twice = `${new URLSearchParams({ ...cast.A.credentials, token: 'x' })}&token=y`;
    for (const answer of [await introspectAs(cast.A, {}), await post('/v1/oauth2/introspect', twice)])
      expect([answer.status, answer.body.error]).toEqual([400, 'invalid_request']);
  });

  it('[oauth 35] accepts POST only, and a token in the query is not logged (§4)', async () => {
    const { access } = await cast.tokensOf(cast.A);
    const query = new URLSearchParams({ ...cast.A.credentials, token: access });
    const { status, headers } = await send(`/v1/oauth2/introspect?${query}`, { method: 'GET' });
    expect([status, headers.get('allow')]).toEqual([405, 'POST']);
    await expect
      .poll(() => service.logLines.filter((line) => line.includes('"status":405')).length)
      .toBeGreaterThan(0);
    expect(service.logLines.join('')).not.toContain(access);
    expect(service.logLines.join('')).not.toContain(cast.A.credentials.client_secret);
  });

  it('[oauth 36] accepts forms only: JSON, multipart or no type are rejected in OAuth’s error shape (§2.1)', async () => {
    const json = JSON.stringify({ ...cast.A.credentials, token: 'x' });
    for (const [contentType, text] of [
      ['application/json', json],
      ['text/plain', json],
      ['multipart/form-data; boundary=x', '--x--'],
      ['', json],
    ] as const) {
      const { status, body } = await send('/v1/oauth2/introspect', {
        method: 'POST',
        headers: contentType ? { 'content-type': contentType } : {},
        body: Buffer.from(text),
      });
      expect([400, 415]).toContain(status);
      expect(Object.keys(body).sort()).toEqual(['error', 'error_description']);
      expect(body.error).toBe('invalid_request');
    }
  });

  it('[oauth 45] takes the same time for an unknown, a foreign and a revoked token', async () => {
    const foreign = (await cast.tokensOf(cast.B)).access;
    const revoked = (await cast.tokensOf(cast.A)).access;
    await post('/v1/oauth2/revoke', { ...cast.A.credentials, token: revoked });
    const kinds = [newCheckedSecret(secretPrefix('sandbox', 'at')), foreign, revoked];
    const spent: number[][] = kinds.map(() => []);
    // In turn, so that other load on the machine affects all of them alike.
    for (let round = 0; round < 150; round += 1) {
      for (const [index, token] of kinds.entries()) {
        const startedAt = performance.now();
        await introspectAs(cast.A, { token });
        spent[index]?.push(performance.now() - startedAt);
      }
    }
    const medians = spent.map((times) => times.sort((one, other) => one - other)[75] as number);
    // All three do the same work, one look-up: a ratio, not a time.
    expect(Math.max(...medians) / Math.min(...medians)).toBeLessThan(1.6);
  }, 120_000);
});

onPostgresFirst('the throttle of client authentication', (engine) => {
  it('[oauth 43] [oauth 55] starts after 20 failures per client and address; other clients and correct look-ups never wait', async () => {
    const service = await startTestService(engine, { DATELINE_TRUSTED_PROXIES: '127.0.0.1' });
    const { post } = oauthCalls(service);
    const { A, B } = await createCast(service);
    const from = (address: string) => ({ 'x-forwarded-for': address });
    const guess = (address: string, credentials = { ...A.credentials, client_secret: 'guess' }) =>
      post('/v1/oauth2/introspect', { ...credentials, token: 'x' }, from(address));
    for (let count = 0; count < 20; count += 1) expect((await guess('192.0.2.1')).status).toBe(401);
    const slowed = await guess('192.0.2.1');
    expect([slowed.status, slowed.body.error]).toEqual([429, 'too_many_requests']);
    expect(Number(slowed.headers.get('retry-after'))).toBeGreaterThan(0);
    expect((await guess('192.0.2.2', A.credentials as never)).status).toBe(200);
    expect((await guess('192.0.2.1', B.credentials as never)).status).toBe(200);
    for (let count = 0; count < 50; count += 1)
      expect((await guess('192.0.2.3', B.credentials as never)).text).toBe('{"active":false}');
    service.clock.advanceSeconds(60);
    expect((await guess('192.0.2.1')).status).toBe(401);
    await service.stop();
  });

  it('[outside 7] lets good credentials pass from an address that has guessed too often, at every endpoint', async () => {
    const service = await startTestService(engine);
    const { post } = oauthCalls(service);
    const { A } = await createCast(service);
    const asking = { grant_type: 'client_credentials', token: 'x' };
    const paths = ['introspect', 'revoke', 'token'];
    const statuses = async (form: Form) =>
      Promise.all(
        paths.map(async (path) => (await post(`/v1/oauth2/${path}`, { ...asking, ...form })).status),
      );
    for (let count = 0; count < 7; count += 1) await statuses({ ...A.credentials, client_secret: 'guess' });
    expect(await statuses({ ...A.credentials, client_secret: 'guess' })).toEqual([429, 429, 429]);
    expect(await statuses(A.credentials)).toEqual([200, 200, 200]);
    await service.stop();
  });
});
