import { type Change, type ChangeKind, type ChangeSet, type Example, summaryOf } from '../contract/change.ts';
import type { ApiVersion } from '../version/api-version.ts';

/** The changes of a version against the one before it, for people. */
export interface ReleaseNotes {
  version: ApiVersion;
  /** The version before; null where it is no longer known here. */
  since: ApiVersion | null;
  /** Only groups that have something in them. */
  groups: readonly ReleaseNoteGroup[];
}

export interface ReleaseNoteGroup {
  title: string;
  notes: readonly ReleaseNote[];
}

export interface ReleaseNote {
  /** Also a fragment of an address: `replacePriceWithPrices`. */
  name: string;
  title: string;
  summary: string;
  why: string;
  upgradeNote: string;
  examples: readonly Example[];
}

const groupTitles: readonly (readonly [ChangeKind, string])[] = [
  ['added', 'New'],
  ['changed', 'Changed'],
  ['removed', 'Removed'],
];

export function releaseNotes(version: ApiVersion, changeSets: readonly ChangeSet[]): ReleaseNotes {
  const changeSet = changeSets.find(({ newer }) => newer === version);
  const changes = (changeSet?.changes ?? []).filter(({ codeOf }) => codeOf === undefined);
  const parts = [...new Set(changes.map(({ part }) => part))];
  const groups = parts.flatMap((part) =>
    groupTitles.map(([kind, title]) => ({
      title: part === undefined ? title : `${part}: ${title.toLowerCase()}`,
      notes: changes.filter((change) => change.kind === kind && change.part === part).map(noteOf),
    })),
  );
  return {
    version,
    since: changeSet?.older ?? null,
    groups: groups.filter(({ notes }) => notes.length > 0),
  };
}

/** The introduction of the notes, the same in every format. */
export function releaseNotesLead({ since, groups }: ReleaseNotes): string {
  if (since === null) return 'The version before this one is no longer known here.';
  if (groups.length === 0) return `Nothing changed since ${since}.`;
  return `What changed since ${since}. Examples leave out what stays the same.`;
}

function noteOf(change: Change): ReleaseNote {
  const { name, why, upgradeNote, examples } = change;
  return { name, title: titleOf(name), summary: summaryOf(change), why, upgradeNote, examples };
}

/** `replacePriceWithPrices` becomes "Replace price with prices". */
function titleOf(name: string): string {
  const words = name.replaceAll(/([A-Z])/g, ' $1').toLowerCase();
  return words.charAt(0).toUpperCase() + words.slice(1);
}
