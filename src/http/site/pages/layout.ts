import type { EnvironmentName } from '../../../environments/environment.ts';
import type { PageAssets } from '../page-assets.ts';
import { type Html, html } from './html.ts';

/** What all pages of one environment share. */
export interface Site {
  environment: EnvironmentName;
  assets: PageAssets;
}

export interface Page {
  title: string;
  main: Html;
  /** More for the head, such as a stylesheet or a script of its own. */
  head?: Html;
  /** Navigation links, if not those for developers. */
  nav?: Html;
}

/** A whole page around its contents. Every link and asset is on our own origin. */
export function layout({ environment, assets }: Site, page: Page): Html {
  const { title, main, head, nav = siteNav } = page;
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title} · Dateline</title>
<link rel="icon" type="image/svg+xml" href="${assets.href('icon.svg')}">
<link rel="stylesheet" href="${assets.href('pages.css')}">
${head ?? null}
</head>
<body>
<a class="skip" href="#main">Skip to the contents</a>
<header class="site">
<a class="site-link site-name" href="/versions">Dateline</a>
<span class="environment ${environment}">${environment}</span>
<nav class="site-nav" aria-label="Site">${nav}</nav>
</header>
<main class="page" id="main">${main}</main>
</body>
</html>
`;
}

const siteNav = html`<a class="site-link" href="/docs">API reference</a>
<a class="site-link" href="/versions">Versions</a>`;
