import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { anyEngine } from '../support/database/databases.ts';
import { describeInBrowser } from '../support/http/chromium.ts';
import { axeFindings, seriousOf, showInConsole, signInToConsole } from '../support/http/console.ts';
import { useDeliveries } from '../support/webhooks/deliveries.ts';

describeInBrowser('times, ids and bodies in the console', (open) => {
  const { service, endpoint, createProduct, attempted } = useDeliveries(anyEngine);

  async function openEvent(answer: string): Promise<{ page: Page; problems: string[]; id: string }> {
    const subscribed = await endpoint({ events: ['product.created'] }, (_request, response) =>
      response.writeHead(500).end(answer),
    );
    await createProduct();
    await attempted(subscribed, 1);
    const { page, problems } = await signInToConsole(open, service);
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    await showInConsole(page, `/console/webhooks/endpoints/${subscribed.id}`);
    await page.getByRole('link', { name: 'product.created' }).click();
    await page.getByRole('heading', { name: 'The body that is sent' }).waitFor();
    return { page, problems, id: new URL(page.url()).pathname.split('/').at(-1) ?? '' };
  }

  const clipboard = (page: Page) => page.evaluate(() => navigator.clipboard.readText());

  it('[who broke] bodies are indented, shown as they are on demand, and copied as they were sent', async () => {
    const { page, problems, id } = await openEvent('{"reason":"no stock","code":12345678901234567890}');
    await page.locator('details.attempt summary').first().click();
    const answer = page.locator('details.attempt .body-text').first();
    expect(await answer.locator('pre').innerText()).toBe(
      '{\n  "reason": "no stock",\n  "code": 12345678901234567890\n}',
    );
    await page.getByRole('button', { name: 'Raw form of the answer' }).click();
    expect(await answer.locator('pre').innerText()).toBe('{"reason":"no stock","code":12345678901234567890}');
    await page.getByRole('button', { name: 'Copy the body', exact: true }).click();
    await page.getByText('Copied').first().waitFor();
    const sent = await clipboard(page);
    expect(sent).not.toContain('\n');
    expect(JSON.parse(sent)).toMatchObject({ type: 'product.created' });
    await page.getByRole('button', { name: 'Copy the id' }).click();
    await expect.poll(() => clipboard(page)).toBe(id);
    expect(await axeFindings(page)).toEqual([]);
    expect(seriousOf(problems)).toEqual([]);
    await page.close();
  });

  it('[who broke] times have a zone, and seconds and UTC for whoever points, clicks or uses the keyboard', async () => {
    const { page, problems } = await openEvent('not JSON');
    const session = await page.context().newCDPSession(page);
    await session.send('Emulation.setTimezoneOverride', { timezoneId: 'Asia/Tokyo' });
    await page.reload();
    const time = page.getByRole('main').locator('time').first();
    await time.waitFor();
    const at = new Date((await time.getAttribute('datetime')) ?? '');
    const utc = `${at.toISOString().slice(0, 19).replace('T', ' ')} UTC`;
    const inTokyo = `${String(((at.getUTCHours() + 9) % 24) % 12 || 12).padStart(2, '0')}:00`;
    expect(await time.innerText()).toContain(inTokyo);
    expect(await time.innerText()).toMatch(/GMT\+9$/);
    expect(await time.getAttribute('title')).toContain(utc);
    const button = page.getByRole('button', { name: 'Seconds and UTC' });
    await button.focus();
    await page.keyboard.press('Enter');
    expect(await time.innerText()).toContain(`${inTokyo}:00`);
    expect(await time.innerText()).toContain(utc);
    expect(await button.getAttribute('aria-pressed')).toBe('true');
    await time.click();
    expect(await time.innerText()).not.toContain(utc);
    expect(seriousOf(problems)).toEqual([]);
    await page.close();
  });
});
