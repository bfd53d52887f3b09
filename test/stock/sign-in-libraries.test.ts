import type { RequestListener } from 'node:http';
import { Readable } from 'node:stream';
import { Auth, type AuthConfig } from '@auth/core';
import { expect, it } from 'vitest';
import { authorization } from '../support/oauth/authorization.ts';
import { describeInLongRuns } from '../support/run/in-long-runs.ts';
import { runBlock } from './documented-block.ts';
import { useReleasedService } from './released-service.ts';
import { useApplications } from './use-applications.ts';

/** Libraries as their users configure them, against a sandbox in which Next is Current, without a version in any request. */
describeInLongRuns('a stock library', () => {
  const { service } = useReleasedService();
  const { addUser } = authorization(service);
  const { startApp, signInAt } = useApplications(service);

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
    // It sends them to its front page, which this application has not.
    expect((await signInAt(browser, await browser.visit('/login'), email)).status).toBe(404);
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
    const claims = { sub: id, name: 'Ada', preferred_username: email, email, email_verified: false };
    expect([status, JSON.parse(text)]).toEqual([200, claims]);
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
