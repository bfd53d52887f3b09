import type { DescribedVersion, DescribedVersions } from '../describe-versions.ts';
import { type Html, html } from './html.ts';
import type { Page, Site } from './layout.ts';
import { stateMark } from './state-mark.ts';
import { versionSwitch } from './version-parts.ts';

/** What the renderer needs beyond a page without scripts; it sets no inline style and loads nothing from elsewhere. */
export const referencePermissions = {
  'script-src': "'self'",
  'connect-src': "'self'",
  'img-src': "'self' data:",
};

/** The API reference of one version. */
export function referencePage(site: Site, shown: DescribedVersion, described: DescribedVersions): Page {
  return rendered(site, {
    title: `API reference of ${shown.version}`,
    openapi: shown.openapi,
    version: shown.version,
    above: versionSwitch(described, shown.version, ({ reference }) => reference),
    below: html`${stateMark(shown, described)}
<p class="links"><a href="${shown.release_notes}">Release notes</a> <a href="${shown.openapi}">OpenAPI document</a>
<a href="/versions">All versions</a></p>`,
  });
}

/** The reference of the operator API, which has no versions. */
export function operatorReferencePage(site: Site): Page {
  const openapi = '/operator/openapi.json';
  return rendered(site, {
    title: 'Operator API reference',
    openapi,
    version: null,
    above: null,
    below: html`<p>For those who run the service. A call needs an operator key of this environment as its bearer token, with the role
that the operation names: <strong>admin</strong> may do everything, <strong>viewer</strong> read, <strong>publisher</strong> publish events.</p>
<p class="links"><a href="${openapi}">OpenAPI document</a> <a href="/docs">API reference for integrators</a></p>`,
  });
}

interface Reference {
  title: string;
  /** The address of the document. */
  openapi: string;
  /** What calls are sent in; null where there are no versions. */
  version: string | null;
  above: Html | null;
  below: Html;
}

/** A script fills the page from an OpenAPI document. */
function rendered({ assets, environment }: Site, { title, openapi, version, above, below }: Reference): Page {
  // Calls can be tried only in the sandbox, where they do no harm.
  const tryOut = environment === 'sandbox' ? 'yes' : 'no';
  const main = html`${above}
<h1>${title}</h1>
${below}
<div id="reference" data-openapi="${openapi}" data-version="${version}" data-try-out="${tryOut}">
<noscript><p>The reference needs JavaScript. The <a href="${openapi}">OpenAPI document</a> does not.</p></noscript>
</div>`;
  const head = html`<link rel="stylesheet" href="${assets.href('swagger-ui.css')}">
<script defer src="${assets.href('swagger-ui-bundle.js')}"></script>
<script defer src="${assets.href('reference.js')}"></script>`;
  return { title, main, head, mainByScript: true };
}
