import type { DescribedVersions } from '../describe-versions.ts';
import { html } from './html.ts';
import type { Page } from './layout.ts';
import { versionSwitch } from './version-parts.ts';

/** For somebody who has followed a link, or mistyped an address. */
export const notFoundPage: Page = {
  title: 'Nothing here',
  main: html`<h1>Nothing here</h1>
<p class="lead">There is nothing at this address. See <a href="/versions">the versions of the API</a>, or <a href="/docs">its reference</a>.</p>`,
};

/** For old links: a version is removed nine months after its release. */
export function missingVersionPage(described: DescribedVersions): Page {
  const main = html`${versionSwitch(described, '', ({ reference }) => reference)}
<h1>No such version</h1>
<p class="lead">This version is not served: it was removed, or never existed. <a href="/versions">See what is served.</a></p>`;
  return { title: 'No such version', main };
}
