import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parseDocument } from 'yaml';
import { errorCode, errorMessage } from '../../kernel/error-facts.ts';
import { refuse } from './folder-problem.ts';

/** A YAML or JSON file of a folder as plain data. */
export async function readYaml(folder: string, file: string): Promise<unknown> {
  return parseYaml(await readText(folder, file), file);
}

export async function readText(folder: string, file: string): Promise<string> {
  try {
    return await readFile(join(folder, file), 'utf8');
  } catch (error) {
    const isMissing = errorCode(error) === 'ENOENT';
    throw refuse(file, isMissing ? 'the file is missing' : `it cannot be read (${errorMessage(error)})`);
  }
}

export function parseYaml(text: string, file: string): unknown {
  const document = parseDocument(text, { prettyErrors: true, uniqueKeys: true });
  const [error] = document.errors;
  // The message goes on with an excerpt of the file, over several lines.
  if (error) throw refuse(file, error.message.split('\n', 1)[0]?.replace(/:$/, '') ?? error.code);
  try {
    // JSON knows no dates: a text that looks like one stays a text, as the schema "core" has it.
    return JSON.parse(JSON.stringify(document.toJS({ maxAliasCount: 100 }) ?? null));
  } catch (error) {
    throw refuse(file, errorMessage(error));
  }
}
