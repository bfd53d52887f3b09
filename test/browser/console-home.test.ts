import type { Locator, Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { type Day, daysBefore } from '../../src/usage/day.ts';
import { anyEngine } from '../support/database/databases.ts';
import { describeInBrowser } from '../support/http/chromium.ts';
import { seriousOf, showInConsole, signInToConsole } from '../support/http/console.ts';
import { current, deprecated, homeTime, next } from '../support/service/build-versions.ts';
import { operatorCalls } from '../support/service/operator-calls.ts';
import { useTestService } from '../support/service/test-service.ts';

const today = homeTime.slice(0, 10) as Day;

interface Edges {
  left: number;
  right: number;
}

/** Where something is drawn; a stroke is as wide as it is, so half a pixel more or less is the same place. */
async function edgesOf(drawn: Locator): Promise<Edges> {
  const box = await drawn.boundingBox();
  if (!box) throw new Error('it is not drawn');
  return { left: box.x, right: box.x + box.width };
}

const SAME_PLACE = 2;

describeInBrowser('Home of the console', (open) => {
  const service = useTestService(anyEngine);
  const { post, createClient } = operatorCalls(service);

  async function tokenOf(client: { id: string; client_secret: string }): Promise<string> {
    const response = await service.call('sandbox', '/v1/oauth2/token', {
      method: 'POST',
      headers: { 'service-version': next },
      body: new URLSearchParams({
        ...{ grant_type: 'client_credentials', client_id: client.id, client_secret: client.client_secret },
      }),
    });
    expect(response.status).toBe(200);
    return ((await response.json()) as { access_token: string }).access_token;
  }

  async function list(token: string, version: string | undefined, status: number): Promise<void> {
    const named = version === undefined ? {} : { 'service-version': version };
    const headers = { authorization: `Bearer ${token}`, ...named };
    expect((await service.call('sandbox', '/v1/products/', { headers })).status).toBe(status);
  }

  const attention = (page: Page) => page.getByRole('region', { name: 'What needs attention' });
  const drawing = (page: Page) =>
    page.getByRole('img', { name: /^Versions: .*Requests by version, 30 days\.$/ });

  it('[who broke] draws the versions, today, the coming release and the requests of 30 days to the same dates', async () => {
    const client = await createClient({ name: 'Shop front' });
    for (const ago of [29, 3, 0]) {
      service.clock.set(`${daysBefore(today, ago)}T11:00:00Z`);
      const token = await tokenOf(client);
      for (const version of [deprecated, current, next]) await list(token, version, 200);
    }
    service.clock.set(homeTime);
    const { page, problems } = await signInToConsole(open, service);
    for (const width of [1280, 390]) {
      await page.setViewportSize({ width, height: 900 });
      await showInConsole(page, '/console', 'Home');
      const picture = drawing(page);
      const whole = await edgesOf(picture);
      const todayAt = (await edgesOf(picture.locator('.mark.today line'))).left;
      const releaseAt = (await edgesOf(picture.locator('.mark.release line'))).left;
      expect(todayAt).toBeGreaterThan(whole.left);
      expect(releaseAt).toBeGreaterThan(todayAt);
      // The plot ends today, and begins with the first of 30 days.
      for (const state of ['deprecated', 'current', 'next']) {
        const plotted = await edgesOf(picture.locator(`path.${state}`));
        expect(Math.abs(plotted.right - todayAt)).toBeLessThan(SAME_PLACE);
        const dayWidth = (todayAt - plotted.left) / 29;
        expect(Math.abs(plotted.left - dayWidth / 2 - whole.left)).toBeLessThan(SAME_PLACE);
      }
      // Bars change at the release.
      const bars = picture.locator('rect');
      const ends = await Promise.all((await bars.all()).map(edgesOf));
      expect(ends).toHaveLength(6);
      for (const { left, right } of ends) {
        const changesAt = Math.abs(left - whole.left) < SAME_PLACE ? right : left;
        expect(Math.abs(changesAt - releaseAt)).toBeLessThan(SAME_PLACE);
      }
      const texts = await picture.locator('text').allTextContents();
      for (const said of [
        `${deprecated} deprecated`,
        `${current} current`,
        `${next} next`,
        'removed',
        'today',
      ])
        expect(texts.map((text) => text.trim())).toContain(said);
      expect(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth)).toBe(true);
    }
    // Who uses a version is one click away.
    const legend = page.locator('.legend');
    expect(await legend.locator('li.deprecated').innerText()).toBe(`${deprecated} 3`);
    await legend.getByRole('link', { name: deprecated }).click();
    await page.waitForURL(`**/console/usage?version=${deprecated}`);
    expect(seriousOf(problems)).toEqual([]);
    await page.close();
  });

  it('[who broke] tells who breaks next, then who broke, by their names, the worst first and each with its action', async () => {
    const pinned = await createClient({ name: 'Warehouse sync' });
    const unpinned = await createClient({ name: 'Price importer' });
    const tokens = { pinned: await tokenOf(pinned), unpinned: await tokenOf(unpinned) };
    await list(tokens.pinned, deprecated, 200);
    await list(tokens.unpinned, undefined, 200);
    const { page, problems } = await signInToConsole(open, service);
    // The client of the test before has named it too.
    const risk = attention(page).getByText('2 clients will break and 1 client may break');
    await risk.waitFor();
    await attention(page).getByRole('link', { name: 'Who breaks next' }).click();
    const atRisk = page.getByRole('table', { name: 'Clients at risk' }).getByRole('row');
    await atRisk.filter({ hasText: 'Warehouse sync' }).getByText('products:list').waitFor();
    await page.getByRole('button', { name: 'Release now' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByText('The release breaks 2 clients; 1 client may break.').waitFor();
    await dialog.getByRole('button', { name: 'Cancel' }).click();

    expect((await post('/operator/release/run', { reason: 'a rehearsal' })).status).toBe(202);
    service.clock.advanceSeconds(60);
    await expect
      .poll(async () => (await service.call('sandbox', '/versions')).text())
      .toContain(`"current":"${next}"`);
    await list(tokens.pinned, deprecated, 404);
    await list('dl_test_at_nonsense', deprecated, 404);
    await showInConsole(page, '/console', 'Home');
    await attention(page).getByText(`1 client broke at the release of ${next}: Warehouse sync.`).waitFor();
    const action = attention(page).getByRole('link', { name: 'Their requests' });
    expect(await action.getAttribute('href')).toBe(`/console/requests?requested_version=${deprecated}`);
    const broken = page.getByRole('region', { name: 'Broken since the release' });
    const rows = broken.getByRole('table', { name: 'Broken clients' }).getByRole('row');
    // One is the heading.
    expect(await rows.count()).toBe(2);
    expect(await rows.nth(1).innerText()).toContain('Warehouse sync');
    await broken.getByText(`1 request for ${deprecated} of callers that are not known.`).waitFor();
    expect((await drawing(page).locator('text').allTextContents()).map((text) => text.trim())).toContain(
      `${deprecated} removed`,
    );
    const tones = await attention(page).locator('li .badge').allInnerTexts();
    expect(tones).toEqual(tones.toSorted());
    expect(new Set(tones)).toEqual(new Set(['problem', 'warning']));
    await showInConsole(page, '/console/versions', 'Versions');
    await broken.getByRole('link', { name: 'Warehouse sync' }).waitFor();
    expect(seriousOf(problems)).toEqual([]);
    await page.close();
  });
});
