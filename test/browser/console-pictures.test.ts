import { mkdirSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { type Day, daysBefore } from '../../src/usage/day.ts';
import { anyEngine, isFullMatrix } from '../support/database/databases.ts';
import { describeInBrowser } from '../support/http/chromium.ts';
import { showInConsole, signInToConsole } from '../support/http/console.ts';
import { current, deprecated, homeTime, next } from '../support/service/build-versions.ts';
import { operatorCalls } from '../support/service/operator-calls.ts';
import { useDeliveries } from '../support/webhooks/deliveries.ts';

/** Where the pictures of `docs/console.md` are written to, if they are to be made anew. */
const { PICTURES } = process.env;
/** All of them, to look at. */
const folder = join(tmpdir(), 'dateline-pictures');

const SIZES = { wide: { width: 1200, height: 820 }, narrow: { width: 360, height: 740 } };

describeInBrowser('pictures of the console', (open) => {
  const { service, call, endpoint, createProduct, attempted } = useDeliveries(anyEngine);
  const operator = operatorCalls(service);

  /** Some weeks in the life of a service. Answers with the address of each view. */
  async function seed(): Promise<Record<string, string>> {
    const clients = [];
    for (const name of ['Warehouse sync', 'Shop front', 'Price importer', 'Support desk']) {
      const made = await operator.createClient({ name });
      const issued = await service.call('sandbox', '/v1/oauth2/token', {
        method: 'POST',
        body: new URLSearchParams({
          grant_type: 'client_credentials',
          client_id: made.id,
          client_secret: made.client_secret,
        }),
      });
      clients.push({
        id: made.id,
        token: ((await issued.json()) as { access_token: string }).access_token,
      });
    }
    const today = homeTime.slice(0, 10) as Day;
    for (let ago = 20; ago >= 0; ago -= 1) {
      service.clock.set(`${daysBefore(today, ago)}T11:00:00Z`);
      for (const [index, { token }] of clients.entries()) {
        const version = index === 0 ? deprecated : index === 3 && ago < 6 ? next : current;
        const count = 2 + ((ago * 7 + index * 5) % 9) + (version === deprecated ? ago / 3 : 0);
        for (let sent = 0; sent < count; sent += 1)
          await service.call('sandbox', '/v1/products/', {
            headers: {
              authorization: `Bearer ${token}`,
              ...(index === 2 ? {} : { 'service-version': version }),
            },
          });
      }
    }
    service.clock.set(homeTime);
    for (let sent = 0; sent < 7; sent += 1)
      await call('GET', '/v1/products/?limit=5000', undefined, sent < 4 ? current : deprecated);
    const failing = await endpoint(
      { events: ['product.created'], description: 'Stock of the warehouse' },
      (_request, response) =>
        response.writeHead(503, { 'retry-after': '30', server: 'nginx' }).end('upstream is down'),
    );
    await endpoint({ events: ['*'] });
    await createProduct({ name: 'Tea pot' });
    await attempted(failing, 1);
    const { body: events } = await operator.get(`/operator/webhooks/events?endpoint_id=${failing.id}`);
    const { body: explained } = await operator.post('/operator/tokens/explain', {
      token: service.quickstart.sandbox.access_token,
    });
    return {
      home: '/console',
      versions: '/console/versions',
      usage: '/console/usage',
      client: `/console/clients/${clients[0]?.id}`,
      clients: '/console/clients',
      token: `/console/tokens?id=${explained.token.id}`,
      requests: '/console/requests',
      webhooks: '/console/webhooks',
      delivery: `/console/webhooks/events/${events.items[0].id}`,
      people: '/console/people',
      organization: `/console/people/organizations/${service.quickstart.sandbox.organization_id}`,
      audit: '/console/audit',
      keys: '/console/keys',
    };
  }

  /** Those of `docs/console.md`; `npm run docs` makes the one of Home. */
  const documented = ['usage', 'token', 'delivery'];

  it.runIf(isFullMatrix || PICTURES !== undefined)(
    '[console] are made of every screen, wide and narrow, light and dark',
    async () => {
      for (const one of [folder, PICTURES ?? folder]) mkdirSync(one, { recursive: true });
      const views = await seed();
      const { page } = await signInToConsole(open, service);
      for (const [name, path] of Object.entries(views)) {
        await page.setViewportSize(SIZES.wide);
        await showInConsole(page, path);
        if (name === 'delivery') await page.locator('details.attempt summary').first().click();
        for (const colorScheme of ['light', 'dark'] as const)
          for (const [size, viewport] of Object.entries(SIZES)) {
            await page.emulateMedia({ colorScheme });
            await page.setViewportSize(viewport);
            // A plot is drawn anew for its new width.
            await page.waitForTimeout(300);
            const picture = await page.screenshot({ fullPage: true });
            writeFileSync(join(folder, `${name}-${size}-${colorScheme}.png`), picture);
            const isForDocs = size === 'wide' && colorScheme === 'light' && documented.includes(name);
            if (PICTURES && isForDocs) writeFileSync(join(PICTURES, `${name}.png`), picture);
            expect(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth)).toBe(true);
          }
      }
      await page.close();
    },
    240_000,
  );
});
