import { type ApiVersion, type Contract, compileApi, type OpenApiDocument } from '@dateline/versions';
import { expect, it } from 'vitest';
import { apiSource } from '../../src/contracts/api.ts';
import { current, deprecated, next } from '../support/build-versions.ts';
import { describeInBrowser, type OpenedPage } from '../support/chromium.ts';
import { anyEngine, isFullMatrix } from '../support/databases.ts';
import { itInLongRuns } from '../support/in-long-runs.ts';
import { documentedOperations } from '../support/operator-document.ts';
import { useTestService } from '../support/test-service.ts';

const api = compileApi(apiSource());
const contractOf = (version: ApiVersion): Contract => api.get(version)?.contract as Contract;

describeInBrowser('the API reference in a browser', (open) => {
  const service = useTestService(anyEngine);

  async function openReference(version: ApiVersion): Promise<OpenedPage> {
    const opened = await open(service.urls.sandbox);
    await opened.page.goto(`/docs/${version}`);
    await opened.page.locator('.opblock').first().waitFor();
    return opened;
  }

  async function shownBlocks({ page }: OpenedPage): Promise<string[]> {
    const summaries = await page.locator('.opblock-summary').all();
    const texts = summaries.map(async (summary) => {
      const method = await summary.locator('.opblock-summary-method').innerText();
      const path = await summary.locator('.opblock-summary-path').innerText();
      // Zero-width spaces let long paths wrap.
      return `${method} ${path}`.replaceAll('\u200b', '');
    });
    return (await Promise.all(texts)).sort();
  }

  const states = [
    [next, 'in development'],
    [current, 'Current'],
    [deprecated, 'Deprecated'],
  ] as const;
  // Opening a reference takes seconds: all of them in long runs, the newest always.
  it.each(isFullMatrix ? states : states.slice(0, 1))(
    'shows every operation and event of %s once, and the version’s state',
    async (version, state) => {
      const opened = await openReference(version);
      const { operations, events } = contractOf(version);
      const promised = [
        // The service does not tell a slash at the end from none, and its document has none.
        ...operations.map(({ method, path }) => `${method} ${path.replace(/\/$/, '')}`),
        ...events.map(({ kind }) => `POST ${kind}`),
      ];
      expect(await shownBlocks(opened)).toEqual(promised.sort());
      expect(await opened.page.locator('.mark').innerText()).toContain(state);
      expect(await opened.page.getByRole('main').count()).toBe(1);
      expect(opened.trouble).toEqual([]);
      await opened.page.close();
    },
  );

  itInLongRuns('opens an operation with its scope and its fields', async () => {
    const { page, trouble } = await openReference(next);
    const block = page.locator('.opblock-post', { has: page.locator('[data-path="/v1/products"]') });
    await block.locator('.opblock-summary-control').click();
    await block.getByText('Needs a token with the scope products:write.').waitFor();
    expect(await block.locator('.body-param__example').innerText()).toContain('"visibility"');
    await block.getByRole('tab', { name: 'Schema' }).first().click();
    await block.getByText('metadata').first().waitFor();
    expect(trouble).toEqual([]);
    await page.close();
  });

  itInLongRuns('switches to another version, and links to its release notes', async () => {
    const { page, trouble } = await openReference(current);
    await page
      .getByRole('navigation', { name: 'API version' })
      .getByRole('link', { name: deprecated })
      .click();
    await page.getByRole('heading', { name: `API reference of ${deprecated}` }).waitFor();
    await page.locator('.opblock').first().waitFor();
    await page.getByRole('link', { name: 'Release notes' }).click();
    await page.getByRole('heading', { name: `Release notes of ${deprecated}` }).waitFor();
    await page.getByRole('link', { name: 'Versions', exact: true }).click();
    await page.getByRole('heading', { name: 'How to upgrade' }).waitFor();
    expect(trouble).toEqual([]);
    await page.close();
  });

  it('sends a call in the version that is shown', async () => {
    const { page, trouble } = await openReference(deprecated);
    await page.locator('.scheme-container .authorize').click();
    // The bearer token comes first; the other inputs belong to single operations.
    await page.locator('.auth-container input').first().fill(service.quickstart.sandbox.access_token);
    await page.locator('.auth-btn-wrapper .authorize').first().click();
    await page.locator('.auth-btn-wrapper .btn-done').first().click();
    const block = page.locator('.opblock-get', { has: page.locator('[data-path="/v1/organizations"]') });
    await block.locator('.opblock-summary-control').click();
    await block.locator('.try-out__btn').click();
    await block.locator('.execute').click();
    const answer = await block.locator('.live-responses-table').innerText();
    expect(answer).toContain('Demo organization');
    expect(answer).toContain(`service-version: ${deprecated}`);
    expect(trouble).toEqual([]);
    await page.close();
  });

  itInLongRuns(
    '[outside 10] shows every operation of the operator API, with the role that it needs',
    async () => {
      const opened = await open(service.urls.sandbox);
      const { page, trouble } = opened;
      await page.goto('/operator/docs');
      await page.locator('.opblock').first().waitFor();
      const document = await (await service.call('sandbox', '/operator/openapi.json')).json();
      const promised = documentedOperations(document as OpenApiDocument);
      expect(await shownBlocks(opened)).toEqual(
        promised.map(({ method, path }) => `${method} ${path}`).sort(),
      );
      const block = page.locator('.opblock-post', {
        has: page.locator('[data-path="/operator/operator-keys"]'),
      });
      await block.locator('.opblock-summary-control').click();
      await block.getByText('Needs an operator key with the role admin.').waitFor();
      expect(await block.locator('.body-param__example').innerText()).toContain('"role"');
      expect(trouble).toEqual([]);
      await page.close();
    },
  );

  itInLongRuns(
    '[outside 10] sends a call of the operator API with the key that was given to the page',
    async () => {
      const { page, trouble } = await open(service.urls.sandbox);
      await page.goto('/operator/docs');
      await page.locator('.scheme-container .authorize').click();
      await page.locator('.auth-container input').first().fill(service.quickstart.sandbox.operator_key);
      await page.locator('.auth-btn-wrapper .authorize').first().click();
      await page.locator('.auth-btn-wrapper .btn-done').first().click();
      const block = page.locator('.opblock-get', { has: page.locator('[data-path="/operator/me"]') });
      await block.locator('.opblock-summary-control').click();
      await block.locator('.try-out__btn').click();
      await block.locator('.execute').click();
      expect(await block.locator('.live-responses-table').innerText()).toContain('"role": "admin"');
      expect(trouble).toEqual([]);
      await page.close();
    },
  );
});
