import { expect, it } from 'vitest';
import { anyEngine } from '../support/database/databases.ts';
import { describeInBrowser } from '../support/http/chromium.ts';
import { axeFindings, headingOf, seriousOf, signInToConsole } from '../support/http/console.ts';
import { operatorCalls } from '../support/service/operator-calls.ts';
import { createCaller } from '../support/service/service-environment.ts';
import { useDeliveries } from '../support/webhooks/deliveries.ts';

describeInBrowser('the search of the console', (open) => {
  const { service, endpoint, createProduct, settled } = useDeliveries(anyEngine);
  const operator = operatorCalls(service);
  const searchIn = (page: Awaited<ReturnType<typeof signInToConsole>>['page']) =>
    page.getByRole('combobox', { name: 'Search everything' });

  it('[who broke] is reached by a key, and opens what is found by a name with the keyboard alone', async () => {
    for (const name of ['Lighthouse front', 'Lighthouse back']) await operator.createClient({ name });
    const { page, problems } = await signInToConsole(open, service);
    // The page may hear keys a moment after it is there.
    await expect
      .poll(async () => {
        await page.keyboard.press('/');
        return searchIn(page).evaluate((field) => field === document.activeElement);
      })
      .toBe(true);
    await page.keyboard.type('lightho');
    const options = page.getByRole('option');
    await options.first().waitFor();
    expect(await options.allInnerTexts()).toEqual([
      expect.stringMatching(/^client\s*Lighthouse back\s+confidential, enabled · cli_/),
      expect.stringMatching(/^client\s*Lighthouse front/),
    ]);
    expect(await axeFindings(page)).toEqual([]);
    await page.keyboard.press('ArrowDown');
    expect(await options.nth(1).getAttribute('aria-selected')).toBe('true');
    await page.keyboard.press('Enter');
    await headingOf(page, 'Lighthouse front').waitFor();
    expect(await searchIn(page).inputValue()).toBe('');
    // In a field, the key is a letter.
    await page.goto('/console/clients');
    await page.getByLabel('Name or id').fill('');
    await page.getByLabel('Name or id').press('/');
    expect(await page.getByLabel('Name or id').inputValue()).toBe('/');
    expect(seriousOf(problems)).toEqual([]);
    await page.close();
  });

  it('[who broke] goes straight to what has the id that was pasted', async () => {
    const subscribed = await endpoint({ events: ['product.created'] });
    await createProduct();
    const event = await settled(subscribed, 'delivered');
    const { client, user, organization, grant } = await createCaller(service);
    const { page, problems } = await signInToConsole(open, service);
    const leadsTo = {
      [client.id]: `/console/clients/${client.id}`,
      [user.id]: `/console/people/users/${user.id}`,
      [organization.id]: `/console/people/organizations/${organization.id}`,
      [grant.id]: `/console/tokens?grant=${grant.id}`,
      [subscribed.id]: `/console/webhooks/endpoints/${subscribed.id}`,
      [event.id]: `/console/webhooks/events/${event.id}`,
    };
    for (const [id, path] of Object.entries(leadsTo)) {
      await searchIn(page).fill(id);
      await page.waitForURL(`**${path}`);
      expect(await searchIn(page).inputValue()).toBe('');
    }
    await searchIn(page).fill('req_0000000000000000000000');
    await page.getByText('No request with this id has failed').waitFor();
    expect(seriousOf(problems)).toEqual([]);
    await page.close();
  });

  it('[who broke] explains a token that was pasted, and keeps no secret', async () => {
    const { access, credentials } = await createCaller(service);
    const { page, problems } = await signInToConsole(open, service);
    const asked: string[] = [];
    page.on('request', (request) => asked.push(request.url()));
    await searchIn(page).fill(access.tokenValue);
    await page.getByRole('region', { name: 'About the token' }).waitFor();
    await searchIn(page).fill(credentials.client_secret);
    await page.getByText('This is a client secret.').waitFor();
    expect(await searchIn(page).inputValue()).toBe('');
    const seen = [...asked, await page.content(), page.url()].join('\n');
    for (const secret of [access.tokenValue, credentials.client_secret]) expect(seen).not.toContain(secret);
    await page.keyboard.press('Escape');
    await page.getByText('This is a client secret.').waitFor({ state: 'hidden' });
    expect(seriousOf(problems)).toEqual([]);
    await page.close();
  });

  it('[who broke] shows five of a kind, and leads to the list of the others', async () => {
    for (let number = 1; number <= 6; number += 1)
      await operator.post('/operator/organizations', { name: `Harbour ${number}` });
    const { page, problems } = await signInToConsole(open, service);
    await searchIn(page).fill('harbour');
    await page.getByRole('option', { name: 'Show all' }).click();
    await page.waitForURL('**/console/people?search=harbour');
    await page.getByRole('link', { name: 'Harbour 6' }).waitFor();
    await searchIn(page).fill('no such thing');
    await page.getByText('Nothing was found.').waitFor();
    expect(seriousOf(problems)).toEqual([]);
    await page.close();
  });
});
