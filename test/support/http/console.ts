import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Page } from 'playwright-core';
import type { TestService } from '../service/test-service.ts';
import type { OpenedPage } from './chromium.ts';

/** Every screen that is not about one thing, and its heading. */
export const consoleScreens = [
  ['/console', 'Home'],
  ['/console/versions', 'Versions'],
  ['/console/usage', 'Usage'],
  ['/console/clients', 'Clients'],
  ['/console/tokens', 'Tokens'],
  ['/console/requests', 'Failed requests'],
  ['/console/webhooks', 'Webhooks'],
  ['/console/webhooks?view=events', 'Webhooks'],
  ['/console/people', 'Organizations and people'],
  ['/console/people?view=users', 'Organizations and people'],
  ['/console/audit', 'Audit log'],
  ['/console/keys', 'Keys'],
] as const;

type Open = (origin: string) => Promise<OpenedPage>;

/** A service whose console is opened: where, and with which key. */
export interface ConsoleAt {
  urls: Pick<TestService['urls'], 'sandbox'>;
  quickstart: { sandbox: Pick<TestService['quickstart']['sandbox'], 'operator_key'> };
}

/** An operator in a browser, signed in to the console of the sandbox. */
export async function signInToConsole(
  open: Open,
  service: ConsoleAt,
  operatorKey = service.quickstart.sandbox.operator_key,
): Promise<OpenedPage> {
  const opened = await open(service.urls.sandbox);
  const { page, problems } = opened;
  await page.goto('/console');
  await page.getByLabel('Operator key').fill(operatorKey);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await headingOf(page, 'Home').waitFor();
  // Before anybody is signed in, asking who is there is refused, which browsers report.
  problems.splice(0, problems.length, ...problems.filter((one) => !one.includes('401')));
  return opened;
}

export const headingOf = (page: Page, name: string, level = 1) => page.getByRole('heading', { name, level });

/** Opens a view and waits until everything in it is there. */
export async function showInConsole(page: Page, path: string, name?: string): Promise<void> {
  await page.goto(path);
  await (name === undefined ? page.getByRole('heading', { level: 1 }) : headingOf(page, name)).waitFor();
  await page.getByText('Loading…').first().waitFor({ state: 'detached' });
}

/** Whoever leaves a view ends what it was reading, and what it was drawn with. */
export function seriousOf(problems: readonly string[]): string[] {
  return problems.filter(
    (one) => !/^failed: .*\/(operator\/.*|console\/assets\/.*|versions) net::ERR_ABORTED$/.test(one),
  );
}

const AXE = createRequire(import.meta.url).resolve('axe-core');

/** What axe has to say about a page. */
export async function axeFindings(page: Page): Promise<string[]> {
  // In the world of the debugger: the page's own policy allows no other script.
  if (!(await page.evaluate('"axe" in window')))
    await page.evaluate(`{ const module = { exports: {} }; ${readFileSync(AXE, 'utf8')} }`);
  return page.evaluate(`(async () => {
    const { violations } = await axe.run(document, { resultTypes: ['violations'] });
    return violations.map(({ id, nodes }) => id + ': ' + nodes.map(({ html }) => html.slice(0, 120)).join(' | '));
  })()`) as Promise<string[]>;
}

/** Presses Tab until what has this name has the focus. */
export async function tabTo(page: Page, name: string): Promise<void> {
  for (let presses = 0; presses < 80; presses += 1) {
    await page.keyboard.press('Tab');
    const focused = await page.evaluate(() => document.activeElement?.textContent?.trim() ?? '');
    if (focused === name) return;
  }
  throw new Error(`${name} cannot be reached with the Tab key`);
}

/** Visible controls that the Tab key does not reach, or that show no focus. */
export async function unreachableByKeyboard(page: Page): Promise<string[]> {
  await page.evaluate(() => {
    const operable = 'a[href], button, input, select, textarea, summary';
    for (const element of document.querySelectorAll(operable)) {
      // What is hidden, in a dialog that is closed or details that are, is not to be reached.
      if (element.checkVisibility({ visibilityProperty: true })) element.setAttribute('data-expected', '');
    }
    (document.activeElement as HTMLElement | null)?.blur();
  });
  const expected = await page.locator('[data-expected]').count();
  for (let presses = 0; presses < expected + 40; presses += 1) {
    await page.keyboard.press('Tab');
    await page.evaluate(() => {
      const { activeElement: element } = document;
      if (element && getComputedStyle(element).outlineStyle !== 'none')
        element.removeAttribute('data-expected');
    });
  }
  return page.locator('[data-expected]').evaluateAll((left) => left.map(({ outerHTML }) => outerHTML));
}
