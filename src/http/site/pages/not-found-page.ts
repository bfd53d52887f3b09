import { html } from './html.ts';
import type { Page } from './layout.ts';

/** For somebody who has followed a link, or mistyped an address. */
export const notFoundPage: Page = {
  title: 'Nothing here',
  main: html`<h1>Nothing here</h1>
<p class="lead">There is nothing at this address. See <a href="/versions">the versions of the API</a>, or <a href="/docs">its reference</a>.</p>`,
};
