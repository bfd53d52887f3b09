import { beforeAll, describe, expect, it } from 'vitest';
import { createTokenRefresher } from '../../src/oauth/grants/refresh/refresh-token.ts';
import { statement } from '../../src/storage/statement.ts';
import { onPostgresFirst } from '../support/database/databases.ts';
import { authorization } from '../support/oauth/authorization.ts';
import { oauthCalls } from '../support/oauth/oauth-calls.ts';
import { type Cast, createCast } from '../support/oauth/oauth-cast.ts';
import { writtenDown } from '../support/run/written-down.ts';
import { startProxiedService } from '../support/service/proxied-service.ts';
import { useTestService } from '../support/service/test-service.ts';

onPostgresFirst('refreshing', (engine) => {
  const service = useTestService(engine, { DATELINE_TRUSTED_PROXIES: '127.0.0.1' });
  const { post } = oauthCalls(service);
  let cast: Cast;
  beforeAll(async () => {
    cast = await createCast(service);
  });

  const as = (path: string, form: Record<string, string>, from = '192.0.2.1') =>
    post(`/v1/oauth2/${path}`, { ...cast.A.credentials, ...form }, { 'x-forwarded-for': from });
  const refresh = (token: string, from?: string) =>
    as('token', { grant_type: 'refresh_token', refresh_token: token }, from);
  const revoke = (form: { token: string }) => as('revoke', form);
  const isActive = async (token: string): Promise<boolean> => (await as('introspect', { token })).body.active;
  const firstToken = async (): Promise<string> => (await cast.tokensOf(cast.A)).refresh;

  it('issues a new pair, and the old refresh token is inactive', async () => {
    const first = await firstToken();
    const { status, headers, body } = await refresh(first);
    expect([status, headers.get('cache-control'), headers.get('pragma')]).toEqual([
      200,
      'no-store',
      'no-cache',
    ]);
    expect(Object.keys(body).sort()).toEqual(
      ['access_token', 'expires_in', 'refresh_token', 'scope', 'token_type'].sort(),
    );
    expect([await isActive(body.access_token), await isActive(body.refresh_token)]).toEqual([true, true]);
    expect(await isActive(first)).toBe(false);
  });

  it('grants no more scopes than the client has by now', async () => {
    const { addUser, addClient, obtainTokens } = authorization(service);
    const client = await addClient({ scopes: ['products:read', 'products:write'] });
    const { email } = await addUser();
    const { body } = await obtainTokens(client, email, { scope: 'products:read products:write' });
    const allow = (scopes: string[]) =>
      service.operate('sandbox', `/operator/clients/${client.id}`, { method: 'PATCH', body: { scopes } });
    const again = (token: string) =>
      post('/v1/oauth2/token', {
        ...(client.credentials as Record<string, string>),
        grant_type: 'refresh_token',
        refresh_token: token,
      });
    expect((await allow(['products:read'])).status).toBe(200);
    const narrowed = (await again(body.refresh_token)).body;
    expect(narrowed.scope).toBe('products:read');
    expect((await allow(['organizations:read'])).status).toBe(200);
    const refused = await again(narrowed.refresh_token);
    expect([refused.status, refused.body.error]).toEqual([400, 'invalid_scope']);
    // The refresh token was not used up: an operator may restore the scopes.
    await allow(['products:read', 'products:write']);
    expect((await again(narrowed.refresh_token)).body.scope).toBe('products:read products:write');
  });

  it('is not throttled for a public client by failures in its name: it has no secret to guess', async () => {
    const { addUser, addClient, obtainTokens } = authorization(service);
    const client = await addClient({ kind: 'public' });
    const { body } = await obtainTokens(client, (await addUser()).email);
    const ask = (more: Record<string, string>) =>
      post('/v1/oauth2/token', {
        client_id: client.id,
        grant_type: 'refresh_token',
        refresh_token: body.refresh_token,
        ...more,
      });
    for (let count = 0; count < 20; count += 1) expect((await ask({ client_secret: 'x' })).status).toBe(401);
    expect((await ask({ client_secret: 'x' })).status).toBe(429);
    expect((await ask({})).status).toBe(200);
  });

  it('[oauth 65] issues the same successor to all concurrent requests: one chain, no fork', async () => {
    const first = await firstToken();
    const answers = await Promise.all(Array.from({ length: 10 }, () => refresh(first)));
    expect(new Set(answers.map(({ text }) => text)).size).toBe(1);
    expect(answers[0]?.status).toBe(200);
    const again = await refresh(first);
    expect(again.text).toBe(answers[0]?.text);
  });

  it('leaves nothing active of a grant that is revoked while its tokens are refreshed', async () => {
    const firsts = await Promise.all(Array.from({ length: 12 }, firstToken));
    const race = async (first: string, index: number) => {
      // Some were refreshed before: elsewhere the revocation may come first, every time.
      const before = index % 3 === 0 ? [await refresh(first)] : [];
      const answers = await Promise.all([
        refresh(first),
        refresh(first),
        revoke({ token: first }),
        refresh(first),
      ]);
      const refreshed = answers.map(({ body }) => body.refresh_token).filter(Boolean);
      const last = await Promise.all([
        ...refreshed.map((token) => refresh(token)),
        ...refreshed.map((token) => revoke({ token })),
      ]);
      return [...before, ...answers, ...last];
    };
    const answers = (await Promise.all(firsts.map(race))).flat();
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200, 400]));
    const tokens = answers.flatMap(({ body }) => [body.access_token, body.refresh_token]).filter(Boolean);
    expect(tokens).not.toEqual([]);
    expect(await Promise.all(tokens.map(isActive))).not.toContain(true);
  });

  it('[outside 15] [outside2 5] gets the same tokens again for ten minutes, while the successor is unused', async () => {
    const first = await firstToken();
    const { body: second, text } = await refresh(first);
    service.clock.advanceSeconds(20);
    expect((await refresh(first)).text).toBe(text);
    service.clock.advanceSeconds(579);
    const later = await refresh(first);
    expect([later.status, later.body]).toEqual([200, { ...second, expires_in: second.expires_in - 599 }]);
    expect((await refresh(second.refresh_token)).status).toBe(200);
  });

  it('[outside2 5] ends the grant when the old token comes ten minutes after its exchange', async () => {
    const first = await firstToken();
    const second = (await refresh(first)).body;
    service.clock.advanceSeconds(600);
    const late = await refresh(first);
    expect([late.status, late.body.error]).toEqual([400, 'invalid_grant']);
    expect([await isActive(second.access_token), await isActive(second.refresh_token)]).toEqual([
      false,
      false,
    ]);
  });

  describe('[outside2 5] a repeat', () => {
    async function repeatedFrom(...addresses: readonly string[]) {
      const { refresh: first, grant, refreshToken } = await cast.tokensOf(cast.A);
      expect((await refresh(first)).status).toBe(200);
      for (const address of addresses) expect((await refresh(first, address)).status).toBe(200);
      const recorded = async () =>
        (await writtenDown(cast.sandbox.session).audit('grant.refresh_repeated')).filter(
          ({ grant_id }) => grant_id === grant.id,
        );
      return { first, recorded, refreshToken };
    }

    it('is not recorded when it is the first, from the same address', async () => {
      const { recorded } = await repeatedFrom('192.0.2.1');
      expect(await recorded()).toEqual([]);
    });

    it('is recorded when it comes from another address, without an event', async () => {
      const before = await occurrences();
      const { recorded, refreshToken } = await repeatedFrom('192.0.2.2');
      expect(await recorded()).toMatchObject([
        {
          actor_type: 'client',
          actor_id: cast.A.client.id,
          token_id: refreshToken.id,
          user_id: cast.user.id,
          details: { repeats: 1, from_another_address: true },
        },
      ]);
      expect(await occurrences()).toBe(before);
    });

    it('is recorded when it is the second, and at most once a minute', async () => {
      const { first, recorded } = await repeatedFrom('192.0.2.1', '192.0.2.1', '192.0.2.2');
      const details = async () => (await recorded()).map((entry) => entry.details);
      expect(await details()).toEqual([{ repeats: 2, from_another_address: false }]);
      service.clock.advanceSeconds(60);
      expect((await refresh(first, '192.0.2.2')).status).toBe(200);
      expect(await details()).toEqual([
        { repeats: 2, from_another_address: false },
        { repeats: 4, from_another_address: true },
      ]);
    });

    it('counts on whichever node it comes', async () => {
      const { first, recorded } = await repeatedFrom('192.0.2.1');
      const onAnotherNode = createTokenRefresher(cast.sandbox, { find() {}, rotate() {} });
      const request = { client: cast.A.client, scope: undefined, resource: undefined, address: '192.0.2.1' };
      await onAnotherNode({ ...request, refreshTokenValue: first });
      const details = async () => (await recorded()).map((entry) => entry.details);
      expect(await details()).toEqual([{ repeats: 2, from_another_address: false }]);
      expect((await refresh(first)).status).toBe(200);
      expect(await details()).toHaveLength(1);
    });

    const COUNT = statement('count_occurrences', 'select count(*)::int as count from {schema}.occurrences');
    const occurrences = async () => (await cast.sandbox.session.run<{ count: number }>(COUNT, []))[0]?.count;
  });

  it('[outside 15] lets a repeat that is later than the use of the successor fail alone', async () => {
    const first = await firstToken();
    const second = (await refresh(first)).body;
    service.clock.advanceSeconds(599);
    expect((await refresh(first)).status).toBe(200);
    const third = (await refresh(second.refresh_token)).body;
    service.clock.advanceSeconds(59);
    expect((await refresh(first)).body.error).toBe('invalid_grant');
    expect(await isActive(third.refresh_token)).toBe(true);
  });

  it('[oauth 64] ends the whole grant when an old token comes after its successor was used and the grace is over', async () => {
    const first = await firstToken();
    const second = (await refresh(first)).body;
    const third = (await refresh(second.refresh_token)).body;
    service.clock.advanceSeconds(60);
    const reused = await refresh(first);
    expect([reused.status, reused.body.error]).toEqual([400, 'invalid_grant']);
    expect([await isActive(third.access_token), await isActive(third.refresh_token)]).toEqual([false, false]);
  });

  it('rejects the old token once the successor was used within the grace period, and revokes nothing', async () => {
    const first = await firstToken();
    const second = (await refresh(first)).body;
    const third = (await refresh(second.refresh_token)).body;
    const late = await refresh(first);
    expect([late.status, late.body.error]).toEqual([400, 'invalid_grant']);
    expect([await isActive(third.access_token), await isActive(third.refresh_token)]).toEqual([true, true]);
  });

  it('[outside2 28] refuses a repeat that asks for other scopes than the first, and revokes nothing', async () => {
    const narrowed = (token: string, scope: string) =>
      as('token', { grant_type: 'refresh_token', refresh_token: token, scope });
    const first = await firstToken();
    const { body: second, text } = await narrowed(first, 'products:read');
    expect(second.scope).toBe('products:read');
    for (const other of [await refresh(first), await narrowed(first, 'products:read products:write')])
      expect([other.status, other.body.error]).toEqual([400, 'invalid_grant']);
    expect((await narrowed(first, 'products:read')).text).toBe(text);
    expect((await refresh(second.refresh_token)).status).toBe(200);
  });

  it('[oauth 24] rejects a repeat after a revocation within the grace period', async () => {
    const first = await firstToken();
    const second = (await refresh(first)).body;
    expect((await revoke({ token: first })).status).toBe(200);
    expect([await isActive(second.access_token), await isActive(second.refresh_token)]).toEqual([
      false,
      false,
    ]);
    expect((await refresh(first)).body.error).toBe('invalid_grant');
  });
});

describe('a refresh whose commit is stored, but whose answer is held back', () => {
  it('[outside 15] is answered 503, and its retry gets tokens that work', async () => {
    const { running, proxy } = await startProxiedService();
    const { token, isActive } = oauthCalls(running);
    const { refresh_token } = running.quickstart.sandbox;
    const ask = () => token({ grant_type: 'refresh_token', refresh_token });
    proxy.holdAnswerTo('rotate_tokens');
    const unheard = await ask();
    expect([unheard.status, unheard.headers.get('retry-after')]).toEqual([503, expect.any(String)]);
    running.clock.advanceSeconds(20);
    const heard = await ask();
    expect(heard.status).toBe(200);
    expect(await isActive(heard.body.access_token)).toBe(true);
    expect(
      (await token({ grant_type: 'refresh_token', refresh_token: heard.body.refresh_token })).status,
    ).toBe(200);
  });
});
