import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { type Day, daysBefore } from '../../src/usage/day.ts';
import { anyEngine } from '../support/database/databases.ts';
import { describeInBrowser } from '../support/http/chromium.ts';
import { axeFindings, seriousOf, showInConsole, signInToConsole } from '../support/http/console.ts';
import { smallPng } from '../support/http/small-png.ts';
import { firstOf } from '../support/run/in-long-runs.ts';
import { current, deprecated, homeTime, next, removed } from '../support/service/build-versions.ts';
import { operatorCalls } from '../support/service/operator-calls.ts';
import { useDeliveries } from '../support/webhooks/deliveries.ts';

/** Where pictures are written to, if they are to be made anew: `docs/console`. */
const { PICTURES } = process.env;

const WIDE = { width: 1280, height: 820 };
const NARROW = { width: 390, height: 844 };

interface Look {
  size: typeof WIDE;
  colorScheme: 'light' | 'dark';
}

/** The first one always; all where pictures are taken, and in long runs. */
const LOOKS = firstOf<Look>(
  [
    { size: NARROW, colorScheme: 'dark' },
    { size: WIDE, colorScheme: 'light' },
    { size: NARROW, colorScheme: 'light' },
    { size: WIDE, colorScheme: 'dark' },
  ],
  PICTURES === undefined ? 1 : 4,
);
/** A long list looks the same below that. */
const HEIGHT_MAX = 2_000;

const TODAY = homeTime.slice(0, 10) as Day;
/** The clients call for so many days. */
const FIRST_DAY = 20;

/** A screen as it is pictured. */
interface View {
  /** The pattern of its route. */
  route: string;
  path: string;
  /** What is done before the picture is taken. */
  prepare?(page: Page): Promise<void>;
}

