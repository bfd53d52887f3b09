import type { DescribedVersion, DescribedVersions } from '../describe-versions.ts';
import { type Html, html } from './html.ts';
import { instant } from './version-parts.ts';

/** The note about a version's state that stands on each of its pages. */
export function stateMark(shown: DescribedVersion, { current, rehearsal }: DescribedVersions): Html {
  return html`<p class="mark ${shown.state}" role="note">${sentences(shown, current)}
${rehearsal ? `This is a rehearsal: ${current} is not released.` : null}</p>`;
}

function sentences(shown: DescribedVersion, current: string): Html {
  switch (shown.state) {
    case 'deprecated':
      return html`<strong>Deprecated.</strong> ${removal(shown)} <a href="/versions#upgrade">Upgrade</a> to
<a href="/docs/${current}">${current}</a> before.`;
    case 'current':
      return html`<strong>Current.</strong> ${shown.version} is stable. ${removal(shown)}`;
    case 'next':
      return html`<strong>Next: in development.</strong> ${shown.version} may change at any time. ${start(shown)}`;
    default:
      return shown.state satisfies never;
  }
}

/** Nothing is planned after a release was undone, until an operator decides. */
function removal({ version, removed_at: at }: DescribedVersion): Html {
  if (at === null) return html`When ${version} is removed is not decided.`;
  return html`${version} is removed on ${instant(at)}.`;
}

function start({ becomes_current_at: at }: DescribedVersion): Html {
  if (at === null) return html`When it becomes Current is not decided.`;
  return html`It becomes Current on ${instant(at)}.`;
}
