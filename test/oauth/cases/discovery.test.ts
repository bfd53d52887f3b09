import { expect, it } from 'vitest';
import { knownScopes } from '../../../src/oauth/scopes/scopes.ts';
import { onPostgresFirst } from '../../support/database/databases.ts';
import { oauthCalls } from '../../support/oauth/oauth-calls.ts';
import {
  current,
  maintained,
  next,
  removed,
  versionsBefore,
  versionsSince,
} from '../../support/service/build-versions.ts';
import { useTestService } from '../../support/service/test-service.ts';

const PATHS = ['/.well-known/oauth-authorization-server', '/.well-known/openid-configuration'];
const PUBLIC_URL = 'https://sandbox.example.com';

type Metadata = Readonly<Record<string, unknown>>;

onPostgresFirst('discovery (RFC 8414, OpenID Connect Discovery)', (engine) => {
  const service = useTestService(engine, { DATELINE_SANDBOX_PUBLIC_URL: PUBLIC_URL });
  const { send, introspect } = oauthCalls(service);
  const read = async (path = PATHS[0] as string): Promise<Metadata> => (await send(path, {})).body;

  it.each(PATHS)(
    '[oauth 71] %s is JSON, and its issuer is exactly the public address (§3.3)',
    async (path) => {
      const { status, headers, body } = await send(path, {});
      expect([status, headers.get('content-type')]).toEqual([200, 'application/json; charset=utf-8']);
      expect(body.issuer).toBe(PUBLIC_URL);
      expect(headers.get('cache-control')).toBe('public, max-age=300');
      expect(headers.get('access-control-allow-origin')).toBe('*');
      // Without a public address, the issuer is where the service listens.
      const production = (await (await service.call('production', path)).json()) as Metadata;
      expect(production.issuer).toBe(service.urls.production);
    },
  );

  it('[oauth 71] has no member that is null, empty or other than text, boolean or list of texts (§2)', async () => {
    for (const path of PATHS)
      for (const [name, value] of Object.entries(await read(path))) {
        if (typeof value === 'boolean') continue;
        const texts = Array.isArray(value) ? value : [value];
        expect(texts.length, name).toBeGreaterThan(0);
        for (const text of texts) expect(text, name).toMatch(/^\S+$/);
      }
  });

  it('[oauth 72] names every endpoint under the issuer, over https, with its client authentication methods', async () => {
    const metadata = await read();
    expect(metadata).toMatchObject({
      authorization_endpoint: `${PUBLIC_URL}/v1/oauth2/authorize`,
      token_endpoint: `${PUBLIC_URL}/v1/oauth2/token`,
      revocation_endpoint: `${PUBLIC_URL}/v1/oauth2/revoke`,
      introspection_endpoint: `${PUBLIC_URL}/v1/oauth2/introspect`,
      registration_endpoint: `${PUBLIC_URL}/v1/oauth2/register`,
      userinfo_endpoint: `${PUBLIC_URL}/v1/oauth2/userinfo`,
      jwks_uri: `${PUBLIC_URL}/.well-known/jwks.json`,
      token_endpoint_auth_methods_supported: ['client_secret_basic', 'client_secret_post', 'none'],
      code_challenge_methods_supported: ['S256'],
      grant_types_supported: ['authorization_code', 'refresh_token', 'client_credentials'],
      response_types_supported: ['code'],
      subject_types_supported: ['public'],
      authorization_response_iss_parameter_supported: true,
    });
    expect(metadata.scopes_supported).toContain('openid');
    expect(metadata.id_token_signing_alg_values_supported).toContain('ES256');
    expect(await read(PATHS[1])).toEqual(metadata);
  });

  it.each(maintained)(
    '[oauth 72] names the client authentication methods of the version asked for: %s',
    async (version) => {
      const all = ['client_secret_basic', 'client_secret_post', 'none'];
      const isOlder = versionsBefore('2027-01').includes(version);
      const [revocation, introspection] = isOlder
        ? [['client_secret_post'], ['client_secret_post']]
        : [all, all.slice(0, 2)];
      for (const path of PATHS) {
        const { body, headers } = await send(path, { headers: { 'service-version': version } });
        expect([
          body.revocation_endpoint_auth_methods_supported,
          body.introspection_endpoint_auth_methods_supported,
        ]).toEqual([revocation, introspection]);
        expect(headers.get('vary')).toMatch(/service-version/i);
      }
    },
  );

  it('[oauth 72] names no address that does not answer', async () => {
    const addresses = Object.entries(await read()).filter(([name]) =>
      /_endpoint$|_uri$|_documentation$/.test(name),
    );
    expect(addresses.length).toBeGreaterThanOrEqual(8);
    for (const [name, address] of addresses) {
      const path = (address as string).slice(PUBLIC_URL.length);
      for (const method of ['GET', 'POST']) {
        const { status } = await send(path, { method, redirect: 'manual' });
        expect(status, `${method} ${name}`).not.toBe(404);
        expect(status, `${method} ${name}`).toBeLessThan(500);
      }
    }
  });

  it('[oauth 73] names no method of client authentication that needs a signature, so no algorithms for one', async () => {
    const metadata = await read();
    expect(JSON.stringify(metadata)).not.toMatch(/_jwt"/);
    expect(Object.keys(metadata).filter((name) => /auth_signing_alg/.test(name))).toEqual([]);
  });

  it('names what the version of the request knows: older ones keep what they had', async () => {
    const known = async (headers: Record<string, string> = {}) => {
      const { body } = await send(PATHS[0] as string, { headers });
      return [body.scopes_supported, body.claims_supported];
    };
    const scopes = knownScopes();
    const always = ['iss', 'sub', 'aud', 'exp', 'iat', 'auth_time', 'nonce', 'at_hash', 'name'];
    const address = ['email', 'email_verified'];
    for (const version of versionsBefore('2027-01'))
      expect(await known({ 'service-version': version })).toEqual([scopes.usual, [...always, ...address]]);
    for (const version of versionsSince('2027-01'))
      expect(await known({ 'service-version': version })).toEqual([
        scopes.all,
        [...always, 'preferred_username', ...address],
      ]);
    expect(await known()).toEqual(await known({ 'service-version': current }));
  });

  it('[outside2 24] lets pages of any site register: this sandbox is reached from elsewhere', async () => {
    const origin = 'https://app.example';
    const preflight = await send('/v1/oauth2/register', {
      method: 'OPTIONS',
      headers: {
        origin,
        'access-control-request-method': 'POST',
        'access-control-request-headers': 'content-type',
      },
    });
    expect([preflight.status, preflight.headers.get('access-control-allow-origin')]).toEqual([204, '*']);
    expect(preflight.headers.get('access-control-allow-methods')).toContain('POST');
    expect(preflight.headers.get('access-control-allow-headers')).toContain('Content-Type');
    const registered = await send('/v1/oauth2/register', {
      method: 'POST',
      headers: { origin, 'content-type': 'application/json' },
      body: JSON.stringify({ redirect_uris: ['https://app.example/'], token_endpoint_auth_method: 'none' }),
    });
    expect([registered.status, registered.headers.get('access-control-allow-origin')]).toEqual([201, '*']);
  });

  it('answers in the version asked for, and a bad version is 404 here too', async () => {
    for (const path of [...PATHS, '/.well-known/jwks.json']) {
      const asked = [current, next].map((version) => send(path, { headers: { 'service-version': version } }));
      const [one, other] = await Promise.all(asked);
      if (path.endsWith('jwks.json')) expect(one?.text).toBe(other?.text);
      expect([one?.headers.get('service-version'), other?.headers.get('service-version')]).toEqual([
        current,
        next,
      ]);
      const bad = await send(path, { headers: { 'service-version': removed } });
      expect([bad.status, bad.body.error]).toEqual([404, 'version_not_found']);
      const tag = one?.headers.get('etag') ?? '';
      expect((await send(path, { headers: { 'if-none-match': tag } })).status).toBe(304);
    }
  });

  it('[oauth 44] introspection answers plain JSON to a client that prefers a signed answer (RFC 9701)', async () => {
    const { access_token: token } = service.quickstart.sandbox;
    const plain = await introspect({ token });
    const { client_id, client_secret } = service.quickstart.sandbox;
    const asked = await send('/v1/oauth2/introspect', {
      method: 'POST',
      headers: { accept: 'application/token-introspection+jwt' },
      body: new URLSearchParams({ client_id, client_secret, token }),
    });
    expect([asked.status, asked.headers.get('content-type')]).toEqual([
      200,
      'application/json; charset=utf-8',
    ]);
    expect(asked.text).toBe(plain.text);
    expect(asked.body.active).toBe(true);
  });
});

onPostgresFirst('discovery of an issuer with a path', (engine) => {
  const issuer = 'https://example.com/auth/sandbox';
  const service = useTestService(engine, { DATELINE_SANDBOX_PUBLIC_URL: issuer });
  const { send } = oauthCalls(service);

  it('has the issuer’s path after the well-known one (RFC 8414 §3.1)', async () => {
    const { status, body } = await send('/.well-known/oauth-authorization-server/auth/sandbox', {});
    expect([status, body.issuer, body.token_endpoint]).toEqual([200, issuer, `${issuer}/v1/oauth2/token`]);
    expect((await send('/.well-known/oauth-authorization-server/another', {})).status).toBe(404);
  });
});
