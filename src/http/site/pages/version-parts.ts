import { type DescribedVersion, type DescribedVersions, stateNames } from '../describe-versions.ts';
import { type Html, html } from './html.ts';

/** A badge with the name of a state. */
export function stateBadge({ state }: DescribedVersion): Html {
  return html`<span class="badge ${state}">${stateNames[state]}</span>`;
}

/** Links to the same page of each version. */
export function versionSwitch(
  { versions }: DescribedVersions,
  shown: string,
  hrefOf: (version: DescribedVersion) => string,
): Html {
  const link = (described: DescribedVersion): Html =>
    html`<a class="switch-link" href="${hrefOf(described)}"${
      described.version === shown ? html` aria-current="page"` : null
    }>${described.version} ${stateBadge(described)}</a>`;
  return html`<nav class="switch" aria-label="API version">${versions.map(link)}</nav>`;
}

const dateFormat = new Intl.DateTimeFormat('en-GB', { dateStyle: 'long', timeZone: 'UTC' });
const timeFormat = new Intl.DateTimeFormat('en-GB', { timeStyle: 'short', timeZone: 'UTC' });

export function instant(at: string | null): Html {
  if (at === null) return html`not planned`;
  const date = new Date(at);
  return html`<time datetime="${at}">${dateFormat.format(date)}, ${timeFormat.format(date)} UTC</time>`;
}
