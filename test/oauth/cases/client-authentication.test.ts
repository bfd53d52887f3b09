import { beforeAll, expect, it } from 'vitest';
import { onPostgresFirst } from '../../support/database/databases.ts';
import { oauthCalls } from '../../support/oauth/oauth-calls.ts';
import { type Cast, createCast } from '../../support/oauth/oauth-cast.ts';
import { maintained, next, versionsBefore } from '../../support/service/build-versions.ts';
import { useTestService } from '../../support/service/test-service.ts';

onPostgresFirst('client authentication and errors (RFC 6749)', (engine) => {
  const service = useTestService(engine);
  const { post } = oauthCalls(service);
  let cast: Cast;
  beforeAll(async () => {
    cast = await createCast(service);
  });

  const grant = { grant_type: 'client_credentials' };
  const basic = (id: string, secret: string) => ({
    authorization: `Basic ${Buffer.from(`${id}:${secret}`).toString('base64')}`,
  });
  const own = () => cast.A.credentials as { client_id: string; client_secret: string };
  const token = (form: Record<string, string>, headers = {}) => post('/v1/oauth2/token', form, headers);

  const inHeader = () => basic(own().client_id, own().client_secret);
  const oneToken = ['/v1/oauth2/introspect', '/v1/oauth2/revoke'];

  it('[oauth 46] accepts the secret in the form everywhere, and in the header at the token endpoint (§2.3.1)', async () => {
    for (const version of maintained) {
      const pinned = { 'service-version': version };
      expect((await token({ ...grant, ...own() }, pinned)).status).toBe(200);
      expect((await token(grant, { ...inHeader(), ...pinned })).status).toBe(200);
      const { access } = await cast.tokensOf(cast.A);
      for (const path of oneToken)
        expect((await post(path, { token: access, ...own() }, pinned)).status, path).toBe(200);
    }
  });

  it.each(versionsBefore('2027-01'))(
    '[oauth 46] %s takes form fields only for one token, says so, and ignores the header beside them',
    async (version) => {
      const { access } = await cast.tokensOf(cast.A);
      for (const path of oneToken) {
        const pinned = { ...inHeader(), 'service-version': version };
        const { status, body } = await post(path, { token: access }, pinned);
        expect([status, body.error]).toEqual([401, 'invalid_client']);
        expect(body.error_description).toBe(
          'Send client_id and client_secret in the body: the Authorization header is not accepted here.',
        );
        const wrongBeside = { ...basic('x', 'y'), 'service-version': version };
        expect((await post(path, { token: access, ...own() }, wrongBeside)).status).toBe(200);
      }
    },
  );

  it('[oauth 46] Next takes the header too, once and for one client', async () => {
    const pinned = { ...inHeader(), 'service-version': next };
    const { access } = await cast.tokensOf(cast.A);
    const introspected = await post('/v1/oauth2/introspect', { token: access }, pinned);
    expect([introspected.status, introspected.body.active]).toEqual([200, true]);
    for (const path of oneToken) {
      const answerTo = async (form: Record<string, string>, headers = pinned) => {
        const { status, body } = await post(path, { token: access, ...form }, headers);
        return [status, body.error];
      };
      expect(await answerTo(own())).toEqual([400, 'invalid_request']);
      expect(await answerTo({ client_id: cast.B.client.id })).toEqual([400, 'invalid_request']);
      expect(await answerTo({}, { ...pinned, ...basic(own().client_id, 'wrong') })).toEqual([
        401,
        'invalid_client',
      ]);
      // PostgreSQL cannot look up NUL.
      expect(await answerTo({}, { ...pinned, ...basic('%00', 'x') })).toEqual([401, 'invalid_client']);
      expect(await answerTo({ client_id: own().client_id })).toEqual([200, undefined]);
    }
    const gone = await post('/v1/oauth2/introspect', { token: access }, pinned);
    expect(gone.body).toEqual({ active: false });
  });

  it('[oauth 46] a public client introspects nothing in Next either, and is told what is missing', async () => {
    const { access } = await cast.tokensOf(cast.P);
    const form = { token: access, ...cast.P.credentials };
    const { status, body } = await post('/v1/oauth2/introspect', form, { 'service-version': next });
    expect([status, body.error]).toEqual([401, 'invalid_client']);
    expect(body.error_description).toBe('client_secret is missing: send it in the form, or use HTTP Basic.');
  });

  it('[oauth 47] decodes form-encoded credentials in the header (§2.3.1)', async () => {
    const encode = (text: string): string =>
      [...text].map((letter) => `%${letter.charCodeAt(0).toString(16).padStart(2, '0')}`).join('');
    expect((await token(grant, basic(encode(own().client_id), encode(own().client_secret)))).status).toBe(
      200,
    );
    const broken = await token(grant, basic('%zz', 'x'));
    expect([broken.status, broken.body.error]).toEqual([401, 'invalid_client']);
  });

  it('[oauth 48] needs no encoding for ids and secrets of our own alphabet', async () => {
    expect(own().client_id + own().client_secret).toMatch(/^[A-Za-z0-9_]+$/);
    expect((await token(grant, basic(own().client_id, own().client_secret))).status).toBe(200);
  });

  it('[oauth 49] rejects a secret in both header and form (§2.3)', async () => {
    const { status, body } = await token({ ...grant, ...own() }, basic(own().client_id, own().client_secret));
    expect([status, body.error]).toEqual([400, 'invalid_request']);
    expect(body.error_description).toContain('client_secret is in the form and in the Authorization header');
  });

  it('[outside2 24] does not take a Bearer header beside a secret in the form for a second secret', async () => {
    const { status, body } = await token({ ...grant, ...own() }, { authorization: 'Bearer x' });
    expect([status, body]).toEqual([
      400,
      {
        error: 'invalid_request',
        error_description:
          'client_secret is in the form, and the Authorization header is not HTTP Basic; send one of them.',
      },
    ]);
  });

  it('[oauth 50] rejects two different clients in one request', async () => {
    const both = { ...grant, client_id: cast.B.client.id };
    const { status, body } = await token(both, basic(own().client_id, own().client_secret));
    expect([status, body.error]).toEqual([400, 'invalid_request']);
    const same = { ...grant, client_id: own().client_id };
    expect((await token(same, basic(own().client_id, own().client_secret))).status).toBe(200);
  });

  it('[oauth 51] challenges a client that used the header, at every endpoint, and no other (§5.2)', async () => {
    for (const path of ['token', 'revoke', 'introspect']) {
      const form = { ...grant, token: 'x' };
      const tried = await post(`/v1/oauth2/${path}`, form, basic(own().client_id, 'wrong'));
      expect([tried.status, tried.headers.get('www-authenticate')]).toEqual([401, 'Basic realm="dateline"']);
      const inForm = await post(`/v1/oauth2/${path}`, { ...form, ...own(), client_secret: 'wrong' });
      expect([inForm.status, inForm.headers.get('www-authenticate')]).toEqual([401, null]);
    }
  });

  it('[oauth 52] rejects a secret in the query (§2.3.1)', async () => {
    const query = new URLSearchParams(own());
    for (const path of ['token', 'revoke', 'introspect']) {
      const { status, body } = await post(`/v1/oauth2/${path}?${query}`, { ...grant, token: 'x' });
      expect(status).toBeGreaterThanOrEqual(400);
      expect(['invalid_request', 'invalid_client']).toContain(body.error);
      const complete = await post(`/v1/oauth2/${path}?${query}`, { ...grant, ...own(), token: 'x' });
      expect([complete.status, complete.body.error]).toEqual([400, 'invalid_request']);
    }
  });

  it('[oauth 53] has errors of two members in plain ASCII that may not be cached (§5.2)', async () => {
    const answers = [
      await token({}),
      await token({ ...own(), grant_type: 'x"\\ä' }),
      await token({ ...own(), ...grant, scope: 'ä"\\' }),
      await post('/v1/oauth2/revoke', 'token=%ff'),
    ];
    for (const { status, body, headers } of answers) {
      expect(status).toBeGreaterThanOrEqual(400);
      expect(Object.keys(body)).toEqual(['error', 'error_description']);
      expect(body.error + body.error_description).toMatch(/^[ !#-[\]-~]+$/);
      expect([headers.get('content-type'), headers.get('cache-control'), headers.get('pragma')]).toEqual([
        'application/json; charset=utf-8',
        'no-store',
        'no-cache',
      ]);
    }
  });

  it('[oauth 54] answers an unknown client like a wrong secret: same status, text and time', async () => {
    const wrong = { ...own(), client_secret: 'wrong' };
    const unknown = { ...wrong, client_id: 'cli_0000000000000000000000' };
    const spent: number[][] = [[], []];
    const texts = new Set<string>();
    for (let round = 0; round < 100; round += 1) {
      // A minute each, or both would be throttled.
      service.clock.advanceSeconds(60);
      for (const [index, credentials] of [unknown, wrong].entries()) {
        const startedAt = performance.now();
        const { status, text } = await post('/v1/oauth2/introspect', { ...credentials, token: 'x' });
        spent[index]?.push(performance.now() - startedAt);
        texts.add(`${status} ${text}`);
      }
    }
    expect(texts.size).toBe(1);
    const [one = 0, other = 0] = spent.map((times) => times.sort((a, b) => a - b)[50]);
    expect(Math.max(one, other) / Math.min(one, other)).toBeLessThan(1.6);
  }, 60_000);

  it('[oauth 56] names what is wrong with a grant type (§5.2)', async () => {
    const errorOf = async (form: Record<string, string>): Promise<unknown> => (await token(form)).body.error;
    expect(await errorOf({ ...own() })).toBe('invalid_request');
    expect(await errorOf({ ...own(), grant_type: 'password' })).toBe('unsupported_grant_type');
    expect(await errorOf({ ...cast.P.credentials, grant_type: 'client_credentials' })).toBe(
      'unauthorized_client',
    );
  });

  it('[oauth 59] treats a field without a value as omitted and ignores unknown ones (§3.2)', async () => {
    const { status, body } = await token({ ...grant, ...own(), scope: '', resource: '', colour: 'red' });
    expect(status).toBe(200);
    expect(body.scope.split(' ')).toContain('products:read');
  });

  it('[oauth 60] accepts a charset beside the media type', async () => {
    const headers = { 'content-type': 'application/x-www-form-urlencoded; charset=UTF-8' };
    expect((await token({ ...grant, ...own() }, headers)).status).toBe(200);
  });

  it('[oauth 66] binds a refresh token to its client and its scope (RFC 9700 §4.14.2)', async () => {
    const { refresh } = await cast.tokensOf(cast.A);
    const form = { grant_type: 'refresh_token', refresh_token: refresh };
    expect((await token({ ...form, ...cast.B.credentials })).body.error).toBe('invalid_grant');
    const narrowed = await token({ ...form, ...own(), scope: 'products:read' });
    expect([narrowed.status, narrowed.body.scope]).toEqual([200, 'products:read']);
    const again = { ...form, refresh_token: narrowed.body.refresh_token, ...own() };
    expect((await token({ ...again, scope: 'products:read admin' })).body.error).toBe('invalid_scope');
    // The successor kept every scope, whatever the access token was narrowed to.
    expect((await token(again)).body.scope).toBe(cast.A.client.scopes.join(' '));
  });

  it('[oauth 67] expires a refresh token that is not used for 30 days, and every one after 90 (RFC 9700 §4.14.2)', async () => {
    const DAY = 86_400;
    const refresh = (value: string) => token({ grant_type: 'refresh_token', refresh_token: value, ...own() });
    const idle = (await cast.tokensOf(cast.A)).refresh;
    let used = (await cast.tokensOf(cast.A)).refresh;
    const now = service.clock.now();
    for (const days of [29, 29, 29]) {
      service.clock.advanceSeconds(days * DAY);
      const answer = await refresh(used);
      expect(answer.status).toBe(200);
      used = answer.body.refresh_token;
    }
    expect((await refresh(idle)).body.error).toBe('invalid_grant');
    service.clock.advanceSeconds(4 * DAY);
    expect((await refresh(used)).body.error).toBe('invalid_grant');
    service.clock.set(now);
  });
});
