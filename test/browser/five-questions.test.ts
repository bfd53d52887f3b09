import type { Locator, Page } from 'playwright-core';
import { beforeAll, expect, it, vi } from 'vitest';
import { fillingSteps } from '../../bench/fill-for-console.ts';
import { statement } from '../../src/storage/statement.ts';
import { daysBefore } from '../../src/usage/day.ts';
import { anyEngine, isFullMatrix } from '../support/database/databases.ts';
import { describeInBrowser } from '../support/http/chromium.ts';
import { headingOf, seriousOf, signInToConsole } from '../support/http/console.ts';
import { current, deprecated, homeTime, next } from '../support/service/build-versions.ts';
import { operatorCalls } from '../support/service/operator-calls.ts';
import { useDeliveries } from '../support/webhooks/deliveries.ts';

const CLIENTS = isFullMatrix ? 10_000 : 2_000;
const CLICKS_MAX = 3;
const AUDIENCE = 'https://stock.example';

interface MadeClient {
  id: string;
  client_secret: string;
}

/** An operator who counts: whatever is clicked, and whatever is searched for. */
function counting(page: Page) {
  const searchBox = page.getByRole('combobox', { name: 'Search everything' });
  let clicks = 0;
  function count(what: string): void {
    clicks += 1;
    if (clicks > CLICKS_MAX)
      throw new Error(`"${what}" is click ${clicks}: at most ${CLICKS_MAX} are allowed`);
  }
  return {
    async click(what: Locator): Promise<void> {
      count(await what.innerText());
      await what.click();
    },
    /** What is searched for by an id or a token is opened at once. */
    async search(text: string): Promise<void> {
      count(`search for ${text}`);
      await searchBox.fill(text);
      await page.waitForURL(/\/console\/./);
    },
    /** By a name: typing, looking at the first that is found, and Enter. */
    async searchByName(name: string): Promise<void> {
      count(`search for ${name}`);
      await searchBox.fill(name);
      await page.getByRole('option').first().waitFor();
      await page.keyboard.press('Enter');
    },
  };
}

