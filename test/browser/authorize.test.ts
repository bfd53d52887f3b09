import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { anyEngine } from '../support/database/databases.ts';
import { describeInBrowser, type OpenedPage } from '../support/http/chromium.ts';
import {
  answerIn,
  authorization,
  authorizePath,
  createPkce,
  PASSWORD,
} from '../support/oauth/authorization.ts';
import { itInLongRuns } from '../support/run/in-long-runs.ts';
import { useTestService } from '../support/service/test-service.ts';

const backInTheApplication: RequestListener = (_request, response) => {
  response.setHeader('content-type', 'text/html');
  response.end('<link rel="icon" href="data:,"><h1>Back in the application</h1>');
};

describeInBrowser('asking for permission in a browser', (open) => {
  const service = useTestService(anyEngine);
  const { addUser, addClient, exchange } = authorization(service);
  const servers: Server[] = [];
  let appUrl: string;
  let otherUrl: string;

  // An application on this machine. At /elsewhere it redirects the browser to an address that is not registered.
  beforeAll(async () => {
    otherUrl = await serve(backInTheApplication);
    appUrl = await serve((request, response) => {
      if (!request.url?.startsWith('/elsewhere')) return backInTheApplication(request, response);
      response.writeHead(302, { location: otherUrl + request.url }).end();
    });
  });
  afterAll(() => {
    for (const server of servers) server.close().closeAllConnections();
  });

  async function serve(answer: RequestListener): Promise<string> {
    const server = createServer(answer);
    servers.push(server);
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', () => resolve()));
    return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  }

  /** These tests are about leaving for the application. */
  const problemsOf = ({ problems }: OpenedPage): string[] =>
    problems.filter((line) => !line.startsWith('request to another origin'));

  async function signInAndAllow({ page }: OpenedPage, path: string, email: string): Promise<void> {
    await page.goto(path);
    await page.getByLabel('Email').fill(email);
    await page.getByLabel('Password').fill(PASSWORD);
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByRole('heading', { name: 'Allow Desktop tool?' }).waitFor();
    await page.getByRole('button', { name: 'Allow' }).click();
    await page.getByRole('heading', { name: 'Back in the application' }).waitFor();
  }

  it('leads to a loopback address with a code that can be exchanged for tokens', async () => {
    const { email } = await addUser(['Acme']);
    const client = await addClient({
      kind: 'public',
      name: 'Desktop tool',
      redirectUris: ['http://127.0.0.1/callback'],
    });
    const { verifier, challenge } = createPkce();
    const redirect_uri = `${appUrl}/callback`;
    const opened = await open(service.urls.sandbox);
    const path = authorizePath(client.id, { redirect_uri, code_challenge: challenge });
    await signInAndAllow(opened, path, email);
    const { code = '', state, iss } = answerIn(opened.page.url());
    expect([state, iss]).toEqual(['the state', service.urls.sandbox]);
    const { status, body } = await exchange({
      client_id: client.id,
      code,
      redirect_uri,
      code_verifier: verifier,
    });
    expect([status, body.scope]).toEqual([200, 'openid products:read']);
    expect(problemsOf(opened)).toEqual([]);
    await opened.page.close();
  });

  itInLongRuns(
    'lets the application redirect the browser again, also straight after signing in',
    async () => {
      const { email } = await addUser(['Acme']);
      const redirect_uri = `${appUrl}/elsewhere`;
      const client = await addClient({ name: 'Desktop tool', redirectUris: [redirect_uri] });
      const opened = await open(service.urls.sandbox);
      await signInAndAllow(opened, authorizePath(client.id, { redirect_uri }), email);
      expect(new URL(opened.page.url()).origin).toBe(otherUrl);

      await opened.page.goto(authorizePath(client.id, { redirect_uri, prompt: 'login' }));
      await opened.page.getByLabel('Password').fill(PASSWORD);
      await opened.page.getByRole('button', { name: 'Sign in' }).click();
      await opened.page.getByRole('heading', { name: 'Back in the application' }).waitFor();
      expect(new URL(opened.page.url()).searchParams.get('code')).toMatch(/^dl_test_ac_/);
      expect(problemsOf(opened)).toEqual([]);
      await opened.page.close();
    },
  );

  itInLongRuns('works in a window that the application opened', async () => {
    const { email } = await addUser(['Acme']);
    const redirect_uri = `${appUrl}/callback`;
    const client = await addClient({ name: 'Desktop tool', redirectUris: [redirect_uri] });
    const opener = await open(appUrl);
    await opener.page.goto(`${appUrl}/`);
    const address = service.urls.sandbox + authorizePath(client.id, { redirect_uri });
    const popup = opener.page.waitForEvent('popup');
    await opener.page.evaluate(`void window.open(${JSON.stringify(address)})`);
    const page = await popup;
    await signInAndAllow({ page, problems: [] }, address, email);
    expect(await page.evaluate('window.opener !== null')).toBe(true);
    await page.context().close();
  });

  it('lets a person see who has access and remove it, change the password and sign out', async () => {
    const { email } = await addUser(['Acme']);
    const redirect_uri = `${appUrl}/callback`;
    const client = await addClient({ name: 'Desktop tool', redirectUris: [redirect_uri] });
    const { verifier, challenge } = createPkce();
    const opened = await open(service.urls.sandbox);
    const { page } = opened;
    await signInAndAllow(
      opened,
      authorizePath(client.id, { redirect_uri, code_challenge: challenge }),
      email,
    );
    const { code = '' } = answerIn(page.url());
    await exchange({ ...client.credentials, code, redirect_uri, code_verifier: verifier });

    await page.goto('/account/grants');
    await page.getByRole('button', { name: 'Remove access of Desktop tool' }).click();
    await page.getByText('No application has access.').waitFor();
    await page.getByRole('link', { name: 'Password' }).click();
    await page.getByLabel('Old password').fill(PASSWORD);
    await page.getByLabel('New password', { exact: false }).first().fill('a new and better one');
    await page.getByLabel('Repeat the new password').fill('a new and better one');
    await page.getByRole('button', { name: 'Change password' }).click();
    await page.getByText('The password was changed.').waitFor();
    await page.getByRole('button', { name: 'Sign out' }).click();
    await page.getByRole('heading', { name: 'Sign in' }).waitFor();
    expect(problemsOf(opened)).toEqual([]);
    await page.close();
  });
});
