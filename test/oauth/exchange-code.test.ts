import { expect, it } from 'vitest';
import { authorization } from '../support/authorization.ts';
import { onPostgresFirst } from '../support/databases.ts';
import { oauthCalls } from '../support/oauth-calls.ts';
import { REDIRECT_URI, signInDemoUser } from '../support/sign-in.ts';
import { useTestService } from '../support/test-service.ts';
import { writtenDown } from '../support/written-down.ts';

onPostgresFirst('exchanging a code', (engine) => {
  const service = useTestService(engine);
  const { post } = oauthCalls(service);

  type SignedIn = Awaited<ReturnType<typeof signInDemoUser>>;

  const credentials = () => {
    const { client_id, client_secret } = service.quickstart.sandbox;
    return { client_id, client_secret };
  };

  const exchange = ({ code, codeVerifier }: Pick<SignedIn, 'code' | 'codeVerifier'>) =>
    post('/v1/oauth2/token', {
      ...credentials(),
      grant_type: 'authorization_code',
      code,
      code_verifier: codeVerifier,
      redirect_uri: REDIRECT_URI,
    });

  const areActive = async (...tokens: string[]): Promise<boolean[]> => {
    const answers = await Promise.all(
      tokens.map((token) => post('/v1/oauth2/introspect', { ...credentials(), token })),
    );
    return answers.map(({ body }) => body.active);
  };

  it('gives each of many that arrive together tokens of its own', async () => {
    const signedIn = await Promise.all(Array.from({ length: 40 }, () => signInDemoUser(service)));
    const answers = await Promise.all(signedIn.map(exchange));
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

  it('answers one of several exchanges of the same code, and revokes what that one was given', async () => {
    const signedIn = await signInDemoUser(service);
    const answers = await Promise.all([1, 2, 3, 4].map(() => exchange(signedIn)));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 400, 400, 400]);
    const { body } = answers.find(({ status }) => status === 200) as (typeof answers)[number];
    expect(await areActive(body.access_token, body.refresh_token)).toEqual([false, false]);
  });

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
