import { appendFileSync } from 'node:fs';
import { build } from 'esbuild';
import { expect, it } from 'vitest';
import { authorization } from '../support/oauth/authorization.ts';
import { describeInLongRuns } from '../support/run/in-long-runs.ts';
import { useJudges } from '../support/run/judges.ts';
import { type BlockValues, runBlock } from './documented-block.ts';
import { useReleasedService } from './released-service.ts';
import { useApplications } from './use-applications.ts';

/** Libraries of `tools/judges`, as their users configure them, against a sandbox in which Next is Current. */
describeInLongRuns('a stock library of the long runs', () => {
  const { service, addClient, comeBack, callback, isActive } = useReleasedService();
  const { addUser } = authorization(service);
  const { startApp, signInAt } = useApplications(service);
  const modules = useJudges();
  const run = (library: string, values: BlockValues) => runBlock(library, values, modules('.'));
  /** With its support for Node, and through a bundler, which it is written for. */
  const runBundled = (library: string, values: BlockValues) =>
    runBlock(library, values, modules('.'), async (file) => {
      appendFileSync(
        file,
        `\nexport { NodeCrypto } from '@openid/appauth/built/src/node_support/crypto_utils.js';`,
      );
      await build({ entryPoints: [file], outfile: file, allowOverwrite: true, ...FOR_NODE });
    });
  // biome-ignore lint/suspicious/noExplicitAny: each library has types of its own.
  const load = async (file: string): Promise<any> => (await import(modules(file))).default;
  const session = async () =>
    (await load('express-session/index.js'))({ secret: 'of a test', resave: false, saveUninitialized: true });

  it('[outside2 25] signs a user in: passport-openidconnect', async () => {
    const { url, values, serve, browser } = await startApp('/callback', { require_pkce: false });
    const replacing = { 'https://app.example.com': url };
    const { strategy } = await run('passport-openidconnect', { ...values, replacing });
    const express = await load('express/index.js');
    const passport = await load('passport/lib/index.js');
    passport.use(strategy);
    const app = express();
    app.use(await session());
    app.get('/login', passport.authenticate('openidconnect', { session: false }));
    app.get(
      '/callback',
      passport.authenticate('openidconnect', { session: false }),
      (request: { user: unknown }, response: { json(body: unknown): void }) => response.json(request.user),
    );
    serve(app);
    const { email, id } = await addUser();
    const { status, text } = await signInAt(browser, await browser.visit('/login'), email);
    expect([status, JSON.parse(text)]).toEqual([200, { id, name: 'Ada' }]);
  });

  it('[outside2 25] signs a user in: @hapi/bell', async () => {
    const { url, values, serve, browser } = await startApp('/login');
    const { bell } = await run('@hapi/bell', values);
    const Hapi = await load('@hapi/hapi/lib/index.js');
    const server = Hapi.server({ autoListen: false });
    await server.register(await load('@hapi/bell/lib/index.js'));
    // Plain HTTP is for tests only; so is a browser that follows redirects by itself.
    const forTests = { isSecure: false, isSameSite: 'Lax', location: url };
    server.auth.strategy('dateline', 'bell', { ...bell, ...forTests });
    server.route({
      method: 'GET',
      path: '/login',
      options: { auth: 'dateline' },
      // biome-ignore lint/suspicious/noExplicitAny: of a library without types.
      handler: ({ auth }: any) => auth.credentials.profile,
    });
    await server.initialize();
    serve((request, response) => void server.listener.emit('request', request, response));
    const { email, id } = await addUser();
    const { status, text } = await signInAt(browser, await browser.visit('/login'), email);
    expect(status).toBe(200);
    expect(JSON.parse(text)).toMatchObject({ sub: id, name: 'Ada', email });
  });

  it('[outside2 25] signs a user in: grant', async () => {
    const { url, values, serve, browser } = await startApp('/connect/dateline/callback');
    const replacing = { 'https://app.example.com': url };
    const { config } = await run('grant', { ...values, replacing });
    const express = await load('express/index.js');
    const grant = await load('grant/grant.js');
    const app = express();
    app.use(await session());
    app.use(grant.express(config));
    // biome-ignore lint/suspicious/noExplicitAny: of a library without types.
    app.get('/signed-in', (request: any, response: any) => response.json(request.session.grant.response));
    serve(app);
    const { email, id } = await addUser();
    const { status, text } = await signInAt(browser, await browser.visit('/connect/dateline'), email);
    expect(status).toBe(200);
    expect(JSON.parse(text)).toMatchObject({
      access_token: expect.stringMatching(/^dl_test_at_/),
      profile: { sub: id, name: 'Ada', email },
    });
  });

  it('[outside2 25] signs a person in, refreshes and revokes: arctic', async () => {
    const client = await addClient();
    const replacing = { 'https://app.example.com/callback': callback };
    const { address, exchange, refresh, revoke } = await run('arctic', { ...client, replacing });
    const back = await comeBack(address.href);
    const tokens = await exchange(back.searchParams.get('code'));
    const renewed = await refresh(tokens.refreshToken());
    expect(await isActive(renewed.accessToken(), client)).toBe(true);
    await revoke(renewed.refreshToken());
    expect(await isActive(renewed.accessToken(), client)).toBe(false);
  });

  it('[outside2 25] signs a person in without a secret: oidc-client-ts', async () => {
    const client = await addClient({ kind: 'public' });
    const replacing = { 'https://app.example.com/callback': callback };
    const { createClient } = await run('oidc-client-ts', { ...client, replacing });
    const { InMemoryWebStorage, WebStorageStateStore } = await import(
      modules('oidc-client-ts/dist/esm/oidc-client-ts.js')
    );
    // A page has a store of its own.
    const oidc = createClient({ stateStore: new WebStorageStateStore({ store: new InMemoryWebStorage() }) });
    const { url } = await oidc.createSigninRequest({});
    const { profile, access_token } = await oidc.processSigninResponse((await comeBack(url)).href);
    expect(profile).toMatchObject({ sub: expect.stringMatching(/^usr_/), name: 'Ada' });
    expect(access_token).toMatch(/^dl_test_at_/);
  });

  it('[outside2 25] signs a person in without a secret: AppAuth', async () => {
    const client = await addClient({ kind: 'public' });
    const replacing = { 'https://app.example.com/callback': callback };
    const { server, createRequest, exchange, NodeCrypto } = await runBundled('AppAuth', {
      ...client,
      replacing,
    });
    const request = createRequest(new NodeCrypto());
    await request.setupCodeVerifier();
    const back = await comeBack(addressOf(server, await request.toJson()));
    const tokens = await exchange(back.searchParams.get('code'), request);
    expect(tokens.accessToken).toMatch(/^dl_test_at_/);
    expect(tokens.idToken).toEqual(expect.any(String));
  });
});

const FOR_NODE = { bundle: true, platform: 'node', format: 'esm', logLevel: 'error' } as const;

/** What its handler for browsers does: it opens a window there. */
function addressOf(
  { authorizationEndpoint }: { authorizationEndpoint: string },
  { internal, extras, ...request }: Record<string, unknown>,
): string {
  const sent = Object.entries({ ...request, ...(extras as object) });
  return `${authorizationEndpoint}?${new URLSearchParams(sent.map(([name, value]) => [name, String(value)]))}`;
}
