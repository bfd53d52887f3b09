import { existsSync } from 'node:fs';
import { type Browser, chromium, type Page } from 'playwright-core';
import { afterAll, beforeAll, describe } from 'vitest';

const executablePath = [process.env.CHROMIUM_PATH, '/usr/bin/chromium'].find(
  (path) => path !== undefined && existsSync(path),
);

export interface OpenedPage {
  page: Page;
  /** What a reader must never meet: errors, and requests that leave this machine's service. */
  trouble: string[];
}

/** Tests in Chromium. Without one they are skipped, and say what to do. */
export function describeInBrowser(
  title: string,
  tests: (open: (origin: string) => Promise<OpenedPage>) => void,
): void {
  const missing = executablePath ? '' : ' (skipped: there is no Chromium; install one, or set CHROMIUM_PATH)';
  describe.skipIf(!executablePath)(title + missing, () => {
    let browser: Browser;
    beforeAll(async () => {
      browser = await chromium.launch({
        executablePath: executablePath as string,
        args: [
          // Names of other machines lead nowhere.
          '--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1',
          // Chromium refuses to run its sandbox as root, as in a container.
          ...(process.getuid?.() === 0 ? ['--no-sandbox'] : []),
        ],
      });
    });
    afterAll(() => browser?.close());
    tests((origin) => openPage(browser, origin));
  });
}

async function openPage(browser: Browser, origin: string): Promise<OpenedPage> {
  const page = await browser.newPage({ baseURL: origin });
  const trouble: string[] = [];
  page.on('console', (message) => {
    if (['error', 'warning'].includes(message.type())) trouble.push(`console: ${message.text()}`);
  });
  page.on('pageerror', (error) => trouble.push(`error: ${error.message}`));
  page.on('requestfailed', (request) => trouble.push(`failed: ${request.url()}`));
  page.on('request', (request) => {
    const { protocol } = new URL(request.url());
    const isOurs = request.url().startsWith(`${origin}/`) || protocol === 'data:';
    if (!isOurs) trouble.push(`request to another origin: ${request.url()}`);
  });
  return { page, trouble };
}
