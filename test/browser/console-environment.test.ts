import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { anyEngine } from '../support/database/databases.ts';
import { describeInBrowser } from '../support/http/chromium.ts';
import { axeFindings, headingOf, seriousOf, showInConsole } from '../support/http/console.ts';
import { useTestService } from '../support/service/test-service.ts';

describeInBrowser('the environment in the console', (open) => {
  const service = useTestService(anyEngine);
  const band = (page: Page) => page.getByRole('complementary', { name: 'Environment' });

  async function openIn(environment: 'production' | 'sandbox'): Promise<Awaited<ReturnType<typeof open>>> {
    const opened = await open(service.urls[environment]);
    await opened.page.goto('/console');
    await opened.page.getByLabel('Operator key').waitFor();
    return opened;
  }

  async function signIn(page: Page, operatorKey: string, heading = 'Home'): Promise<void> {
    await page.getByLabel('Operator key').fill(operatorKey);
    await page.getByRole('button', { name: 'Sign in' }).click();
    await headingOf(page, heading).waitFor();
  }

  it('[who broke] production is marked by a word, a colour and the title, before and after signing in', async () => {
    const colours: string[] = [];
    for (const environment of ['production', 'sandbox'] as const) {
      const { page, problems } = await openIn(environment);
      const [word, other, title] =
        environment === 'production'
          ? [/^Production\b/, 'Switch to sandbox', 'PRODUCTION console']
          : [/^Sandbox\b/, 'Switch to production', 'Sandbox console'];
      expect(await page.title()).toBe(`${title} · Dateline`);
      expect(await band(page).innerText()).toMatch(new RegExp(word.source, 'i'));
      await signIn(page, service.quickstart[environment].operator_key);
      expect(await page.title()).toBe(`Home · ${title} · Dateline`);
      for (const width of [1280, 390]) {
        await page.setViewportSize({ width, height: 800 });
        expect(await band(page).innerText()).toMatch(new RegExp(word.source, 'i'));
        await page.getByRole('link', { name: other }).waitFor();
        expect(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth)).toBe(true);
      }
      expect(await axeFindings(page)).toEqual([]);
      colours.push(await band(page).evaluate((element) => getComputedStyle(element).backgroundColor));
      expect(seriousOf(problems).filter((one) => !one.includes('401'))).toEqual([]);
      await page.close();
    }
    expect(colours[0]).toBe('rgb(180, 35, 24)');
    expect(colours[1]).not.toBe(colours[0]);
  });

  it('[who broke] the mark of production stays in sight on a long page', async () => {
    const { page } = await openIn('production');
    await signIn(page, service.quickstart.production.operator_key);
    await page.setViewportSize({ width: 390, height: 300 });
    await page.evaluate(() => scrollTo(0, 5_000));
    expect(await page.evaluate(() => scrollY)).toBeGreaterThan(100);
    expect(await band(page).evaluate((element) => element.getBoundingClientRect().top)).toBe(0);
    await page.close();
  });

  it('[who broke] the switch leads to the same page of the other one, and from one thing to its list', async () => {
    const { page } = await openIn('sandbox');
    await signIn(page, service.quickstart.sandbox.operator_key);
    const to = service.urls.production;
    const { client_id: client, organization_id: organization } = service.quickstart.sandbox;
    const leads = {
      '/console': `${to}/console`,
      '/console/audit?action=client.created': `${to}/console/audit`,
      [`/console/clients/${client}`]: `${to}/console/clients`,
      [`/console/people/organizations/${organization}`]: `${to}/console/people`,
      '/console/people/users/usr_1': `${to}/console/people?view=users`,
    };
    const link = page.getByRole('link', { name: 'Switch to production' });
    for (const [path, href] of Object.entries(leads)) {
      await page.goto(path);
      await page.getByRole('button', { name: 'Sign out' }).waitFor();
      expect([path, await link.getAttribute('href')]).toEqual([path, href]);
    }
    await showInConsole(page, '/console/clients', 'Clients');
    await link.click();
    await page.waitForURL(`${to}/console/clients`);
    await signIn(page, service.quickstart.production.operator_key, 'Clients');
    expect(await page.title()).toBe('Clients · PRODUCTION console · Dateline');
    await page.close();
  });
});
