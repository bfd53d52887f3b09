import { type ApiVersion, type Contract, compileApi, type OpenApiDocument } from '@dateline/versions';
import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { apiSource } from '../../src/contracts/api.ts';
import { anyEngine, isFullMatrix } from '../support/database/databases.ts';
import { describeInBrowser, type OpenedPage } from '../support/http/chromium.ts';
import { itInLongRuns } from '../support/run/in-long-runs.ts';
import { current, deprecated, next } from '../support/service/build-versions.ts';
import { documentedOperations } from '../support/service/operator-document.ts';
import { useTestService } from '../support/service/test-service.ts';

const api = compileApi(apiSource());
const contractOf = (version: ApiVersion): Contract => api.get(version)?.contract as Contract;

describeInBrowser('the API reference in a browser', (open) => {
  const service = useTestService(anyEngine);

  async function openReference(path: string): Promise<OpenedPage> {
    const opened = await open(service.urls.sandbox);
    await opened.page.goto(path);
    await opened.page.locator('.search input').waitFor();
    return opened;
  }

  const shownOperations = (page: Page): Promise<string[]> =>
    page
      .locator('.operation:not([hidden]) > summary')
      .evaluateAll((lines) => lines.map((line) => line.textContent?.replaceAll(/\s+/g, ' ') ?? ''));
  const shownPaths = async (page: Page): Promise<string[]> =>
    (await shownOperations(page)).map((line) => line.split(' ').slice(0, 2).join(' ')).sort();
  /** An operation, opened. */
  async function openOperation(page: Page, id: string) {
    const operation = page.locator(`[id="${id}"]`);
    await operation.locator('summary').first().click();
    return operation;
  }

  const states = [
    [next, 'in development'],
    [current, 'Current'],
    [deprecated, 'Deprecated'],
  ] as const;
  it.each(isFullMatrix ? states : states.slice(0, 1))(
    'shows every operation and event of %s once, and the version’s state',
    async (version, state) => {
      const { page, problems } = await openReference(`/docs/${version}`);
      const { operations, events } = contractOf(version);
      const promised = [
        // The service does not tell a slash at the end from none, and its document has none.
        ...operations.map(({ method, path }) => `${method} ${path.replace(/\/$/, '')}`),
        ...events.map(({ kind }) => `event ${kind}`),
      ];
      expect(await shownPaths(page)).toEqual(promised.sort());
      expect(await page.locator('.mark').innerText()).toContain(state);
      expect(await page.getByRole('main').count()).toBe(1);
      expect(problems).toEqual([]);
      await page.close();
    },
  );

  it('finds operations by words of their text, and says how many', async () => {
    const { page, problems } = await openReference(`/docs/${next}`);
    const all = (await shownOperations(page)).length;
    await page.keyboard.press('/');
    await page.keyboard.type('get a token');
    await expect.poll(() => page.locator('#found').innerText()).toMatch(new RegExp(` of ${all} match`));
    expect(await shownPaths(page)).toContain('POST /v1/oauth2/token');
    await page.locator('#search').fill('visibility Products:Write');
    expect(await shownPaths(page)).toEqual(['PATCH /v1/products/{id}', 'POST /v1/products']);
    await page.locator('#search').fill('xylophone');
    expect([await shownOperations(page), await page.locator('.group:visible').count()]).toEqual([[], 0]);
    await page.locator('#search').fill('');
    expect(await shownOperations(page)).toHaveLength(all);
    expect(problems).toEqual([]);
    await page.close();
  });

  it('opens the operation that a link names, with its scope, its fields, and samples in one language at a time', async () => {
    const { page, problems } = await openReference(`/docs/${next}#products-create`);
    const operation = page.locator('#products-create');
    await operation.getByText('Needs a token with the scope products:write.').waitFor();
    expect(await operation.innerText()).toContain('prices[].amount');
    const shownSamples = () => operation.locator('.sample:visible figcaption').allInnerTexts();
    expect(await shownSamples()).toEqual(['curl']);
    await page.getByRole('button', { name: 'JavaScript' }).click();
    expect(await shownSamples()).toEqual(['JavaScript']);
    expect(await operation.locator('.sample:visible').innerText()).toContain('client.products.create({');
    expect(problems).toEqual([]);
    await page.close();
  });

  it('gets a token with the client’s id and secret, and its first calls succeed', async () => {
    const { page, problems } = await openReference(`/docs/${deprecated}`);
    const { client_id, client_secret } = service.quickstart.sandbox;
    await page.getByText('Credentials for trying calls').click();
    await page.getByLabel('Client id').fill(client_id);
    await page.getByLabel('Client secret').fill(client_secret);
    await page.getByRole('button', { name: 'Get a token' }).click();
    await page.getByText('It has the scopes').waitFor();
    for (const [id, status] of [
      ['organizations-list', 200],
      ['products-create', 201],
      // The id of what was just made is filled in.
      ['products-read', 200],
      ['oauth2-introspect_token', 200],
    ] as const) {
      const operation = await openOperation(page, id);
      await operation.getByRole('button', { name: 'Send' }).click();
      await expect.poll(() => operation.locator('output').innerText()).toContain(`HTTP ${status}`);
      expect(await operation.locator('output').innerText()).toContain(`service-version: ${deprecated}`);
    }
    expect(problems).toEqual([]);
    await page.close();
  });

  itInLongRuns('says what a call without a token lacks', async () => {
    const { page } = await openReference(`/docs/${current}`);
    const operation = await openOperation(page, 'organizations-list');
    await operation.getByRole('button', { name: 'Send' }).click();
    await operation.getByText('No token was sent').waitFor();
    expect(await operation.locator('output').innerText()).toContain('HTTP 401');
    await page.close();
  });

  itInLongRuns('switches to another version, and links to its release notes', async () => {
    const { page, problems } = await openReference(`/docs/${current}`);
    await page
      .getByRole('navigation', { name: 'API version' })
      .getByRole('link', { name: deprecated })
      .click();
    await page.getByRole('heading', { name: `API reference of ${deprecated}` }).waitFor();
    await page.getByRole('link', { name: 'Release notes' }).click();
    await page.getByRole('heading', { name: `Release notes of ${deprecated}` }).waitFor();
    await page.getByRole('link', { name: 'Versions', exact: true }).click();
    await page.getByRole('heading', { name: 'How to upgrade' }).waitFor();
    expect(problems).toEqual([]);
    await page.close();
  });

  itInLongRuns(
    '[outside 10] shows every operation of the operator API, with the role that it needs, and sends a call with the key that it was given',
    async () => {
      const { page, problems } = await openReference('/operator/docs');
      const document = await (await service.call('sandbox', '/operator/openapi.json')).json();
      const promised = documentedOperations(document as OpenApiDocument);
      expect(await shownPaths(page)).toEqual(promised.map(({ method, path }) => `${method} ${path}`).sort());
      const created = await openOperation(page, 'create_operator_key');
      expect(await created.innerText()).toContain('Needs an operator key with the role admin.');
      await page.getByText('Credentials for trying calls').click();
      await page.getByLabel('Operator key', { exact: true }).fill(service.quickstart.sandbox.operator_key);
      const me = page.locator('.operation', { has: page.locator('.path', { hasText: /^\/operator\/me$/ }) });
      await me.locator('summary').first().click();
      await me.getByRole('button', { name: 'Send' }).click();
      await expect.poll(() => me.locator('output').innerText()).toContain('"role": "admin"');
      expect(problems).toEqual([]);
      await page.close();
    },
  );
});
