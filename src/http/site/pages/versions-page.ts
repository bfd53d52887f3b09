import { type DescribedVersion, type DescribedVersions, stateNames } from '../describe-versions.ts';
import { type Html, html } from './html.ts';
import type { Page } from './layout.ts';
import { instant, stateBadge } from './version-parts.ts';

/** `/versions` for people: which versions exist, who should use them, and how to upgrade. */
export function versionsPage(described: DescribedVersions): Page {
  const { versions, guidance, upgrade_procedure: steps } = described;
  const main = html`<h1>API versions</h1>
<p class="lead">Three versions are served at the same address. A request chooses one with the header
<code>Service-Version</code>, and every response names the one that was used.</p>
${notice(described)}
<div class="wide"><table>
<thead><tr><th scope="col">Version</th><th scope="col">State</th><th scope="col">Becomes Current</th>
<th scope="col">Removed</th><th scope="col">Read on</th></tr></thead>
<tbody>${versions.map(row)}</tbody>
</table></div>
<h2 id="guidance">Which one to use</h2>
<dl>${(['current', 'deprecated', 'next'] as const).map(
    (state) => html`<dt>${stateNames[state]}</dt><dd>${guidance[state]}</dd>`,
  )}</dl>
<h2 id="upgrade">How to upgrade</h2>
<ol>${steps.map((step) => html`<li>${step}</li>`)}</ol>
<p>Programs get all of this as JSON from the same address.</p>`;
  return { title: 'API versions', main };
}

function notice({ current, rehearsal, release_overdue: overdue }: DescribedVersions): Html | null {
  if (rehearsal)
    return html`<p class="mark next" role="note">This is a rehearsal: ${current} is not released.</p>`;
  return overdue ? html`<p class="mark" role="note">The next release is late.</p>` : null;
}

function row(described: DescribedVersion): Html {
  return html`<tr><th scope="row">${described.version}</th><td>${stateBadge(described)}</td>
<td>${instant(described.becomes_current_at)}</td><td>${instant(described.removed_at)}</td>
<td class="links"><a href="${described.reference}">Reference</a> <a href="${described.release_notes}">Release notes</a>
<a href="${described.openapi}">OpenAPI</a></td></tr>`;
}
