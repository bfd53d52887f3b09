import type { DescribedVersion, DescribedVersions } from '../describe-versions.ts';
import type { Reference, ReferenceOperation } from '../reference/reference.ts';
import { type Html, html } from './html.ts';
import type { Page, Site } from './layout.ts';
import { anchorOf, operationSection, prose } from './operation-section.ts';
import { stateMark } from './state-mark.ts';
import { versionSwitch } from './version-parts.ts';

/** The CSP of a reference page: its script may call this service only. */
export const referencePermissions = { 'script-src': "'self'", 'connect-src': "'self'" };

export interface VersionReference {
  shown: DescribedVersion;
  described: DescribedVersions;
  contents: Html;
}

/** The API reference of one version. */
export function referencePage(site: Site, { shown, described, contents }: VersionReference): Page {
  return page(site, {
    title: `API reference of ${shown.version}`,
    version: shown.version,
    contents,
    above: html`${versionSwitch(described, shown.version, ({ reference }) => reference)}`,
    below: html`${stateMark(shown, described)}
<p class="links"><a href="${shown.release_notes}">Release notes</a> <a href="${shown.openapi}">OpenAPI document</a>
<a href="/versions">All versions</a></p>`,
  });
}

/** The reference of the operator API, which has no versions. */
export function operatorReferencePage(site: Site, contents: Html): Page {
  return page(site, {
    title: 'Operator API reference',
    version: null,
    contents,
    above: null,
    below: html`<p>A call needs an operator key of this environment as its bearer token, with the role
that the operation names: <strong>admin</strong> may do everything, <strong>viewer</strong> read, <strong>support</strong> read, resend and disable, <strong>publisher</strong> publish events.</p>
<p class="links"><a href="/operator/openapi.json">OpenAPI document</a> <a href="${site.publicUrl}/docs">API reference for integrators</a></p>`,
  });
}

interface ReferenceParts {
  title: string;
  /** The version in which calls are sent; null if the API has no versions. */
  version: string | null;
  above: Html | null;
  below: Html;
  contents: Html;
}

function page({ assets }: Site, { title, version, above, below, contents }: ReferenceParts): Page {
  const main = html`${above}
<h1>${title}</h1>
${below}
<div id="reference" data-version="${version}">${contents}</div>`;
  const head = html`<link rel="stylesheet" href="${assets.href('reference.css')}">
<script defer src="${assets.href('reference.js')}"></script>`;
  return { title, main, head };
}

/** The reader of the page, for trying calls. */
export type Caller = 'client' | 'operator';

/** The contents of a reference page, the same for every reader. */
export function referenceContents(reference: Reference, { environment }: Site, caller: Caller): Html {
  // Calls can be tried only in the sandbox, where they do no harm.
  const canTry = environment === 'sandbox';
  const section = (operation: ReferenceOperation): Html => operationSection(operation, canTry);
  return html`<div class="about">${prose(reference.description)}</div>
<div class="tools">
<label class="field search" hidden>Search<input type="search" id="search" placeholder="product, scope, cursor …" autocomplete="off"></label>
<p class="hint" id="found" role="status"></p>
<div class="languages" role="group" aria-label="Language of the samples" hidden></div>
${canTry ? credentials(caller) : null}
</div>
${reference.groups.map(
  ({ name, description, operations }) => html`<section class="group"><h2 id="${anchorOf(name)}">${name}</h2>
<p class="lead">${description}</p>${operations.map(section)}</section>`,
)}
${
  reference.events.length > 0
    ? html`<section class="group"><h2 id="events">Events</h2>
<p class="lead">The signed events that webhook endpoints of this version receive.</p>${reference.events.map(section)}</section>`
    : null
}`;
}

/** They stay in the page: nothing stores them, and a reload forgets them. */
function credentials(caller: Caller): Html {
  const token = caller === 'client' ? 'Access token' : 'Operator key';
  const source = html`The first start of this sandbox wrote these values into <code>quickstart.json</code>. They are not stored.`;
  const client = html`<label class="field">Client id<input id="client-id" autocomplete="off" spellcheck="false"></label>
<label class="field">Client secret<input id="client-secret" type="password" autocomplete="off"></label>
<div class="actions"><button>Get a token</button></div>`;
  return html`<details class="credentials" hidden><summary>Credentials for trying calls</summary>
<form><p class="hint">${source}</p>
${caller === 'client' ? client : null}
<label class="field">${token}<input id="token" type="password" autocomplete="off"></label>
<p class="hint" id="token-state" role="status"></p></form></details>`;
}
