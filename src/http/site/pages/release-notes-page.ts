import {
  type Example,
  type ReleaseNote,
  type ReleaseNotes,
  releaseNotesLead,
  type Sample,
  sampleText,
} from '@dateline/versions';
import type { DescribedVersion, DescribedVersions } from '../describe-versions.ts';
import { type Html, html } from './html.ts';
import type { Page } from './layout.ts';
import { stateMark } from './state-mark.ts';
import { versionSwitch } from './version-parts.ts';

export interface ReleaseNotesPageOptions {
  notes: ReleaseNotes;
  shown: DescribedVersion;
  described: DescribedVersions;
}

/** The changes of a version, group by group, with examples side by side. */
export function releaseNotesPage({ notes, shown, described }: ReleaseNotesPageOptions): Page {
  const main = html`${versionSwitch(described, shown.version, ({ release_notes: href }) => href)}
<h1>Release notes of ${shown.version}</h1>
${stateMark(shown, described)}
<p class="lead">${releaseNotesLead(notes)} Read the <a href="${shown.reference}">reference</a> beside them, and
<a href="/versions#upgrade">how to upgrade</a>.</p>
${notes.groups.map(({ title, notes }) => html`<h2>${title}</h2>${notes.map(article)}`)}`;
  return { title: `Release notes of ${shown.version}`, main };
}

function article({ name, title, summary, why, upgradeNote, examples }: ReleaseNote): Html {
  return html`<article id="${name}"><h3><a class="title-link" href="#${name}">${title}</a></h3>
<p>${summary}</p>
<dl class="facts">${why === '' ? html`` : html`<dt>Why</dt><dd>${why}</dd>`}<dt>To upgrade</dt><dd>${upgradeNote}</dd></dl>
${examples.map(comparison)}</article>`;
}

function comparison({ before, after }: Example): Html {
  return html`<div class="comparison">${side('Before', before)}${side('After', after)}</div>`;
}

function side(when: string, sample: Sample | null): Html {
  if (!sample)
    return html`<figure><figcaption><strong>${when}</strong>, nothing of the kind</figcaption></figure>`;
  const { caption, text } = sampleText(sample);
  return html`<figure><figcaption><strong>${when}</strong>, ${caption}</figcaption>
<pre><code>${text}</code></pre></figure>`;
}
