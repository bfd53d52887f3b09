import { existsSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { ApiVersion } from '@dateline/versions';
import { isPart } from '../../document/parts.ts';
import { readConfigFile } from '../../folder/config-file.ts';
import { CONFIG_FILE, CONTRACT_FOLDER, NEXT_FILE } from '../../folder/folder-files.ts';
import { parseYaml, readText, readYaml, versionOf } from '../../folder/read-contract-files.ts';
import { isSame, withData } from '../contract-text.ts';
import { convertDocument } from '../convert-document.ts';
import { createDocumentTree } from '../document-tree.ts';
import { folderConfigText, type ImportedConfig } from '../folder-config-text.ts';
import {
  contractTexts,
  type ImportOutcome,
  type ImportRules,
  outcomeOf,
  requireNothingLeftOut,
} from '../import-document.ts';
import { ENTRY } from '../import-notes.ts';
import { code, importReport } from '../import-report.ts';
import { IMPORTED_FOLDER, REPORT_FILE } from '../imported-files.ts';
import { idsOf } from '../name-operations.ts';
import type { SourceDocument } from '../read-source.ts';
import { writeWhole } from '../written-folder.ts';
import { configAdditions } from './config-additions.ts';
import { mergeValues } from './merge-values.ts';

/**
 * Takes over a newer document into a folder that an earlier import has made. Edits by hand stay; what the document says otherwise is a
 * conflict, and is named. What is frozen is not touched, and nothing is written before everything is known.
 */
export async function importAgain(
  source: SourceDocument,
  folder: string,
  rules: ImportRules,
): Promise<ImportOutcome> {
  const root = await readYaml(folder, NEXT_FILE);
  const next = versionOf(isPart(root) ? root : {}, NEXT_FILE);
  const base = await baseFiles(folder, next);
  const earlier = idsOf(createDocumentTree(new Map(base)));
  const converted = convertDocument(source, { ...rules, next, earlier });
  if (rules.isStrict) requireNothingLeftOut(converted);
  rules.say('Merging it with the edits of the folder');
  const texts = contractTexts(source, converted);
  const names = new Set([...base.keys(), ...texts.keys()]);
  const changes = await Promise.all(
    [...names].map((file) =>
      changeOf(folder, file, {
        base: base.get(file),
        theirs: converted.files.get(file),
        text: texts.get(file),
      }),
    ),
  );
  const conflicts = changes.flatMap((change) => change.conflicts);
  const config = await configChange(folder, converted.config);
  for (const { file, text } of changes) put(folder, `${CONTRACT_FOLDER}/${file}`, text);
  put(folder, CONFIG_FILE, config.text);
  const head = { name: source.name, next, conflicts, additions: config.additions };
  writeWhole(folder, REPORT_FILE, importReport(converted, head));
  keepImported(folder, texts, folderConfigText(converted.config));
  // A large document is not held any longer than it is needed.
  source.files.clear();
  converted.files.clear();
  return outcomeOf(converted, conflicts, config.additions);
}

/** The files as they were imported last, by their names in `contract/`. A release has moved the version on since then. */
async function baseFiles(folder: string, next: ApiVersion): Promise<Map<string, unknown>> {
  const names = filesIn(join(folder, IMPORTED_FOLDER, CONTRACT_FOLDER));
  const read = await Promise.all(
    names.map(async (file) => {
      const data = await readYaml(folder, `${IMPORTED_FOLDER}/${CONTRACT_FOLDER}/${file}`);
      return [file, file === ENTRY ? dated(data, next) : data] as const;
    }),
  );
  return new Map(read);
}

function filesIn(folder: string): string[] {
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(folder.length + 1));
}

function dated(document: unknown, version: ApiVersion): unknown {
  if (!isPart(document) || !isPart(document.info)) return document;
  return { ...document, info: { ...document.info, version } };
}

/** A file of the contract after the import: its new text, null where it goes, undefined where it stays. */
interface FileChange {
  file: string;
  text: string | null | undefined;
  conflicts: readonly string[];
}

interface FileStates {
  base: unknown;
  theirs: unknown;
  /** Of theirs. */
  text: string | undefined;
}

async function changeOf(
  folder: string,
  file: string,
  { base, theirs, text }: FileStates,
): Promise<FileChange> {
  const name = `${CONTRACT_FOLDER}/${file}`;
  const own = existsSync(join(folder, name)) ? await readText(folder, name) : null;
  if (own === null) {
    const isNew = base === undefined;
    const isEdited = !isNew && !isSame(base, theirs);
    const conflict = `${code(name)} was deleted by hand; the new document changes it`;
    return {
      file,
      text: isNew ? text : undefined,
      conflicts: isEdited && theirs !== undefined ? [conflict] : [],
    };
  }
  const mine = parseYaml(own, name);
  if (theirs === undefined) {
    const conflict = `${code(name)} was edited by hand; the new document no longer refers to it`;
    return isSame(mine, base)
      ? { file, text: null, conflicts: [] }
      : { file, text: undefined, conflicts: [conflict] };
  }
  const { value, conflicts } = mergeValues({ base, mine, theirs });
  return {
    file,
    text: isSame(value, mine) ? undefined : withData(own, value),
    conflicts: conflicts.map(
      (conflict) =>
        `${code(`${name}#${conflict.pointer}`)}: here it is ${shown(conflict.mine)}, in the new document ${shown(conflict.theirs)}`,
    ),
  };
}

const SHOWN_MAX = 120;

function shown(value: unknown): string {
  if (value === undefined) return 'gone';
  const text = JSON.stringify(value);
  return code(text.length > SHOWN_MAX ? `${text.slice(0, SHOWN_MAX)}…` : text);
}

/** A configuration that nobody has edited follows the document. */
async function configChange(
  folder: string,
  config: ImportedConfig,
): Promise<{ text: string | undefined; additions: readonly string[] }> {
  const [current, imported] = await Promise.all([
    readText(folder, CONFIG_FILE),
    readText(folder, `${IMPORTED_FOLDER}/${CONFIG_FILE}`),
  ]);
  const text = folderConfigText(config);
  if (current === imported) return { text: text === current ? undefined : text, additions: [] };
  return { text: undefined, additions: configAdditions(await readConfigFile(folder), config) };
}

function put(folder: string, file: string, text: string | null | undefined): void {
  if (text === null) rmSync(join(folder, file), { force: true });
  else if (text !== undefined) writeWhole(folder, file, text);
}

/** The last step: an import that was cut short before it is repeated as a whole. */
function keepImported(folder: string, texts: ReadonlyMap<string, string>, config: string): void {
  const kept = join(folder, IMPORTED_FOLDER, CONTRACT_FOLDER);
  for (const [file, text] of texts) writeWhole(kept, file, text);
  for (const file of filesIn(kept)) if (!texts.has(file)) rmSync(join(kept, file));
  writeWhole(folder, `${IMPORTED_FOLDER}/${CONFIG_FILE}`, config);
}
