import { expect, it } from 'vitest';
import { anyEngine } from '../support/database/databases.ts';
import { describeInBrowser } from '../support/http/chromium.ts';
import {
  axeFindings,
  headingOf,
  consoleScreens as screens,
  seriousOf,
  showInConsole,
  signInToConsole,
} from '../support/http/console.ts';
import { current, next } from '../support/service/build-versions.ts';
import { operatorCalls } from '../support/service/operator-calls.ts';
import { useDeliveries } from '../support/webhooks/deliveries.ts';

describeInBrowser('the console', (open) => {
  const { service, endpoint, createProduct, attempted, settled } = useDeliveries(anyEngine);

  it('[console] is opened with an operator key, which stays in no address and no storage', async () => {
    const key = service.quickstart.sandbox.operator_key;
    const opened = await open(service.urls.sandbox);
    await opened.page.goto('/console/clients');
    await opened.page.getByLabel('Operator key').fill('dl_test_op_nonsense');
    await opened.page.getByRole('button', { name: 'Sign in' }).click();
    await opened.page.getByText('This is not a live operator key').waitFor();
    await opened.page.getByLabel('Operator key').fill(key);
    await opened.page.getByRole('button', { name: 'Sign in' }).click();
    // Where the address had led to.
    await headingOf(opened.page, 'Clients').waitFor();
    const stored = await opened.page.evaluate(() =>
      JSON.stringify([{ ...localStorage }, { ...sessionStorage }, location.href, document.cookie]),
    );
    expect(stored).not.toContain(key);
    expect(stored).not.toContain('dl_test_os_');
    // Whoever leaves the machine relies on it.
    await opened.page.route('**/operator/session', (route) => route.abort(), { times: 1 });
    await opened.page.getByRole('button', { name: 'Sign out' }).click();
    await opened.page.getByText('You are still signed in. The service cannot be reached.').waitFor();
    await opened.page.getByRole('button', { name: 'Sign out' }).click();
    await opened.page.getByLabel('Operator key').waitFor();
    await opened.page.close();
  });

  it('[console] creates a client, with which a token is obtained', async () => {
    const { organization_id: organizationId } = service.quickstart.sandbox;
    const { name: organizationName } = (
      await operatorCalls(service).get(`/operator/organizations/${organizationId}`)
    ).body;
    const { page, problems } = await signInToConsole(open, service);
    await showInConsole(page, '/console/clients', 'Clients');
    await page.getByRole('button', { name: 'Create a client' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Name', { exact: false }).first().fill('From the console');
    // None is chosen for anybody, and no organization either.
    await dialog.getByLabel('products:read').waitFor();
    expect(await dialog.getByRole('checkbox', { checked: true }).count()).toBe(0);
    await dialog.getByLabel('products:read').check();
    const organization = dialog.getByRole('combobox', { name: 'Organization' });
    await organization.fill('Nobody of this name');
    await dialog.getByText('None has this name.').waitFor();
    await dialog.getByRole('button', { name: 'Create a client' }).click();
    expect(await organization.evaluate((field: HTMLInputElement) => field.validationMessage)).toBe(
      'Choose the organization from the list.',
    );
    await organization.fill(organizationName.slice(0, 3));
    await dialog.getByRole('option', { name: organizationName }).waitFor();
    expect(await axeFindings(page)).toEqual([]);
    await organization.press('Enter');
    expect(await organization.inputValue()).toBe(organizationName);
    await dialog.getByText(service.quickstart.sandbox.organization_id).waitFor();
    await dialog.getByRole('button', { name: 'Create a client' }).click();
    const secret = await dialog.locator('.secret code').innerText();
    const id = await dialog.locator('code.id').innerText();
    const made = (await operatorCalls(service).get(`/operator/clients/${id}`)).body;
    expect(made).toMatchObject({ organization_id: organizationId, scopes: ['products:read'] });
    await dialog.getByRole('button', { name: 'Close' }).click();
    expect(await page.content()).not.toContain(secret);
    const issued = await service.call('sandbox', '/v1/oauth2/token', {
      method: 'POST',
      body: new URLSearchParams({
        grant_type: 'client_credentials',
        client_id: id,
        client_secret: secret,
      }),
    });
    expect(issued.status).toBe(200);
    expect(seriousOf(problems)).toEqual([]);
    await page.close();
  });

  it('[console] finds a token by paste, explains it, and revokes it', async () => {
    const { page, problems } = await signInToConsole(open, service);
    const { access_token: token } = service.quickstart.sandbox;
    await showInConsole(page, '/console/tokens', 'Tokens');
    const explain = async () => {
      await page.getByLabel('A token, the id of one').fill(token);
      await page.getByRole('button', { name: 'Explain' }).click();
    };
    await explain();
    await page.getByText('active', { exact: true }).first().waitFor();
    await page.getByRole('button', { name: 'Revoke its grant' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Reason', { exact: false }).fill('seen in a chat');
    await dialog.getByRole('button', { name: 'Revoke its grant' }).click();
    await page.getByText('grant revoked', { exact: true }).first().waitFor();
    await page.getByText('seen in a chat').first().waitFor();
    expect(page.url()).not.toContain(token);
    expect(seriousOf(problems)).toEqual([]);
    await page.close();
  });

  it('[console] shows a failing delivery, and sends it again after its receiver is mended', async () => {
    let isMended = false;
    const subscribed = await endpoint({ events: ['product.created'] }, (_request, response) =>
      response.writeHead(isMended ? 200 : 500, { 'x-served-by': 'web-3' }).end('mind the gap'),
    );
    await createProduct();
    await attempted(subscribed, 1);
    const { page, problems } = await signInToConsole(open, service);
    await showInConsole(page, '/console/webhooks?condition=failing', 'Webhooks');
    await page.getByRole('link', { name: new RegExp(String(subscribed.receiver.port)) }).click();
    await page.getByRole('link', { name: 'product.created' }).click();
    await page.locator('details.attempt summary').first().click();
    await page.getByText('x-served-by: web-3').waitFor();
    await page.getByText('mind the gap').waitFor();
    await page.getByText(/^curl '/).waitFor();
    expect(await page.content()).not.toContain(subscribed.secret);
    await page.getByRole('combobox', { name: 'Version' }).selectOption(current);
    await page.getByText(/They differ at|The two are the same/).waitFor();
    isMended = true;
    await page.getByRole('button', { name: 'Redeliver' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Redeliver' }).click();
    await settled(subscribed, 'delivered');
    await page.getByText('delivered', { exact: true }).first().waitFor();
    expect(seriousOf(problems)).toEqual([]);
    await page.close();
  });

  it('[console] rehearses a release, and undoes it', async () => {
    const { page, problems } = await signInToConsole(open, service);
    await showInConsole(page, '/console/versions', 'Versions');
    const decide = async (name: string, version: string) => {
      await page.getByRole('button', { name }).click();
      const dialog = page.getByRole('dialog');
      await dialog.getByLabel('Reason', { exact: false }).fill('a rehearsal');
      await dialog.getByLabel('Also outside').check();
      await dialog.getByLabel('To confirm').fill(version);
      await dialog.getByRole('button', { name }).click();
      await dialog.waitFor({ state: 'hidden' });
    };
    await decide('Release now', next);
    await page.getByText(`release of ${next}`).first().waitFor();
    service.clock.advanceSeconds(60);
    await page.getByText('This is a rehearsal').waitFor();
    await decide('Undo the last release', next);
    await page.getByText(`undo of ${next}`).first().waitFor();
    service.clock.advanceSeconds(60);
    expect(seriousOf(problems)).toEqual([]);
    await page.close();
  });

  it('[console] lets a viewer see every screen, without an error and a request to another host, and change nothing', async () => {
    const { body } = await operatorCalls(service).post('/operator/operator-keys', {
      name: 'a viewer',
      role: 'viewer',
    });
    const { page, problems } = await signInToConsole(open, service, body.operator_key);
    for (const [path, name] of screens) {
      await showInConsole(page, path, name);
      const buttons = await page.getByRole('main').getByRole('button').allInnerTexts();
      const changing = buttons.filter((text) => !/^(Show more|Explain|Save as CSV|Copy)$/.test(text));
      expect([path, changing]).toEqual([path, []]);
    }
    expect(seriousOf(problems)).toEqual([]);
    await page.close();
  });

  it('[console] draws all chosen days, also where one has requests, and each version in its own colour', async () => {
    const unknown = await service.call('sandbox', '/v1/products', { headers: { 'service-version': next } });
    expect(unknown.status).toBe(401);
    const { page, problems } = await signInToConsole(open, service);
    await showInConsole(page, '/console/usage', 'Usage');
    const plot = page.getByRole('img', { name: 'Requests by version, 30 days' });
    await plot.locator('canvas').waitFor();
    await page.getByText('The same as a table').click();
    const rows = page.getByRole('table', { name: 'Requests by day and version' }).getByRole('row');
    // One is the heading.
    expect(await rows.count()).toBe(31);
    const stroke = await page.evaluate((version) => {
      const label = [...document.querySelectorAll('.u-series')].find((one) =>
        one.textContent?.includes(version),
      );
      const marker = label?.querySelector<HTMLElement>('.u-marker');
      const colour = getComputedStyle(document.documentElement).getPropertyValue('--next').trim();
      const probe = document.createElement('i');
      probe.style.color = colour;
      document.body.append(probe);
      return [marker && getComputedStyle(marker).borderColor, getComputedStyle(probe).color];
    }, next);
    expect(stroke[0]).toContain(stroke[1]);
    expect(seriousOf(problems)).toEqual([]);
    await page.close();
  });

  it('[console] says that the service does not answer, and goes on with the session once it does', async () => {
    const { page } = await signInToConsole(open, service);
    let answers = false;
    await page.route('**/operator/me', (route) =>
      answers
        ? route.continue()
        : route.fulfill({ status: 503, json: { detail: 'The database does not answer.' } }),
    );
    await page.reload();
    await headingOf(page, 'The service does not answer').waitFor();
    await page.getByText('The database does not answer.').waitFor();
    await page.getByRole('button', { name: 'Try again' }).click();
    await page.getByText('The database does not answer.').waitFor();
    expect(await page.getByLabel('Operator key').count()).toBe(0);
    answers = true;
    await page.getByRole('button', { name: 'Try again' }).click();
    await headingOf(page, 'Home').waitFor();
    await page.close();
  });

  it('[console] lets support disable a client with a reason, and shows it no other button', async () => {
    const calls = operatorCalls(service);
    const client = await calls.createClient({ name: 'To be stopped' });
    const { body } = await calls.post('/operator/operator-keys', { name: 'Ann', role: 'support' });
    const { page, problems } = await signInToConsole(open, service, body.operator_key);
    await showInConsole(page, `/console/clients/${client.id}`, 'To be stopped enabled');
    const main = page.getByRole('main');
    expect(await main.getByRole('button').allInnerTexts()).toEqual(['Disable', 'Copy']);
    await main.getByRole('button', { name: 'Disable' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('button', { name: 'Disable' }).click();
    expect(await dialog.getByLabel('Reason').evaluate((field) => field.matches(':invalid'))).toBe(true);
    await dialog.getByLabel('Reason').fill('its secret leaked');
    await dialog.getByRole('button', { name: 'Disable' }).click();
    await page.getByRole('heading', { name: 'To be stopped disabled' }).waitFor();
    await showInConsole(page, `/console/audit?client_id=${client.id}`, 'Audit log');
    await page.getByRole('cell', { name: `operator Ann ${body.id}` }).waitFor();
    await page.getByRole('cell', { name: 'its secret leaked' }).waitFor();
    expect(seriousOf(problems)).toEqual([]);
    await page.close();
  });
});
