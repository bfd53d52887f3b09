import type { ConvertedDocument } from './convert-document.ts';
import { type ImportNote, type NoteKind, placeText } from './import-notes.ts';

/** The facts at the head of `IMPORT.md`. */
export interface ReportHead {
  /** The name of the file that was imported. */
  name: string;
  /** The version that its document has in the folder. */
  next: string;
  /** Edits of the folder that the document contradicts. */
  conflicts: readonly string[];
  /** What a configuration that was edited by hand lacks. */
  additions: readonly string[];
}

/** `IMPORT.md`: everything that is not in the folder as it was in the document, by its place there. */
export function importReport(converted: ConvertedDocument, head: ReportHead): string {
  const { config, edition, version, notes, operations, webhooks } = converted;
  const all = notes.all();
  const lines = [
    `# Import of ${plain(config.title)}`,
    '',
    `\`dateline import\` has made this folder of ${code(head.name)}, and writes this file anew whenever it is run. Places are JSON pointers into`,
    'that document; what is not named here is in `contract/next.yaml` as it was.',
    '',
    '| | |',
    '|---|---|',
    `| document | ${code(head.name)}, ${edition}, version ${code(version || 'none')} |`,
    `| here | OpenAPI 3.1, version ${head.next} |`,
    `| operations, webhooks | ${operations}, ${webhooks} |`,
    '',
    ...listSection(
      'Conflicts',
      'Your edit and the new document differ here; yours was kept. Decide, and edit `contract/next.yaml`.',
      head.conflicts,
    ),
    ...listSection(
      'To add to dateline.config.mjs',
      'It was edited by hand, so it stays as it is.',
      head.additions,
    ),
    ...SECTIONS.flatMap(([kind, title, words]) => section(all, { kind, title, words })),
    '## Next',
    '',
    '1. Go through **To decide**, and edit `dateline.config.mjs` and `contract/next.yaml`.',
    '2. `npx dateline contract found` lets the two older versions follow, until the first release. `npx dateline contract check` says what is wrong.',
    '3. `npx dateline serve` serves the API. `imported/` is how the document was imported last: keep it, so that a later import keeps your edits.',
  ];
  return `${lines.join('\n')}\n`;
}

const SECTIONS: readonly [NoteKind, string, string][] = [
  ['decide', 'To decide', 'What the document does not say, or says in a way that Dateline does not serve.'],
  ['left out', 'Left out', 'What cannot be served is not in the folder. The rest works without it.'],
  ['changed', 'Changed', 'What is said in another way, and means the same.'],
];

function section(
  notes: readonly ImportNote[],
  { kind, title, words }: { kind: NoteKind; title: string; words: string },
): string[] {
  const found = notes.filter((note) => note.kind === kind);
  const lines = [...byReason(found)].flatMap(([reason, places]) => {
    const [first = '', ...others] = places;
    if (others.length === 0) return [`- ${code(first)}: ${plain(reason)}.`];
    return [`- ${plain(capital(reason))}:`, ...places.map((place) => `  - ${code(place)}`)];
  });
  return lines.length === 0
    ? [`## ${title}`, '', 'Nothing.', '']
    : [`## ${title}`, '', words, '', ...lines, ''];
}

function byReason(notes: readonly ImportNote[]): Map<string, string[]> {
  const groups = new Map<string, string[]>();
  for (const { at, reason } of notes) {
    const known = groups.get(reason);
    if (known) known.push(placeText(at));
    else groups.set(reason, [placeText(at)]);
  }
  return groups;
}

function listSection(title: string, words: string, items: readonly string[]): string[] {
  if (items.length === 0) return [];
  return [`## ${title}`, '', words, '', ...items.map((item) => `- ${item}`), ''];
}

const capital = (text: string): string => text.slice(0, 1).toUpperCase() + text.slice(1);

/** Text of others as a line of Markdown. */
const plain = (text: string): string => oneLine(text).replaceAll(/[\\`*_<>[\]|]/g, (sign) => `\\${sign}`);

/** Text of others as code: a place is found again by it. */
export function code(text: string): string {
  const shown = oneLine(text);
  if (!shown.includes('`')) return `\`${shown}\``;
  return `\`\` ${shown} \`\``;
}

const oneLine = (text: string): string =>
  text.replaceAll(/[\p{Cc}\p{Zl}\p{Zp}\p{Cs}]/gu, (found) => `\\u{${found.codePointAt(0)?.toString(16)}}`);
