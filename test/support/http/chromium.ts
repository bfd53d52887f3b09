import { type Browser, chromium, type Page } from 'playwright-core';
import { afterAll, beforeAll } from 'vitest';
import { present } from '../../../src/kernel/presence.ts';
import { describeWith } from '../run/needs.ts';

export interface OpenedPage {
  page: Page;
  /** Errors of the page, and its requests to other hosts: there must be none. */
  problems: string[];
}

/** Tests in Chromium. */
export function describeInBrowser(
  title: string,
  tests: (open: (origin: string) => Promise<OpenedPage>) => void,
): void {
  describeWith('chromium', title, (executablePath) => {
    beforeAll(async () => {
      running ??= await launch(executablePath);
    });
    afterAll(async () => {
      for (const context of running?.contexts() ?? []) await context.close();
    });
    tests((origin) => openPage(present(running, 'Chromium'), origin));
  });
}

/** One for all files of a worker, whose exit ends it: pages have nothing in common. */
let running: Browser | undefined;

function launch(executablePath: string): Promise<Browser> {
  return chromium.launch({
    executablePath,
    args: [
      // Names of other machines do not resolve.
      '--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1',
      // Chromium refuses to run its sandbox as root, as in a container.
      ...(process.getuid?.() === 0 ? ['--no-sandbox'] : []),
    ],
  });
}

async function openPage(browser: Browser, origin: string): Promise<OpenedPage> {
  const page = await browser.newPage({ baseURL: origin });
  // As long as everything else that is polled for: a machine whose processors others use as well may draw nothing for half a minute.
  page.setDefaultTimeout(60_000);
  const problems: string[] = [];
  page.on('console', (message) => {
    if (['error', 'warning'].includes(message.type())) problems.push(`console: ${message.text()}`);
  });
  page.on('pageerror', (error) => problems.push(`error: ${error.message}`));
  page.on('requestfailed', (request) =>
    problems.push(`failed: ${request.url()} ${request.failure()?.errorText ?? ''}`.trim()),
  );
  page.on('request', (request) => {
    const { protocol } = new URL(request.url());
    const isOurs = request.url().startsWith(`${origin}/`) || protocol === 'data:';
    if (!isOurs) problems.push(`request to another origin: ${request.url()}`);
  });
  return { page, problems };
}
