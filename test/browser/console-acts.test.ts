import { expect, it } from 'vitest';
import { anyEngine } from '../support/database/databases.ts';
import { describeInBrowser } from '../support/http/chromium.ts';
import {
  axeFindings,
  headingOf,
  seriousOf,
  showInConsole,
  signInToConsole,
} from '../support/http/console.ts';
import { operatorCalls } from '../support/service/operator-calls.ts';
import { useDeliveries } from '../support/webhooks/deliveries.ts';

describeInBrowser('what is done for good in the console', (open) => {
  const { service, endpoint } = useDeliveries(anyEngine);
  const operator = operatorCalls(service);

  it('[who broke] is done once the name of the thing was typed', async () => {
    const { id } = await operator.createClient({ name: 'Old  importer' });
    const { page, problems } = await signInToConsole(open, service);
    await showInConsole(page, `/console/clients/${id}`, 'Old importer');
    await page.getByRole('button', { name: 'Delete' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByText('This cannot be undone.').waitFor();
    const button = dialog.getByRole('button', { name: 'Delete' });
    const field = dialog.getByLabel('To confirm, type Old importer');
    for (const text of ['', 'old importer', 'Old import']) {
      await field.fill(text);
      expect([text, await button.isDisabled()]).toEqual([text, true]);
      await field.press('Enter');
    }
    expect((await operator.get(`/operator/clients/${id}`)).status).toBe(200);
    expect(await axeFindings(page)).toEqual([]);
    await field.fill(' Old importer ');
    await button.click();
    await headingOf(page, 'Clients').waitFor();
    expect((await operator.get(`/operator/clients/${id}`)).status).toBe(404);
    expect(seriousOf(problems)).toEqual([]);
    await page.close();
  });

  it('[who broke] asks for the host of an endpoint, the client of a secret and the name of a key', async () => {
    const subscribed = await endpoint({ events: ['*'] });
    const { client_id: client } = service.quickstart.sandbox;
    const { name } = (await operator.get(`/operator/clients/${client}`)).body;
    await operator.post('/operator/operator-keys', { name: 'of a former colleague' });
    const { page } = await signInToConsole(open, service);
    const asked = async (path: string, within: string, button: string) => {
      await showInConsole(page, path);
      const row = within === '' ? page.getByRole('main') : page.getByRole('row').filter({ hasText: within });
      await row.getByRole('button', { name: button }).click();
      return page.getByRole('dialog').locator('.to-type').innerText();
    };
    expect(await asked(`/console/webhooks/endpoints/${subscribed.id}`, '', 'Delete')).toBe(
      new URL((await operator.get(`/operator/webhooks/endpoints/${subscribed.id}`)).body.url).host,
    );
    expect(await asked(`/console/clients/${client}`, 'sec_', 'Revoke')).toBe(name);
    expect(await asked('/console/keys', 'of a former colleague', 'Revoke')).toBe('of a former colleague');
    await page.close();
  });

  it('[who broke] many tokens are revoked with a reason, and once their number was typed', async () => {
    const { id, client_secret } = await operator.createClient({ name: 'Leaky' });
    const body = new URLSearchParams({ grant_type: 'client_credentials', client_id: id, client_secret });
    for (let count = 0; count < 3; count += 1)
      expect((await service.call('sandbox', '/v1/oauth2/token', { method: 'POST', body })).status).toBe(200);
    const { page, problems } = await signInToConsole(open, service);
    await showInConsole(page, '/console/tokens', 'Tokens');
    await page.getByLabel('Client', { exact: true }).fill(id);
    const reason = page.getByLabel('Reason');
    await reason.fill('  ');
    await page.getByRole('button', { name: 'Count' }).click();
    expect(await reason.evaluate((field) => field.matches(':invalid'))).toBe(true);
    await reason.fill('its laptop was stolen');
    await page.getByRole('button', { name: 'Count' }).click();
    await page.getByRole('button', { name: 'Revoke them' }).click();
    const dialog = page.getByRole('dialog');
    expect(await dialog.getByRole('button', { name: 'Revoke them' }).isDisabled()).toBe(true);
    await dialog.getByLabel('To confirm').fill('3');
    await dialog.getByRole('button', { name: 'Revoke them' }).click();
    await page.getByText('3 tokens revoked.').waitFor();
    const { body: log } = await operator.get(`/operator/audit?client_id=${id}&action=tokens.revoked`);
    expect(log.items[0]).toMatchObject({ reason: 'its laptop was stolen' });
    expect(seriousOf(problems)).toEqual([]);
    await page.close();
  });
});
