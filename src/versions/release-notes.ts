import type { ApiVersion } from './api-version.ts';
import type { Change, ChangeSet } from './change.ts';

/** What changed in a version against the one before it, as Markdown. */
export function releaseNotes(version: ApiVersion, changeSets: readonly ChangeSet[]): string {
  const changeSet = changeSets.find(({ newer }) => newer === version);
  if (!changeSet) return `# ${version}\n\nThe version before this one is no longer known here.\n`;
  const { older, changes } = changeSet;
  if (changes.length === 0) return `# ${version}\n\nNothing changed since ${older}.\n`;
  return [`# ${version}`, `What changed since ${older}.`, ...changes.map(section)].join('\n\n').concat('\n');
}

function section({ name, says, why, upgradeNote }: Change): string {
  return [`## ${headingOf(name)}`, says, `Why: ${why}`, `To upgrade: ${upgradeNote}`].join('\n\n');
}

/** `replacePriceWithPrices` becomes "Replace price with prices". */
function headingOf(name: string): string {
  const words = name.replaceAll(/([A-Z])/g, ' $1').toLowerCase();
  return words.charAt(0).toUpperCase() + words.slice(1);
}
