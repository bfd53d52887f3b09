import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { anyEngine } from '../support/database/databases.ts';
import { describeInBrowser } from '../support/http/chromium.ts';
import { seriousOf, showInConsole, signInToConsole } from '../support/http/console.ts';
import { current, deprecated } from '../support/service/build-versions.ts';
import { operatorCalls } from '../support/service/operator-calls.ts';
import { useDeliveries } from '../support/webhooks/deliveries.ts';
import { unusedPort } from '../support/webhooks/receivers.ts';

describeInBrowser('lists of the console', (open) => {
  const { service, call, endpoint, createProduct, attempted } = useDeliveries(anyEngine);
  const { get, post } = operatorCalls(service);
  const demo = () => service.quickstart.sandbox;

  async function organizationName(): Promise<string> {
    return (await get(`/operator/organizations/${demo().organization_id}`)).body.name;
  }

  /** The links with a name, each with its id below it, of one view. */
  async function namedLinks(page: Page, path: string): Promise<string[]> {
    await showInConsole(page, path);
    await page.locator('.named a').first().waitFor();
    return page
      .locator('.named')
      .evaluateAll((all) =>
        all.map(
          (one) => `${one.querySelector('a')?.textContent} ${one.querySelector('code.id')?.textContent}`,
        ),
      );
  }

  it('[console] show things by their names, which lead to them, with the id below', async () => {
    const { client_id, organization_id, access_token } = demo();
    const subscribed = await endpoint({ events: ['product.created'] });
    const url = `http://127.0.0.1:${subscribed.receiver.port}/hook`;
    await createProduct();
    const { id: eventId } = await attempted(subscribed, 1);
    expect((await call('GET', '/v1/products/?limit=5000', undefined, current)).status).toBe(422);
    const { body: explained } = await post('/operator/tokens/explain', { token: access_token });
    const { body: user } = await get(`/operator/users/${explained.token.sub}`);
    const client = `Demo client ${client_id}`;
    const organization = `${await organizationName()} ${organization_id}`;
    const person = `${user.name} ${user.id}`;
    const views: Readonly<Record<string, readonly string[]>> = {
      '/console/clients': [client, organization],
      [`/console/clients/${client_id}`]: [organization, person],
      '/console/requests': [client],
      '/console/requests?code=validation_failed': [client],
      '/console/usage': [client],
      '/console/usage?by=organization': [organization],
      '/console/webhooks': [`${url} ${subscribed.id}`, organization],
      '/console/webhooks?view=events': [
        `product.created ${eventId}`,
        `${url} ${subscribed.id}`,
        organization,
      ],
      [`/console/webhooks/endpoints/${subscribed.id}`]: [organization, client],
      [`/console/webhooks/events/${eventId}`]: [`${url} ${subscribed.id}`, organization],
      [`/console/tokens?id=${explained.token.id}`]: [client, person, organization],
      '/console/people': [organization],
      '/console/people?view=users': [person],
      [`/console/people/organizations/${organization_id}`]: [person],
      [`/console/people/users/${user.id}`]: [organization, client],
    };
    const { page, problems } = await signInToConsole(open, service);
    for (const [path, names] of Object.entries(views))
      await expect
        .poll(async () => [path, await namedLinks(page, path)])
        .toEqual([path, expect.arrayContaining([...names])]);
    await page.getByRole('link', { name: 'Demo client' }).first().click();
    await page.getByRole('heading', { name: 'Demo client', level: 1 }).waitFor();
    expect(seriousOf(problems)).toEqual([]);
    await page.close();
  });

  it('[console] say who did what to whom by name, in the audit log', async () => {
    const { body: user } = await post('/operator/users', {
      name: 'Kim Doe',
      email: 'kim@example.com',
      password: 'correct horse battery staple',
    });
    await post(`/operator/organizations/${demo().organization_id}/members`, { user_id: user.id });
    const { page } = await signInToConsole(open, service);
    await showInConsole(page, `/console/audit?user_id=${user.id}`, 'Audit log');
    const row = page.getByRole('row').filter({ hasText: 'member.added' });
    await row.getByRole('link', { name: 'Kim Doe' }).waitFor();
    await row.getByRole('link', { name: await organizationName() }).waitFor();
    const { body: entries } = await get(`/operator/audit?user_id=${user.id}`);
    expect(await row.locator('td[data-name="Who"]').innerText()).toBe(
      `operator ${entries.items[0].actor_name}\n${entries.items[0].actor_id}`,
    );
    await page.close();
  });

  it('[console] say how and when endpoints, events and clients failed last', async () => {
    const failing = await endpoint({ events: ['product.created'] }, (_request, response) =>
      response.writeHead(503).end(),
    );
    await createProduct();
    await attempted(failing, 1);
    expect((await call('GET', '/v1/products/prd_absent', undefined, current)).status).toBe(404);
    await get('/operator/failed-requests');
    const { page } = await signInToConsole(open, service);
    const lastError = async (path: string, row: string) => {
      await showInConsole(page, path);
      const cell = page
        .getByRole('row')
        .filter({ hasText: row })
        .first()
        .locator('td[data-name="Last error"]');
      expect(await cell.locator('time').count()).toBe(1);
      return cell.innerText();
    };
    const message = /^503: It answered with an error\n/;
    expect(await lastError('/console/webhooks', failing.id)).toMatch(message);
    expect(await lastError('/console/webhooks?view=events', 'product.created')).toMatch(message);
    expect(await lastError(`/console/webhooks/endpoints/${failing.id}`, 'product.created')).toMatch(message);
    expect(await lastError('/console/clients', 'Demo client')).toMatch(/^404 \w+ products:read\n/);
    await page.close();
  });

  it('[console] show the version that was asked for beside the one that answered', async () => {
    expect((await call('GET', '/v1/products/?limit=5000')).status).toBe(422);
    expect((await call('GET', '/v1/products/?limit=5000', undefined, deprecated)).status).toBe(422);
    const { page } = await signInToConsole(open, service);
    for (const path of ['/console/requests', '/console/requests?code=validation_failed']) {
      await showInConsole(page, path, 'Failed requests');
      const cells = async (name: string) => page.locator(`td[data-name="${name}"]`).allInnerTexts();
      await expect.poll(() => cells('Asked for')).toEqual(expect.arrayContaining(['none', deprecated]));
      expect(await cells('Version')).toEqual(expect.arrayContaining([current, deprecated]));
    }
    await page.close();
  });

  it('[console] are narrowed by version and time, which stay in the address, going back and in a copied link', async () => {
    const older = await endpoint({ events: ['product.created'], api_version: deprecated });
    const newer = await endpoint({ events: ['product.created'], api_version: current });
    service.clock.advanceSeconds(3600);
    const since = service.clock.now().toISOString();
    for (const version of [deprecated, current])
      expect((await call('GET', '/v1/products/prd_no', undefined, version)).status).toBe(404);
    await createProduct();
    await attempted(older, 1);
    await attempted(newer, 1);
    service.clock.advanceSeconds(3600);
    const { page, problems } = await signInToConsole(open, service);
    const cells = (name: string) => page.locator(`td[data-name="${name}"]`).allInnerTexts();
    const narrowed = async (path: string, versions: readonly string[]) => {
      await showInConsole(page, path);
      await expect.poll(() => cells('Version')).toEqual(expect.arrayContaining([...versions]));
      await page.getByRole('combobox', { name: 'Version' }).selectOption(deprecated);
      await expect.poll(async () => new Set(await cells('Version'))).toEqual(new Set([deprecated]));
      expect(new URL(page.url()).searchParams.get('version')).toBe(deprecated);
    };
    await narrowed('/console/webhooks', [deprecated, current]);
    await narrowed(`/console/requests?view=each&since=${since}`, [deprecated, current]);
    await narrowed(`/console/requests?since=${since}`, [deprecated, current]);
    await narrowed(`/console/webhooks?view=events&since=${since}`, [deprecated, current]);
    const address = page.url();
    const shown = await cells('Kind');
    await page.locator('td[data-name="Kind"] a').first().click();
    await page.getByRole('heading', { name: 'product.created', level: 1 }).waitFor();
    await page.goBack();
    await expect.poll(() => cells('Kind')).toEqual(shown);
    expect(page.url()).toBe(address);
    const from = page.getByLabel('From (your local time)');
    expect(await from.inputValue()).not.toBe('');
    const future = '2030-01-01T00:00';
    await from.fill(future);
    await page.getByText('No event matches.').waitFor();
    const inAddress = new URL(page.url()).searchParams.get('since') ?? '';
    expect(inAddress).toBe(await page.evaluate((local) => new Date(local).toISOString(), future));
    // A copied link.
    await showInConsole(page, new URL(page.url()).pathname + new URL(page.url()).search);
    await page.getByText('No event matches.').waitFor();
    expect(await from.inputValue()).toBe(future);
    await showInConsole(page, `/console/audit?until=${since}`, 'Audit log');
    await page.getByLabel('Until (your local time)').fill('2020-01-01T00:00');
    await page.getByText('No entry matches.').waitFor();
    expect(seriousOf(problems)).toEqual([]);
    await page.close();
  });

  /** An event that was sent on the connection of the one before: one at a time, and as often as such a connection was closed too soon. */
  async function onKeptConnection(): Promise<string> {
    const { id } = await endpoint({ events: ['product.updated'] });
    const product = await createProduct();
    const newest = async () => (await get(`/operator/webhooks/events?endpoint_id=${id}`)).body.items[0];
    let sent = 0;
    await expect
      .poll(async () => {
        sent += 1;
        const renamed = await call('PATCH', `/v1/products/${product.id}`, { name: `Pot ${sent}` }, current);
        expect(renamed.status).toBe(200);
        await expect.poll(async () => (await newest()).state, { interval: 20 }).toBe('delivered');
        const { body } = await get(`/operator/webhooks/events/${(await newest()).id}/attempts`);
        return Object.keys(body.items[0].stages);
      })
      .toEqual(expect.not.arrayContaining(['connect']));
    return (await newest()).id;
  }

  it('[console] do not say of a connection that was refused that it was kept', async () => {
    const refusing = await endpoint({
      url: `http://127.0.0.1:${await unusedPort()}/hook`,
      events: ['product.created'],
    });
    await createProduct();
    const refused = await attempted(refusing, 1);
    const kept = await onKeptConnection();
    const { page } = await signInToConsole(open, service);
    const connecting = async (eventId: string) => {
      await showInConsole(page, `/console/webhooks/events/${eventId}`);
      await page.locator('details.attempt summary').first().click();
      return page.locator('details.attempt dt:text-is("Connecting") + dd').innerText();
    };
    expect(await connecting(refused.id)).toBe('failed');
    expect(await connecting(kept)).toBe('on a kept connection');
    await page.close();
  });
});
