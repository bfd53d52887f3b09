import { expect } from 'vitest';
import { anyEngine } from '../support/database/databases.ts';
import { describeInBrowser } from '../support/http/chromium.ts';
import {
  axeFindings,
  consoleScreens,
  headingOf,
  showInConsole,
  signInToConsole,
  tabTo,
  unreachableByKeyboard,
} from '../support/http/console.ts';
import { itInLongRuns } from '../support/run/in-long-runs.ts';
import { operatorCalls } from '../support/service/operator-calls.ts';
import { useDeliveries } from '../support/webhooks/deliveries.ts';

describeInBrowser('the console, for everybody', (open) => {
  const { service, endpoint, createProduct, attempted } = useDeliveries(anyEngine);

  /** The screens, and those of one thing each. */
  async function allViews(): Promise<string[]> {
    const { get, post } = operatorCalls(service);
    const failing = await endpoint({ events: ['product.created'] }, (_request, response) =>
      response.writeHead(500).end(),
    );
    await createProduct();
    await attempted(failing, 1);
    const { access_token: token, client_id, organization_id } = service.quickstart.sandbox;
    const explained = await post('/operator/tokens/explain', { token });
    const events = await get(`/operator/webhooks/events?endpoint_id=${failing.id}`);
    return [
      ...consoleScreens.map(([path]) => path),
      `/console/clients/${client_id}`,
      `/console/tokens?id=${explained.body.token.id}`,
      `/console/webhooks/endpoints/${failing.id}`,
      `/console/webhooks/events/${events.body.items[0].id}`,
      `/console/people/organizations/${organization_id}`,
      `/console/people/users/${explained.body.token.sub}`,
    ];
  }

  itInLongRuns(
    '[console] has nothing that axe calls serious or critical, light and dark, and fits 360 px',
    async () => {
      const views = await allViews();
      const { page } = await signInToConsole(open, service);
      for (const path of views) {
        await showInConsole(page, path);
        for (const colorScheme of ['light', 'dark'] as const)
          for (const width of [1280, 360]) {
            await page.emulateMedia({ colorScheme });
            await page.setViewportSize({ width, height: 900 });
            expect([path, colorScheme, width, await axeFindings(page)]).toEqual([
              path,
              colorScheme,
              width,
              [],
            ]);
            const isTooWide = await page.evaluate(() => document.documentElement.scrollWidth > innerWidth);
            expect([path, width, isTooWide]).toEqual([path, width, false]);
          }
      }
      await page.close();
    },
    240_000,
  );

  itInLongRuns(
    '[console] lets the Tab key reach everything on every screen, and shows where it is',
    async () => {
      const views = await allViews();
      const { page } = await signInToConsole(open, service);
      for (const path of views) {
        await showInConsole(page, path);
        expect([path, await unreachableByKeyboard(page)]).toEqual([path, []]);
      }
      await page.close();
    },
    240_000,
  );

  itInLongRuns('[console] is signed in to, and creates a client, by keyboard alone', async () => {
    const { page } = await open(service.urls.sandbox);
    await page.goto('/console');
    await page.getByLabel('Operator key').waitFor();
    await page.keyboard.type(service.quickstart.sandbox.operator_key);
    await page.keyboard.press('Enter');
    await headingOf(page, 'Home').waitFor();
    await tabTo(page, 'Clients');
    await page.keyboard.press('Enter');
    await headingOf(page, 'Clients').waitFor();
    await tabTo(page, 'Create a client');
    await page.keyboard.press('Enter');
    const dialog = page.getByRole('dialog');
    await dialog.waitFor();
    await page.keyboard.type('By keyboard');
    await page.keyboard.press('Tab');
    await page.keyboard.type(service.quickstart.sandbox.organization_id);
    await page.keyboard.press('Enter');
    await dialog.locator('.secret code').waitFor();
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'hidden' });
    await page.close();
  });
});
