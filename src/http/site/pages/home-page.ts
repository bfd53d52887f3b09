import type { EnvironmentName } from '../../../environments/environment.ts';
import type { DescribedVersion, DescribedVersions } from '../describe-versions.ts';
import { type Html, html } from './html.ts';
import type { Page } from './layout.ts';
import { stateBadge } from './version-parts.ts';

/** `/` for people who typed the address into a browser: what this is, and where to read on. */
export function homePage(environment: EnvironmentName, { versions, current }: DescribedVersions): Page {
  const main = html`<h1>${environment === 'sandbox' ? 'A sandbox of an API' : 'An API'}</h1>
<p class="lead">This is Dateline, an OAuth 2.0 token service with a dated API contract. Programs get tokens here, and call the
API with them.</p>
<p>New here? Read the <a href="/docs/${current}">reference of ${current}</a>, which is Current. <a href="/account/grants">Your
account</a> lists the applications that may act for you.</p>
<h2>Versions</h2>
<ul>${versions.map(line)}</ul>
<p><a href="/versions">All about versions</a>: which one to use, until when, and how to upgrade.</p>`;
  return { title: environment === 'sandbox' ? 'Sandbox' : 'API', main };
}

function line(described: DescribedVersion): Html {
  const { version, reference, release_notes: notes } = described;
  return html`<li>${version} ${stateBadge(described)}: <a href="${reference}">reference</a>,
<a href="${notes}">release notes</a></li>`;
}
