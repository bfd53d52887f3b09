import type { Example, Sample } from '../contract/change.ts';
import { type ReleaseNote, type ReleaseNotes, releaseNotesLead } from './release-notes.ts';
import { sampleText } from './sample-text.ts';

/** Release notes as Markdown. */
export function releaseNotesMarkdown(notes: ReleaseNotes): string {
  const groups = notes.groups.flatMap((group) => [`## ${group.title}`, ...group.notes.map(section)]);
  return [`# ${notes.version}`, releaseNotesLead(notes), ...groups].join('\n\n').concat('\n');
}

function section({ title, summary, why, upgradeNote, examples }: ReleaseNote): string {
  return [
    `### ${title}`,
    summary,
    ...(why === '' ? [] : [`Why: ${why}`]),
    `To upgrade: ${upgradeNote}`,
    ...examples.flatMap(({ before, after }: Example) => [block('Before', before), block('After', after)]),
  ].join('\n\n');
}

function block(when: string, sample: Sample | null): string {
  if (!sample) return `${when}: nothing of the kind.`;
  const { caption, text } = sampleText(sample);
  return `${when}, ${caption}:\n\n\`\`\`${text.startsWith('{') ? 'json' : 'http'}\n${text}\n\`\`\``;
}