describeInBrowser(`the five questions, each from Home in three clicks, among ${CLIENTS} clients`, (open) => {
  const { service, endpoint, createProduct, settled } = useDeliveries(anyEngine);
  const operator = operatorCalls(service);
  const made = new Map<string, MadeClient>();

  /** The crowd: they name what the release makes Current, or nothing where stock libraries name nothing. */
  async function fill(): Promise<void> {
    const isStock = 'n % 10 = 3';
    const steps = fillingSteps({
      now: `timestamptz '${homeTime}'`,
      users: 2_000,
      clients: CLIENTS,
      grants: CLIENTS,
      tokens: CLIENTS,
      endpoints: 200,
      events: 2_000,
      failures: 2_000,
      auditEntries: 2_000,
      days: 3,
      version: `case when ${isStock} then '${current}' else '${next}' end`,
      choice: `case when ${isStock} then 'defaulted' else 'pinned' end`,
      operation: `case when ${isStock} then 'oauth2:create_token' else 'products:list' end`,
    });
    const database = await service.database('sandbox');
    for (const [what, sql] of Object.entries(steps))
      await database.run(statement(`fill_${what.replaceAll(' ', '_')}`, sql), []);
  }

  async function tokenOf(name: string, version?: string): Promise<string> {
    const { id, client_secret } = made.get(name) as MadeClient;
    const response = await service.call('sandbox', '/v1/oauth2/token', {
      method: 'POST',
      headers: version === undefined ? {} : { 'service-version': version },
      body: new URLSearchParams({
        ...{ grant_type: 'client_credentials', client_id: id, client_secret, resource: AUDIENCE },
      }),
    });
    const text = await response.text();
    expect(response.status, text).toBe(200);
    return JSON.parse(text).access_token;
  }

  /** Makes a client that lists products, in a version or in none. */
  async function call(name: string, version: string | undefined, status = 200): Promise<void> {
    if (!made.has(name)) made.set(name, await operator.createClient({ name }));
    const { id, client_secret } = made.get(name) as MadeClient;
    const form = { grant_type: 'client_credentials', client_id: id, client_secret };
    const named = version === undefined ? {} : { 'service-version': version };
    const issued = await service.call('sandbox', '/v1/oauth2/token', {
      method: 'POST',
      headers: { 'service-version': next },
      body: new URLSearchParams(form),
    });
    const { access_token: token } = (await issued.json()) as { access_token: string };
    const headers = { authorization: `Bearer ${token}`, ...named };
    expect((await service.call('sandbox', '/v1/products/', { headers })).status).toBe(status);
  }

  async function rehearse(): Promise<void> {
    const { status } = await operator.post('/operator/release/run', { reason: 'a rehearsal' });
    expect(status).toBe(202);
    const currentNow = async () => {
      service.clock.advanceSeconds(4);
      return ((await (await service.call('sandbox', '/versions')).json()) as { current: string }).current;
    };
    await vi.waitUntil(async () => (await currentNow()) === next, { timeout: 60_000 });
  }

  beforeAll(async () => {
    await fill();
    const resource = { name: 'Stock API', kind: 'resource_server', audiences: [AUDIENCE] };
    made.set('Stock API', await operator.createClient(resource));
    // Longer ago than anybody who is gone is asked about.
    const today = homeTime.slice(0, 10) as Parameters<typeof daysBefore>[0];
    service.clock.set(`${daysBefore(today, 35)}T11:00:00Z`);
    await call('Retired importer', current);
    service.clock.set(homeTime);
    await call('Warehouse sync', current);
    await call('Price importer', current);
    await call('Price importer', next);
    await call('Shop front', undefined);
    await call('Left behind', deprecated);
    await call('Deleted importer', current);
    await operator.ask('DELETE', `/operator/clients/${made.get('Deleted importer')?.id}`);
    for (const name of ['Warehouse sync 2', 'Warehouse', 'Shop front 2', 'Shop']) await call(name, next);
    await rehearse();
    await call('Left behind', deprecated, 404);
    await call('Warehouse sync', current);
  }, 120_000);

  async function home() {
    const { page, problems } = await signInToConsole(open, service);
    page.setDefaultTimeout(15_000);
    return { page, operator: counting(page), problems };
  }

  /** The first cells of a table that is there. */
  async function rowsOf(table: Locator, columns: number): Promise<string[][]> {
    await table.waitFor();
    const rows = await table.locator('tbody tr').all();
    return Promise.all(
      rows.map(async (row) => (await row.getByRole('cell').allInnerTexts()).slice(0, columns)),
    );
  }

  it('[who broke] who breaks next: exactly those, and why', async () => {
    const { page, operator: hand, problems } = await home();
    await hand.click(page.getByRole('link', { name: /^(Who|See who)/ }).first());
    await headingOf(page, 'Versions').waitFor();
    const table = page.getByRole('table', { name: 'Clients at risk' });
    await table.waitFor();
    const text = (await rowsOf(table, 9)).map((cells) => cells.join(' '));
    expect(text).toEqual([
      expect.stringMatching(/^Warehouse sync\b.*names a version that is removed/s),
      expect.stringMatching(/^Price importer\b.*names a version that is removed/s),
      expect.stringMatching(/^Shop front\b.*names no version, and gets another one/s),
    ]);
    expect(seriousOf(problems)).toEqual([]);
    await page.close();
  });

  it('[who broke] why did this token die: who ended it, and for which reason', async () => {
    const [dead, other] = [await tokenOf('Warehouse'), await tokenOf('Warehouse')];
    for (const [token, reason] of [
      [dead, 'seen in a chat'],
      [other, 'a test of the alarm'],
    ] as const) {
      const { body } = await operator.post('/operator/tokens/explain', { token });
      await operator.post(`/operator/tokens/${body.token.id}/revoke`, { reason });
    }
    const { page, operator: hand, problems } = await home();
    await hand.search(dead);
    const about = page.getByRole('region', { name: 'About the token' });
    const why = /^It was revoked at .* by operator quickstart .*: seen in a chat\. revoked$/;
    await about.getByRole('heading', { name: why }).waitFor();
    await about.getByText('Warehouse', { exact: true }).first().waitFor();
    expect(await about.innerText()).not.toContain('a test of the alarm');
    expect(page.url()).not.toContain(dead);
    expect(seriousOf(problems)).toEqual([]);
    await page.close();
  });

  it('[who broke] where is this webhook, and send it again: its receiver gets it', async () => {
    let isMended = false;
    const failing = await endpoint({ events: ['product.created'] }, (_request, response) =>
      response.writeHead(isMended ? 200 : 500).end(isMended ? 'thanks' : 'moved to another place'),
    );
    const other = await endpoint({ events: ['product.created'] });
    await createProduct({ name: 'Tea pot' });
    await settled(other, 'delivered');
    await expect.poll(() => failing.receiver.requests.length).toBe(1);
    const { body } = await operator.get(`/operator/webhooks/events?endpoint_id=${failing.id}`);
    const { page, operator: hand, problems } = await home();
    await hand.search(body.items[0].id);
    await page.getByText(/^500/).first().waitFor();
    isMended = true;
    await hand.click(page.getByRole('main').getByRole('button', { name: 'Redeliver' }));
    await hand.click(page.getByRole('dialog').getByRole('button', { name: 'Redeliver' }));
    await expect.poll(() => failing.receiver.requests.length).toBe(2);
    const [first, again] = failing.receiver.requests;
    expect(again?.headers['webhook-id']).toBe(first?.headers['webhook-id']);
    expect(String(again?.body)).toContain('Tea pot');
    expect(other.receiver.requests).toHaveLength(1);
    expect(seriousOf(problems)).toEqual([]);
    await page.close();
  });

  it('[who broke] who still uses Deprecated: exactly those', async () => {
    const { page, operator: hand, problems } = await home();
    await hand.click(page.getByRole('main').getByRole('link', { name: current, exact: true }));
    await headingOf(page, 'Usage').waitFor();
    await headingOf(page, `Who uses ${current}`, 2).waitFor();
    await hand.click(page.getByRole('link', { name: 'pinned', exact: true }));
    const table = page.getByRole('table', { name: /^Requests by client/ });
    await table.getByRole('cell', { name: 'defaulted' }).first().waitFor({ state: 'detached' });
    const users = (await rowsOf(table, 1)).map(([who = '']) => who.replace(/\s+cli_\w+\s*/, ' ').trim());
    expect(users.sort()).toEqual(['Deleted importer deleted', 'Price importer', 'Warehouse sync']);
    expect(seriousOf(problems)).toEqual([]);
    await page.close();
  });

  it('[who broke] stop this client now: its token is dead, and that of its namesake is not', async () => {
    const [stopped, namesake] = [await tokenOf('Shop front'), await tokenOf('Shop front 2')];
    const { page, operator: hand, problems } = await home();
    await hand.searchByName('Shop front');
    await headingOf(page, 'Shop front enabled').waitFor();
    await hand.click(page.getByRole('main').getByRole('button', { name: 'Disable' }));
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Reason').fill('its secret leaked');
    await hand.click(dialog.getByRole('button', { name: 'Disable' }));
    await headingOf(page, 'Shop front disabled').waitFor();
    expect([await isActive(stopped), await isActive(namesake)]).toEqual([false, true]);
    expect(seriousOf(problems)).toEqual([]);
    await page.close();
  });

  /** As the server knows that gets these tokens. */
  async function isActive(token: string): Promise<boolean> {
    const { id, client_secret } = made.get('Stock API') as MadeClient;
    const response = await service.call('sandbox', '/v1/oauth2/introspect', {
      method: 'POST',
      body: new URLSearchParams({ token, client_id: id, client_secret }),
    });
    expect(response.status).toBe(200);
    return ((await response.json()) as { active: boolean }).active;
  }
});
