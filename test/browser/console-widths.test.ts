import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import { anyEngine } from '../support/database/databases.ts';
import { describeInBrowser } from '../support/http/chromium.ts';
import { consoleScreens, showInConsole, signInToConsole } from '../support/http/console.ts';
import { itInLongRuns } from '../support/run/in-long-runs.ts';
import { current, deprecated } from '../support/service/build-versions.ts';
import { operatorCalls } from '../support/service/operator-calls.ts';
import { useDeliveries } from '../support/webhooks/deliveries.ts';

/** A folder for pictures of what is measured, to look at. */
const { WIDTH_PICTURES } = process.env;

const WORD = 'Donaudampfschifffahrtselektrizitaetenhauptbetriebswerkbauunterbeamtengesellschaft';

describeInBrowser('the width of the console', (open) => {
  const { service, call, endpoint, createProduct, attempted } = useDeliveries(anyEngine);
  const { get, post } = operatorCalls(service);

  /** Names, addresses and reasons as long as they may be, without a space. Answers with the views of them. */
  async function leaveLongText(): Promise<string[]> {
    const name = `${WORD}${WORD}`;
    const { organization_id, client_id, access_token } = service.quickstart.sandbox;
    await service.operate('sandbox', `/operator/organizations/${organization_id}`, {
      method: 'PATCH',
      body: { name },
    });
    await service.operate('sandbox', `/operator/clients/${client_id}`, { method: 'PATCH', body: { name } });
    const { body: user } = await post('/operator/users', {
      name,
      email: `${WORD}@${WORD}.example.com`,
      password: 'correct horse battery staple',
    });
    await post(`/operator/organizations/${organization_id}/members`, { user_id: user.id });
    await post('/operator/operator-keys', { name, role: 'viewer' });
    const failing = await endpoint(
      { events: ['product.created'], description: name, api_version: deprecated },
      (_request, response) => response.writeHead(503, { 'x-long': name }).end(name.repeat(10)),
    );
    await call('PATCH', `/v1/webhooks/endpoints/${failing.id}`, {
      url: `http://127.0.0.1:${failing.receiver.port}/${WORD}/${WORD}?token=${WORD}`,
    });
    await createProduct({ name });
    const event = await attempted(failing, 1);
    for (const version of [current, deprecated])
      expect((await call('GET', '/v1/products/?limit=5000', undefined, version)).status).toBe(422);
    const unserved = await call('GET', '/v1/products/', undefined, '1999-01');
    expect(unserved.status).toBe(404);
    const { body: explained } = await post('/operator/tokens/explain', { token: access_token });
    const { token } = explained;
    await post(`/operator/tokens/${token.id}/revoke`, { reason: `${name} ${name}` });
    await post('/operator/release/run', { reason: name, outside_window: true });
    service.clock.advanceSeconds(60);
    await post('/operator/release/undo', { reason: name, outside_window: true });
    service.clock.advanceSeconds(60);
    return [
      ...consoleScreens.map(([path]) => path),
      '/console/usage?by=organization',
      '/console/requests?code=validation_failed',
      `/console/clients/${client_id}`,
      `/console/tokens?id=${token.id}`,
      `/console/people/organizations/${organization_id}`,
      `/console/people/users/${token.sub}`,
      `/console/people/users/${user.id}`,
      `/console/webhooks/endpoints/${failing.id}`,
      `/console/webhooks/events/${event.id}`,
    ];
  }

  itInLongRuns(
    '[console] is that of the window at 1280 and 390 px, whatever is shown, and no table scrolls at 1280',
    async () => {
      const views = await leaveLongText();
      await get('/operator/failed-requests');
      const { page } = await signInToConsole(open, service);
      const findings: string[] = [];
      for (const path of views) {
        await page.setViewportSize({ width: 1280, height: 900 });
        await showInConsole(page, path);
        await page.locator('details').evaluateAll((all) => {
          for (const one of all) one.setAttribute('open', '');
        });
        for (const width of [1280, 390]) {
          await page.setViewportSize({ width, height: 900 });
          findings.push(...(await settledTooWide(page)).map((one) => `${width} ${path}: ${one}`));
          await keepPicture(page, `${width}${path}`);
        }
      }
      expect(findings).toEqual([]);
      await page.close();
    },
    180_000,
  );
});

/** Once the plots are drawn for the width, which takes a frame or some on a busy machine. */
async function settledTooWide(page: Page): Promise<string[]> {
  const deadline = Date.now() + 10_000;
  let found = await tooWide(page);
  while (found.length > 0 && Date.now() < deadline) {
    await page.evaluate(() => new Promise((resolve) => requestAnimationFrame(resolve)));
    found = await tooWide(page);
  }
  return found;
}

/** What is wider than its box: the page itself, and at 1280 px a table. */
async function tooWide(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const found: string[] = [];
    const root = document.documentElement;
    if (root.scrollWidth > innerWidth) found.push(`the page has ${root.scrollWidth} px`);
    if (innerWidth < 1280) return found;
    for (const box of document.querySelectorAll('.scrolls'))
      if (box.scrollWidth > box.clientWidth)
        found.push(`${box.getAttribute('aria-label')} has ${box.scrollWidth} px in ${box.clientWidth}`);
    return found;
  });
}

async function keepPicture(page: Page, name: string): Promise<void> {
  if (!WIDTH_PICTURES) return;
  mkdirSync(WIDTH_PICTURES, { recursive: true });
  const file = `${name.replaceAll(/[^\w]+/g, '-')}.png`;
  writeFileSync(join(WIDTH_PICTURES, file), await page.screenshot({ fullPage: true }));
}
