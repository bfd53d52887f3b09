import { describe, expect, it } from 'vitest';
import { digestOf } from '../../src/kernel/digest.ts';
import { statement } from '../../src/storage/statement.ts';
import { onPostgresFirst } from '../support/database/databases.ts';
import { waitsOrIsOver } from '../support/database/waits-or-is-over.ts';
import { authorization } from '../support/oauth/authorization.ts';
import { type Form, oauthCalls } from '../support/oauth/oauth-calls.ts';
import { REDIRECT_URI, signInDemoUser } from '../support/oauth/sign-in.ts';
import { writtenDown } from '../support/run/written-down.ts';
import { next } from '../support/service/build-versions.ts';
import { startProxiedService } from '../support/service/proxied-service.ts';
import { serviceEnvironment } from '../support/service/service-environment.ts';
import { useTestService } from '../support/service/test-service.ts';

onPostgresFirst('exchanging a code', (engine) => {
  const service = useTestService(engine);
  const { post } = oauthCalls(service);

  type SignedIn = Awaited<ReturnType<typeof signInDemoUser>>;

  const credentials = () => {
    const { client_id, client_secret } = service.quickstart.sandbox;
    return { client_id, client_secret };
  };

  const exchange = ({ code, codeVerifier }: Pick<SignedIn, 'code' | 'codeVerifier'>, form: Form = {}) =>
    post('/v1/oauth2/token', {
      ...credentials(),
      grant_type: 'authorization_code',
      code,
      code_verifier: codeVerifier,
      redirect_uri: REDIRECT_URI,
      ...form,
    });

  const areActive = async (...tokens: string[]): Promise<boolean[]> => {
    const answers = await Promise.all(
      tokens.map((token) => post('/v1/oauth2/introspect', { ...credentials(), token })),
    );
    return answers.map(({ body }) => body.active);
  };

  it('gives each of many that arrive together tokens of its own', async () => {
    const signedIn = await Promise.all(Array.from({ length: 40 }, () => signInDemoUser(service)));
    const answers = await Promise.all(signedIn.map((each) => exchange(each)));
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200));
    const tokens = answers.flatMap(({ body }) => [body.access_token, body.refresh_token]);
    expect(new Set(tokens).size).toBe(80);
    expect(await areActive(...tokens)).toEqual(tokens.map(() => true));
    const metrics = await (await service.call('sandbox', '/metrics', operatorKey())).text();
    const [, calls] = /^dateline_batch_size_count\{[^}]*batch="use_codes"[^}]*\} (\d+)$/m.exec(metrics) ?? [];
    expect(Number(calls)).toBeLessThan(40);
  });

  const operatorKey = () => ({
    headers: { authorization: `Bearer ${service.quickstart.sandbox.operator_key}` },
  });

  it('[outside2 12] gives concurrent exchanges of the same code the same answer', async () => {
    const signedIn = await signInDemoUser(service);
    const answers = await Promise.all([1, 2, 3, 4].map(() => exchange(signedIn)));
    expect(new Set(answers.map(({ text }) => text)).size).toBe(1);
    const [{ status, body }] = answers as [(typeof answers)[number]];
    expect(status).toBe(200);
    expect(await areActive(body.access_token, body.refresh_token)).toEqual([true, true]);
  });

  /** A code that was exchanged, and what came of it. */
  async function exchanged(change: Parameters<typeof signInDemoUser>[1] = {}) {
    const signedIn = await signInDemoUser(service, change);
    const { status, text, body } = await exchange(signedIn);
    expect(status).toBe(200);
    return { signedIn, text, body };
  }

  const endsTheGrant = async ({ signedIn, body }: Awaited<ReturnType<typeof exchanged>>, form: Form = {}) => {
    const again = await exchange(signedIn, form);
    expect([again.status, again.body.error]).toEqual([400, 'invalid_grant']);
    expect(await areActive(body.access_token, body.refresh_token)).toEqual([false, false]);
  };

  it('[outside2 12] [oauth 58] repeats the answer while no token of it was used, until the grace is over', async () => {
    const first = await exchanged();
    service.clock.advanceSeconds(59);
    for (const form of [{}, { resource: first.signedIn.client.id }])
      expect((await exchange(first.signedIn, form)).text).toBe(first.text);
    service.clock.advanceSeconds(1);
    await endsTheGrant(first);
  });

  const END_GRANT = statement(
    'end_grant_of_code',
    `update {schema}.oauth_grants g set revoked_at = $2
     from {schema}.oauth_codes c where c.digest = $1 and g.id = c.grant_id`,
  );

  it('repeats nothing of a grant that is being ended: it waits for the end', async () => {
    const { signedIn } = await exchanged();
    const sandbox = await serviceEnvironment(service);
    let again: ReturnType<typeof exchange> | undefined;
    await sandbox.transaction(async ({ session }) => {
      await session.run(END_GRANT, [digestOf(signedIn.code), service.clock.now()]);
      again = exchange(signedIn);
      await waitsOrIsOver(sandbox, again);
    });
    expect((await again)?.body.error).toBe('invalid_grant');
  });

  it('ends nothing when the caller has hung up: its request was repeated elsewhere, and lay in a node that was frozen', async () => {
    const { signedIn, body } = await exchanged();
    const sandbox = await serviceEnvironment(service);
    expect(await areActive(body.access_token, body.refresh_token)).toEqual([true, true]);
    const hangUp = new AbortController();
    let late: Promise<unknown> | undefined;
    await sandbox.transaction(async ({ session }) => {
      await session.run(LOCK_CODE, [digestOf(signedIn.code)]);
      late = fetch(`${service.urls.sandbox}/v1/oauth2/token`, {
        method: 'POST',
        signal: hangUp.signal,
        body: new URLSearchParams({
          ...credentials(),
          grant_type: 'authorization_code',
          code: signedIn.code,
          code_verifier: signedIn.codeVerifier,
          redirect_uri: REDIRECT_URI,
        }),
      }).catch(() => {});
      await waitsOrIsOver(sandbox, late);
      hangUp.abort();
      await late;
      await turnOfTheServer();
    });
    // Whoever locks the code now comes after it.
    await sandbox.transaction(({ session }) => session.run(LOCK_CODE, [digestOf(signedIn.code)]));
    expect(await areActive(body.access_token, body.refresh_token)).toEqual([true, true]);
  });

  const LOCK_CODE = statement(
    'lock_code_in_a_test',
    'select 1 from {schema}.oauth_codes where digest = $1 for update',
  );

  /** The server has heard that a connection was closed. */
  const turnOfTheServer = () => service.call('sandbox', '/healthz');

  it('[outside2 12] repeats nothing to another client, and leaves the grant alone', async () => {
    const { signedIn, text } = await exchanged();
    const stranger = await authorization(service).addClient({ redirectUris: [REDIRECT_URI] });
    const foreign = await exchange(signedIn, stranger.credentials as Form);
    expect([foreign.status, foreign.body.error]).toEqual([400, 'invalid_grant']);
    expect((await exchange(signedIn)).text).toBe(text);
  });

  it.each([
    ['verifier', { code_verifier: 'x'.repeat(43) }],
    ['redirect_uri', { redirect_uri: `${REDIRECT_URI}/` }],
    ['resource', { resource: 'https://api.example.com' }],
  ])('[outside2 12] ends the grant of a code that comes again with another %s', async (_what, form) => {
    await endsTheGrant(await exchanged(), form);
  });

  it('[outside2 12] never repeats the answer to a code without a challenge', async () => {
    const client = await authorization(service).addClient({
      redirectUris: [REDIRECT_URI],
      requiresPkce: false,
    });
    const { code } = await signInDemoUser(service, {
      clientId: client.id,
      audience: client.id,
      codeChallenge: null,
    });
    const form = {
      ...(client.credentials as Form),
      grant_type: 'authorization_code',
      code,
      redirect_uri: REDIRECT_URI,
    };
    const { status, body } = await post('/v1/oauth2/token', form);
    expect(status).toBe(200);
    expect((await post('/v1/oauth2/token', form)).body.error).toBe('invalid_grant');
    const { status: refused } = await post('/v1/oauth2/token', {
      ...(client.credentials as Form),
      grant_type: 'refresh_token',
      refresh_token: body.refresh_token,
    });
    expect(refused).toBe(400);
  });

  const bearer = (token: string) => ({ headers: { authorization: `Bearer ${token}` } });
  const uses: [string, (tokens: { access_token: string; refresh_token: string }) => Promise<unknown>][] = [
    [
      'the access token was sent to the API',
      async ({ access_token }) =>
        expect((await service.call('sandbox', '/v1/products/', bearer(access_token))).status).toBe(200),
    ],
    [
      'the access token was introspected',
      async ({ access_token }) => expect(await areActive(access_token)).toEqual([true]),
    ],
    [
      'it was introspected among others',
      async ({ access_token }) => {
        const response = await service.call('sandbox', '/v1/oauth2/introspections', {
          method: 'POST',
          headers: { 'content-type': 'application/json', 'service-version': next },
          body: JSON.stringify({ ...credentials(), tokens: ['unknown', access_token] }),
        });
        expect(await response.json()).toMatchObject({
          introspections: [{ active: false }, { active: true }],
        });
      },
    ],
    [
      'the refresh token was used',
      async ({ refresh_token }) => expect((await refresh(refresh_token)).status).toBe(200),
    ],
    [
      'the access token was revoked',
      async ({ access_token }) =>
        expect((await post('/v1/oauth2/revoke', { ...credentials(), token: access_token })).status).toBe(200),
    ],
  ];
  it.each(uses)('[outside2 12] [oauth 58] ends the grant once %s', async (_what, use) => {
    const first = await exchanged();
    await use(first.body);
    await endsTheGrant(first);
  });

  const refresh = (token: string) =>
    post('/v1/oauth2/token', { ...credentials(), grant_type: 'refresh_token', refresh_token: token });

  it('revokes what a code was exchanged for when the code comes again, and says why', async () => {
    const signedIn = await signInDemoUser(service);
    const { body } = await exchange(signedIn);
    expect(await areActive(body.access_token, body.refresh_token)).toEqual([true, true]);
    const again = await exchange({ ...signedIn, codeVerifier: 'x'.repeat(43) });
    expect([again.status, again.body.error]).toEqual([400, 'invalid_grant']);
    expect(await areActive(body.access_token, body.refresh_token)).toEqual([false, false]);
    const actions = await writtenDown(signedIn.sandbox.session).audit('grant.revoked');
    expect(JSON.stringify(actions)).toContain('its authorization code was used twice');
  });

  it('uses nothing up when it is refused: a wrong verifier, redirect_uri or resource', async () => {
    const signedIn = await signInDemoUser(service);
    const wrongly = await exchange({ ...signedIn, codeVerifier: 'x'.repeat(43) });
    expect([wrongly.status, wrongly.body.error]).toEqual([400, 'invalid_grant']);
    for (const [wrong, error] of [
      [{ redirect_uri: 'http://127.0.0.1/other' }, 'invalid_grant'],
      [{ resource: 'https://api.example.com' }, 'invalid_target'],
    ] as const) {
      const form = { code: signedIn.code, code_verifier: signedIn.codeVerifier, redirect_uri: REDIRECT_URI };
      const answer = await post('/v1/oauth2/token', {
        ...credentials(),
        grant_type: 'authorization_code',
        ...form,
        ...wrong,
      });
      expect([answer.status, answer.body.error]).toEqual([400, error]);
    }
    expect((await exchange(signedIn)).status).toBe(200);
  });

  it('refuses an expired code, one of another client and one that was never issued alike', async () => {
    const [late, own] = [await signInDemoUser(service), await signInDemoUser(service)];
    const stranger = await authorization(service).addClient();
    const foreign = await post('/v1/oauth2/token', {
      ...(stranger.credentials as Record<string, string>),
      grant_type: 'authorization_code',
      code: own.code,
      code_verifier: own.codeVerifier,
      redirect_uri: REDIRECT_URI,
    });
    service.clock.advanceSeconds(3_600);
    const expired = await exchange(late);
    const unknown = await exchange({ ...late, code: `${late.code.slice(0, -1)}x` });
    for (const { status, body } of [foreign, expired, unknown])
      expect([status, body]).toEqual([400, expired.body]);
  });
});

