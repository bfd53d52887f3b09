import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Readable } from 'node:stream';
import { Auth, type AuthConfig } from '@auth/core';
import { afterAll, afterEach, beforeAll, expect, it, vi } from 'vitest';
import { authorization } from '../support/authorization.ts';
import { describeInLongRuns } from '../support/in-long-runs.ts';
import { createVisitor, type Visited, type Visitor } from '../support/visitor.ts';
import { runBlock } from './documented-block.ts';
import { useReleasedService } from './released-service.ts';

/** Libraries as their users configure them, against a sandbox in which Next is Current, without a version in any request. */
describeInLongRuns('a stock library', () => {
  const { service } = useReleasedService();
  const { addUser, visitor, signIn, allow } = authorization(service);
  const servers: Server[] = [];

  // They look at the time themselves; it is the service's here.
  beforeAll(() => void vi.useFakeTimers({ toFake: ['Date'], now: service.clock.now() }));
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
    const values = {
      url: service.urls.sandbox,
      clientId: client.client_id,
      clientSecret: client.client_secret,
    };
    const serve = (by: RequestListener) => {
      listener = by;
    };
    return { url, values, serve, browser: createVisitor(url) };
  }

  /** A person signs in and allows what is asked for; the browser ends at the application. */
  async function signInAt(browser: Visitor, start: Visited, email: string): Promise<Visited> {
    const person = visitor();
    const asked = await signIn(person, await person.visit(start.url), email);
    const { url } = await allow(person, asked);
    return browser.visit(url);
  }

  it('signs a user in: @auth/core, with name and address from the id_token', async () => {
    const { url, values, serve, browser } = await startApp('/auth/callback/dateline');
    const { authConfig } = await runBlock('Auth.js', values);
    serve(serveAuth(url, authConfig));
    const { email } = await addUser();
    const page = await browser.visit('/auth/signin');
    const back = await signInAt(browser, await browser.submit(page, `${url}/auth/signin/dateline`), email);
    expect([back.status, back.url]).toEqual([200, `${url}/`]);
    const session = JSON.parse((await browser.visit('/auth/session')).text);
    expect(session.user).toEqual({ name: 'Ada', email });
  });

  it('signs a user in: express-openid-connect, which expects RS256', async () => {
    const metadata = { id_token_signed_response_alg: 'RS256' };
    const { url, values, serve, browser } = await startApp('/callback', metadata);
    const { app } = await runBlock('express-openid-connect', { ...values, replacing: at(url) });
    serve(app);
    const { email, id } = await addUser();
    await signInAt(browser, await browser.visit('/login'), email);
    const { status, text } = await browser.visit('/profile');
    expect(status).toBe(200);
    expect(JSON.parse(text)).toMatchObject({ sub: id, name: 'Ada', email, email_verified: false });
  });

  it('signs a user in: @fastify/oauth2, by discovery', async () => {
    const { url, values, serve, browser } = await startApp('/callback');
    const { app } = await runBlock('@fastify/oauth2', { ...values, replacing: at(url) });
    await app.ready();
    serve(app.routing);
    const { email, id } = await addUser();
    const { status, text } = await signInAt(browser, await browser.visit('/login'), email);
    expect([status, JSON.parse(text)]).toEqual([200, { sub: id, name: 'Ada', email, email_verified: false }]);
  });
});

/** The address of an application, in the place of the documented one. */
const at = (url: string) => ({ 'https://app.example.com': url });

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
