import type { Brand } from '../../../config/brand.ts';
import type { EnvironmentName } from '../../../environments/environment.ts';
import { type PageAssets, readPageAssets } from '../page-assets.ts';
import { type Html, html } from './html.ts';

/** The common part of all pages of one environment. */
export interface Site {
  environment: EnvironmentName;
  assets: PageAssets;
  /** The name of the product or company. */
  brand: string;
  /** Prefix of links to public pages; empty if these are served on the same origin. */
  publicUrl: string;
}

export interface Page {
  title: string;
  main: Html;
  /** More for the head, such as a stylesheet or a script of its own. */
  head?: Html;
  /** Navigation links, if not those for developers. */
  nav?: Html;
  /** It fills the window, and brings its own main part. */
  isWide?: boolean;
}

/** The pages of one environment. */
export function siteOf(environment: EnvironmentName, brand: Brand, publicUrl = ''): Site {
  return { environment, assets: readPageAssets(brand), brand: brand.name, publicUrl };
}

/** A whole page around its contents. Every asset is on our own origin, and so is every link, unless operators are served apart. */
export function layout({ environment, assets, brand, publicUrl }: Site, page: Page): Html {
  const { title, main, head, nav = siteNav, isWide = false } = page;
  const [colours, logo] = [assets.hrefIfAny('brand.css'), assets.hrefIfAny('logo')];
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title} · ${brand}</title>
<link rel="icon" type="image/svg+xml" href="${assets.href('icon.svg')}">
<link rel="stylesheet" href="${assets.href('pages.css')}">
${colours && html`<link rel="stylesheet" href="${colours}">`}
${head ?? null}
</head>
<body>
<a class="skip" href="#main">Skip to the contents</a>
<header class="site">
<a class="site-link site-name" href="${publicUrl}/versions">${logo && html`<img class="logo" src="${logo}" alt="">`}${brand}</a>
<span class="environment ${environment}">${environment}</span>
<nav class="site-nav" aria-label="Site">${nav}</nav>
</header>
${isWide ? main : html`<main class="page" id="main">${main}</main>`}
</body>
</html>
`;
}

const siteNav = html`<a class="site-link" href="/docs">API reference</a>
<a class="site-link" href="/versions">Versions</a>`;
