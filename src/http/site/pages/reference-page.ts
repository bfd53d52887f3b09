import type { DescribedVersion, DescribedVersions } from '../describe-versions.ts';
import { html } from './html.ts';
import type { Page, Site } from './layout.ts';
import { stateMark } from './state-mark.ts';
import { versionSwitch } from './version-parts.ts';

/** What the renderer needs beyond a page without scripts; it sets no inline style and loads nothing from elsewhere. */
export const referencePermissions = {
  'script-src': "'self'",
  'connect-src': "'self'",
  'img-src': "'self' data:",
};

/** The API reference of one version. A script fills it from the version's OpenAPI document. */
export function referencePage(
  { assets, environment }: Site,
  shown: DescribedVersion,
  described: DescribedVersions,
): Page {
  // Calls can be tried only in the sandbox, where they do no harm.
  const tryOut = environment === 'sandbox' ? 'yes' : 'no';
  const main = html`${versionSwitch(described, shown.version, ({ reference }) => reference)}
<h1>API reference of ${shown.version}</h1>
${stateMark(shown, described)}
<p class="links"><a href="${shown.release_notes}">Release notes</a> <a href="${shown.openapi}">OpenAPI document</a>
<a href="/versions">All versions</a></p>
<div id="reference" data-openapi="${shown.openapi}" data-version="${shown.version}" data-try-out="${tryOut}">
<noscript><p>The reference needs JavaScript. The <a href="${shown.openapi}">OpenAPI document</a> does not.</p></noscript>
</div>`;
  const head = html`<link rel="stylesheet" href="${assets.href('swagger-ui.css')}">
<script defer src="${assets.href('swagger-ui-bundle.js')}"></script>
<script defer src="${assets.href('reference.js')}"></script>`;
  return { title: `API reference of ${shown.version}`, main, head, mainByScript: true };
}