describe('an exchange that is committed on a connection that then breaks', () => {
  it('[outside2 12] [oauth 58] is answered 503, and its retry gets tokens that work: five times of five', async () => {
    const { running, proxy } = await startProxiedService();
    const { token, isActive } = oauthCalls(running);
    const isUsed = statement(
      'is_code_used',
      'select 1 from {schema}.oauth_codes where digest = $1 and used_at > $2',
    );
    for (let count = 0; count < 5; count += 1) {
      const { code, codeVerifier, sandbox } = await signInDemoUser(running);
      const ask = () =>
        token({
          grant_type: 'authorization_code',
          code,
          code_verifier: codeVerifier,
          redirect_uri: REDIRECT_URI,
        });
      proxy.holdAnswerTo('use_codes');
      const unheard = ask();
      await expect
        .poll(() => sandbox.session.run(isUsed, [digestOf(code), new Date(0)]), { interval: 5 })
        .toHaveLength(1);
      proxy.cut();
      expect((await unheard).status).toBe(503);
      await proxy.resume();
      const heard = await ask();
      expect(heard.status).toBe(200);
      expect(await isActive(heard.body.access_token)).toBe(true);
      expect(
        (await token({ grant_type: 'refresh_token', refresh_token: heard.body.refresh_token })).status,
      ).toBe(200);
    }
  });
});