/** The patterns of all routes, as the console has them. */
function routes(): string[] {
  const source = readFileSync('console/src/app.tsx', 'utf8');
  return [...source.matchAll(/^ {2}\['(\/[^']*)', /gm)].map(([, pattern]) => pattern as string);
}

describeInBrowser('pictures of the console', (open) => {
  const { service, call, endpoint, createProduct, attempted } = useDeliveries(anyEngine);
  const operator = operatorCalls(service);
  const { post } = operator;

  interface Caller {
    id: string;
    secret: string;
    token: string;
  }

  async function createCaller(name: string, organizationId: string): Promise<Caller> {
    const { body } = await post('/operator/clients', {
      ...{ name, organization_id: organizationId, kind: 'confidential' },
      scopes: ['products:read', 'products:write'],
    });
    const caller = { id: body.id, secret: body.client_secret };
    return { ...caller, token: await tokenOf(caller) };
  }

  async function tokenOf({ id, secret }: Omit<Caller, 'token'>): Promise<string> {
    const form = { grant_type: 'client_credentials', client_id: id, client_secret: secret };
    const issued = await service.call('sandbox', '/v1/oauth2/token', {
      method: 'POST',
      headers: { 'service-version': current },
      body: new URLSearchParams(form),
    });
    return ((await issued.json()) as { access_token: string }).access_token;
  }

  async function list({ token }: Caller, version?: string, query = ''): Promise<number> {
    const { status } = await service.call('sandbox', `/v1/products/${query}`, {
      headers: {
        authorization: `Bearer ${token}`,
        ...(version === undefined ? {} : { 'service-version': version }),
      },
    });
    return status;
  }

  async function createOrganizations(): Promise<string[]> {
    const ids: string[] = [];
    for (const name of ['Northwind Trading', 'Harbour Books', 'Alpine Outdoor'])
      ids.push((await post('/operator/organizations', { name })).body.id);
    for (const [index, [name, email]] of [
      ['Ada Lovelace', 'ada@northwind.example'],
      ['Grace Hopper', 'grace@harbour.example'],
      ['Edsger Dijkstra', 'edsger@alpine.example'],
    ].entries()) {
      const password = 'correct horse battery staple';
      const { body } = await post('/operator/users', { name, email, password });
      await post(`/operator/organizations/${ids[index]}/members`, { user_id: body.id });
    }
    return ids;
  }

  /** Three weeks of calls: one client stays on Deprecated, one names nothing, one tries Next. */
  async function callForWeeks(callers: readonly Caller[]): Promise<void> {
    for (let ago = FIRST_DAY; ago >= 0; ago -= 1) {
      service.clock.set(`${daysBefore(TODAY, ago)}T11:00:00Z`);
      for (const [index, caller] of callers.entries()) {
        const fresh = { ...caller, token: await tokenOf(caller) };
        const version = [deprecated, current, undefined, ago < 6 ? next : current][index];
        const count = 1 + ((ago * 7 + index * 5) % 5) + (version === deprecated ? Math.floor(ago / 4) : 0);
        for (let sent = 0; sent < count; sent += 1) expect(await list(fresh, version)).toBe(200);
      }
    }
    service.clock.set(homeTime);
  }

  async function fail({ id, token, secret }: Caller, caller: Caller): Promise<void> {
    const fresh = { id, secret, token };
    for (let sent = 0; sent < 7; sent += 1)
      expect(await list(fresh, sent < 4 ? current : deprecated, '?limit=5000')).toBe(422);
    for (let sent = 0; sent < 3; sent += 1) expect(await list(caller, removed)).toBe(404);
    const guess = { grant_type: 'client_credentials', client_id: caller.id, client_secret: 'wrong' };
    const { status } = await service.call('sandbox', '/v1/oauth2/token', {
      method: 'POST',
      body: new URLSearchParams(guess),
    });
    expect(status).toBe(401);
  }

  async function endToken({ id, secret }: Caller): Promise<string> {
    const token = await tokenOf({ id, secret });
    const { body } = await post('/operator/tokens/explain', { token });
    await post(`/operator/tokens/${body.token.id}/revoke`, { reason: 'Seen in a support chat' });
    return body.token.id;
  }

  async function deliver(): Promise<{ endpointId: string; eventId: string }> {
    const failing = await endpoint(
      { events: ['product.created', 'product.updated'], description: 'Stock of the warehouse' },
      (_request, response) =>
        response
          .writeHead(503, {
            ...{ 'retry-after': '30', server: 'nginx', 'content-type': 'application/json' },
            date: service.clock.now().toUTCString(),
          })
          .end('{"error":"upstream is down"}'),
    );
    const working = await endpoint({ events: ['*'], description: 'Search index', api_version: deprecated });
    const product = await createProduct({ name: 'Tea pot' });
    await attempted(failing, 1);
    await call('PATCH', `/v1/products/${product.id}`, { name: 'Tea pot, blue' }, current);
    service.clock.advanceSeconds(120);
    await attempted(failing, 2);
    await attempted(working, 1);
    const { body } = await operator.get(`/operator/webhooks/events?endpoint_id=${failing.id}`);
    const first = body.items.find(({ type }: { type: string }) => type === 'product.created');
    return { endpointId: failing.id, eventId: first.id };
  }

  /** Some weeks in the life of a service, and what there is to see of it. */
  async function views(): Promise<Record<string, View>> {
    service.clock.set(`${daysBefore(TODAY, FIRST_DAY)}T09:00:00Z`);
    const [northwind = '', harbour = '', alpine = ''] = await createOrganizations();
    const callers = [
      await createCaller('Warehouse sync', northwind),
      await createCaller('Shop front', harbour),
      await createCaller('Price importer', alpine),
      await createCaller('Support desk', harbour),
    ] as const;
    for (const [name, role] of [
      ['Ann, support desk', 'support'],
      ['Grafana', 'viewer'],
    ])
      await post('/operator/operator-keys', { name, role });
    await callForWeeks(callers);
    const fresh = await Promise.all(
      callers.map(async (caller) => ({ ...caller, token: await tokenOf(caller) })),
    );
    const [warehouse, shop, importer] = fresh as [Caller, Caller, Caller];
    await fail(shop, importer);
    const tokenId = await endToken(warehouse);
    const { endpointId, eventId } = await deliver();
    const { body: explained } = await post('/operator/tokens/explain', {
      token: service.quickstart.sandbox.access_token,
    });
    return {
      home: { route: '/', path: '/' },
      versions: { route: '/versions', path: '/versions' },
      usage: { route: '/usage', path: '/usage' },
      clients: { route: '/clients', path: '/clients' },
      client: { route: '/clients/:id', path: `/clients/${warehouse.id}` },
      token: { route: '/tokens', path: `/tokens?id=${tokenId}` },
      requests: { route: '/requests', path: '/requests' },
      webhooks: { route: '/webhooks', path: '/webhooks' },
      endpoint: { route: '/webhooks/endpoints/:id', path: `/webhooks/endpoints/${endpointId}` },
      event: {
        route: '/webhooks/events/:id',
        path: `/webhooks/events/${eventId}`,
        prepare: (page) => page.locator('details.attempt summary').first().click(),
      },
      people: { route: '/people', path: '/people' },
      user: { route: '/people/users/:id', path: `/people/users/${explained.token.sub}` },
      organization: { route: '/people/organizations/:id', path: `/people/organizations/${northwind}` },
      audit: { route: '/audit', path: '/audit' },
      keys: { route: '/keys', path: '/keys' },
    };
  }

  async function photograph(page: Page, name: string): Promise<void> {
    if (PICTURES === undefined) return;
    // As whoever opens the page sees it: from its beginning, with nothing pointed at.
    await page.evaluate(() => scrollTo(0, 0));
    await page.mouse.move(0, 0);
    // A plot is drawn anew for its new width and colours.
    await page.waitForTimeout(300);
    const { width, height } = await page.evaluate(() => ({
      width: innerWidth,
      height: document.documentElement.scrollHeight,
    }));
    const clip = { x: 0, y: 0, width, height: Math.min(height, HEIGHT_MAX) };
    writeFileSync(join(PICTURES, `${name}.png`), smallPng(await page.screenshot({ fullPage: true, clip })));
  }

  it('[console] every screen has no finding of axe, no error and nothing too wide', async () => {
    if (PICTURES !== undefined) mkdirSync(PICTURES, { recursive: true });
    const all = await views();
    // The clock was set; the node leaves its sign a moment later.
    await expect.poll(async () => (await operator.get('/operator/nodes')).body.items.length).toBe(1);
    expect(Object.values(all).map(({ route }) => route)).toEqual(routes());
    const { page, problems } = await signInToConsole(open, service);
    await page.clock.setFixedTime(service.clock.now());
    const found: string[] = [];
    for (const [name, { path, prepare }] of Object.entries(all)) {
      await showInConsole(page, `/console${path === '/' ? '' : path}`);
      await prepare?.(page);
      for (const { size, colorScheme } of LOOKS) {
        await page.setViewportSize(size);
        await page.emulateMedia({ colorScheme });
        const where = `${name}-${size.width}-${colorScheme}`;
        await photograph(page, where);
        found.push(...(await axeFindings(page)).map((finding) => `${where}: ${finding}`));
        if (await page.evaluate(() => document.documentElement.scrollWidth > innerWidth))
          found.push(`${where}: is too wide`);
      }
    }
    expect([...found, ...seriousOf(problems)]).toEqual([]);
    await page.close();
  }, 600_000);
});
