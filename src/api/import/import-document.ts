import { type ApiVersion, nextVersion } from '@dateline/versions';
import { CONFIG_FILE, CONTRACT_FOLDER } from '../folder/folder-files.ts';
import { FolderError } from '../folder/folder-problem.ts';
import { beginVersions } from '../folder/init-folder.ts';
import type { Reserved } from '../folder/reserved.ts';
import { isJsonText, newText, withData } from './contract-text.ts';
import { type ConvertedDocument, convertDocument } from './convert-document.ts';
import { folderConfigText } from './folder-config-text.ts';
import { ENTRY, type NoteKind, placeText } from './import-notes.ts';
import { importReport } from './import-report.ts';
import { IMPORTED_FOLDER, REPORT_FILE } from './imported-files.ts';
import type { SourceDocument } from './read-source.ts';
import { makeWhole, writeWhole } from './written-folder.ts';

export interface ImportRules {
  reserved: Reserved;
  deprecated: ApiVersion;
  current: ApiVersion;
  /** Refuses what would be left out. */
  isStrict: boolean;
  /** Tells how far it is. */
  say(sentence: string): void;
}

/** The outcome of an import, in numbers. */
export interface ImportOutcome {
  title: string;
  operations: number;
  webhooks: number;
  counts: Readonly<Record<NoteKind, number>>;
  conflicts: readonly string[];
  additions: readonly string[];
}

/** Makes an API folder of a document, as `dateline init` makes one of an example. Nothing is there before all of it is. */
export async function importDocument(
  source: SourceDocument,
  folder: string,
  rules: ImportRules,
): Promise<ImportOutcome> {
  const next = nextVersion(rules.current);
  const converted = convertDocument(source, { ...rules, next, earlier: new Map() });
  if (rules.isStrict) requireNothingLeftOut(converted);
  await makeWhole(folder, async (made) => {
    const config = folderConfigText(converted.config);
    for (const [file, text] of contractTexts(source, converted)) {
      writeWhole(made, `${CONTRACT_FOLDER}/${file}`, text);
      writeWhole(made, `${IMPORTED_FOLDER}/${CONTRACT_FOLDER}/${file}`, text);
    }
    // From here on the files count: a large document is not held twice.
    source.files.clear();
    converted.files.clear();
    writeWhole(made, CONFIG_FILE, config);
    writeWhole(made, `${IMPORTED_FOLDER}/${CONFIG_FILE}`, config);
    writeWhole(made, '.gitignore', '.data/\nnode_modules/\n');
    const head = { name: source.name, next, conflicts: [], additions: [] };
    writeWhole(made, REPORT_FILE, importReport(converted, head));
    rules.say(`Founding ${rules.deprecated} and ${rules.current} as copies of ${next}`);
    await beginVersions(made, rules);
  });
  return outcomeOf(converted, [], []);
}

/** The texts of the contract: comments and layout of YAML stay, where the document was of OpenAPI 3 already. */
export function contractTexts(
  source: SourceDocument,
  { files, edition }: ConvertedDocument,
): Map<string, string> {
  const texts = [...files].map(([file, data]) => {
    const text = source.texts.get(file) ?? '';
    // JSON has no comments to keep.
    if (edition === 'Swagger 2.0' || isJsonText(text))
      return [file, newText(data, isJsonText(text))] as const;
    return [file, withData(text, data)] as const;
  });
  return new Map(texts);
}

export function requireNothingLeftOut({ notes }: ConvertedDocument): void {
  const left = notes.all().filter(({ kind }) => kind === 'left out');
  if (left.length === 0) return;
  throw new FolderError(
    left.map(({ at, reason }) => ({
      file: at.file === ENTRY ? 'the document' : at.file,
      path: at.file === ENTRY ? placeText(at) : at.pointer,
      reason,
    })),
  );
}

export function outcomeOf(
  { config, operations, webhooks, notes }: ConvertedDocument,
  conflicts: readonly string[],
  additions: readonly string[],
): ImportOutcome {
  const count = (kind: NoteKind): number => notes.all().filter((note) => note.kind === kind).length;
  return {
    title: config.title,
    operations,
    webhooks,
    counts: { decide: count('decide'), 'left out': count('left out'), changed: count('changed') },
    conflicts,
    additions,
  };
}
