import { reserved } from '../../api/compose/reserved.ts';
import { isPart, textIn } from '../../api/document/parts.ts';
import { importAgain } from '../../api/import/again/import-again.ts';
import { slugOf } from '../../api/import/convert-document.ts';
import { type ImportOutcome, type ImportRules, importDocument } from '../../api/import/import-document.ts';
import { ENTRY } from '../../api/import/import-notes.ts';
import { wasImported } from '../../api/import/imported-files.ts';
import { readSource, type SourceDocument } from '../../api/import/read-source.ts';
import { createVersions } from '../../compose/create-versions.ts';
import { systemClock } from '../../kernel/clock.ts';
import type { CommandInput } from '../command.ts';
import { listDifferences } from './diff-contracts.ts';

/** Makes an API folder of a document, or updates the one that an earlier import has made. */
export async function importContract({ argument, optional, isSet, output }: CommandInput): Promise<void> {
  const source = readSource(argument);
  const folder = optional('into') ?? usualFolder(source);
  const { deprecated, current } = createVersions(systemClock).lifecycle();
  const isLarge = [...source.texts.values()].some((text) => text.length > LARGE);
  const say = (sentence: string): void => (isLarge ? output.note(`${sentence} …`) : undefined);
  const rules: ImportRules = { reserved: reserved(), deprecated, current, isStrict: isSet('strict'), say };
  say(`Reading ${argument}`);
  const isAgain = wasImported(folder);
  const outcome = await (isAgain ? importAgain : importDocument)(source, folder, rules);
  if (output.json) output.item({ folder, ...outcome });
  else for (const sentence of told(folder, outcome)) output.note(sentence);
  if (isAgain && !output.json) await listDifferences(folder, output);
}

/** A smaller one is imported at once. */
const LARGE = 300_000;

function usualFolder({ files, name }: SourceDocument): string {
  if (wasImported('.')) return '.';
  const root = files.get(ENTRY);
  const info = isPart(root) && isPart(root.info) ? root.info : {};
  return slugOf(textIn(info, 'title') || name.replace(/\.[^.]*$/, ''));
}

function told(
  folder: string,
  { title, operations, webhooks, counts, conflicts, additions }: ImportOutcome,
): string[] {
  const parts = [counted(operations, 'operation'), ...(webhooks > 0 ? [counted(webhooks, 'webhook')] : [])];
  return [
    `${folder} has ${title}: ${parts.join(' and ')}.`,
    `${folder}/IMPORT.md names what is to be decided (${counts.decide}), was left out (${counts['left out']}) and changed (${counts.changed}).`,
    ...conflicts.map((conflict) => `Conflict: ${conflict}.`),
    ...additions.map((addition) => `Add to dateline.config.mjs, under ${addition}`),
    `Next: read IMPORT.md, then "npx dateline contract check --api ${folder}".`,
  ];
}

const counted = (count: number, word: string): string =>
  `${count.toLocaleString('en')} ${word}${count === 1 ? '' : 's'}`;
