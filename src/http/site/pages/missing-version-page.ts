import type { DescribedVersions } from '../describe-versions.ts';
import { html } from './html.ts';
import type { Page } from './layout.ts';
import { versionSwitch } from './version-parts.ts';

/** For old links: a version is removed nine months after its release. */
export function missingVersionPage(described: DescribedVersions): Page {
  const main = html`${versionSwitch(described, '', ({ reference }) => reference)}
<h1>No such version</h1>
<p class="lead">This version is not served: it was removed, or never existed. <a href="/versions">See what is served.</a></p>`;
  return { title: 'No such version', main };
}
