import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Readable } from 'node:stream';
import { Auth, type AuthConfig } from '@auth/core';
import { afterAll, afterEach, beforeAll, expect, it, vi } from 'vitest';
import { authorization } from '../support/authorization.ts';
import { next } from '../support/build-versions.ts';
import { onPostgresFirst } from '../support/databases.ts';
import { useTestService } from '../support/test-service.ts';
import { runUseWith } from '../support/use-with.ts';
import { createVisitor, type Visited, type Visitor } from '../support/visitor.ts';

/** Libraries as their users configure them, against a sandbox in which Next is Current, without a version in any request. */
onPostgresFirst('a stock library', (engine) => {
  const service = useTestService(engine);
  const { addUser, visitor, signIn, allow } = authorization(service);
  const servers: Server[] = [];

  beforeAll(async () => {
    await service.operate('sandbox', '/operator/release/run', { method: 'POST', body: {} });
    service.clock.advanceSeconds(10);
    const served = async () => (await service.call('sandbox', '/versions')).headers.get('service-version');
    await vi.waitUntil(async () => (await served()) === next, 10_000);
    // They look at the time themselves; it is the service's here.
    vi.useFakeTimers({ toFake: ['Date'], now: service.clock.now() });
  });
  afterEach(() => {
    for (const server of servers.splice(0)) server.close();
  });
  afterAll(() => void vi.useRealTimers());

  /** An application at an address of its own, registered as a client. */
  async function startApp(redirectPath: string, metadata = {}) {
    let listener: RequestListener = () => {};
    const server = createServer((request, response) => listener(request, response));
    servers.push(server);
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const answer = await service.call('sandbox', '/v1/oauth2/register', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ redirect_uris: [url + redirectPath], ...metadata }),
    });
    const client = (await answer.json()) as { client_id: string; client_secret: string };
    const env = {
      ISSUER: service.urls.sandbox,
      APP_URL: url,
      APP_SECRET: 'a long and random text of the application',
      CLIENT_ID: client.client_id,
      CLIENT_SECRET: client.client_secret,
    };
    const serve = (by: RequestListener) => {
      listener = by;
    };
    return { url, env, serve, browser: createVisitor(url) };
  }

  /** A person signs in and allows what is asked for; the browser ends at the application. */
  async function signInAt(browser: Visitor, start: Visited, email: string): Promise<Visited> {
    const person = visitor();
    const asked = await signIn(person, await person.visit(start.url), email);
    const { url } = await allow(person, asked);
    return browser.visit(url);
  }

  it('signs a user in: @auth/core, with name and address from the id_token', async () => {
    const { url, env, serve, browser } = await startApp('/auth/callback/dateline');
    const { authConfig } = await runUseWith('Auth.js', env);
    serve(serveAuth(url, authConfig));
    const { email } = await addUser();
    const page = await browser.visit('/auth/signin');
    const back = await signInAt(browser, await browser.submit(page, `${url}/auth/signin/dateline`), email);
    expect([back.status, back.url]).toEqual([200, `${url}/`]);
    const session = JSON.parse((await browser.visit('/auth/session')).text);
    expect(session.user).toEqual({ name: 'Ada', email });
  });

  it('signs a user in: express-openid-connect, which expects RS256', async () => {
    const { env, serve, browser } = await startApp('/callback', { id_token_signed_response_alg: 'RS256' });
    const { app } = await runUseWith('express-openid-connect', env);
    serve(app);
    const { email, id } = await addUser();
    await signInAt(browser, await browser.visit('/login'), email);
    const { status, text } = await browser.visit('/profile');
    expect(status).toBe(200);
    expect(JSON.parse(text)).toMatchObject({ sub: id, name: 'Ada', email, email_verified: false });
  });

  it('signs a user in: @fastify/oauth2, by discovery', async () => {
    const { env, serve, browser } = await startApp('/callback');
    const { app } = await runUseWith('@fastify/oauth2', env);
    await app.ready();
    serve(app.routing);
    const { email, id } = await addUser();
    const { status, text } = await signInAt(browser, await browser.visit('/login'), email);
    expect([status, JSON.parse(text)]).toEqual([200, { sub: id, name: 'Ada', email, email_verified: false }]);
  });
});

/** Auth.js speaks Request and Response, on its own paths; frameworks do this for it. */
function serveAuth(url: string, config: AuthConfig): RequestListener {
  return async (incoming, outgoing) => {
    if (incoming.url === '/') {
      outgoing.end('the application');
      return;
    }
    const { method = 'GET', headers } = incoming;
    const hasBody = method !== 'GET';
    const request = new Request(new URL(incoming.url ?? '/', url), {
      method,
      headers: headers as Record<string, string>,
      ...(hasBody ? { body: Readable.toWeb(incoming) as ReadableStream, duplex: 'half' } : {}),
    } as RequestInit);
    const answer = await Auth(request, { ...config });
    outgoing.statusCode = answer.status;
    for (const [name, value] of answer.headers) if (name !== 'set-cookie') outgoing.setHeader(name, value);
    outgoing.setHeader('set-cookie', answer.headers.getSetCookie());
    outgoing.end(await answer.text());
  };
}
