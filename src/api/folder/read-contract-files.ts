import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import {
  type ApiVersion,
  apiVersion,
  bundleOpenApi,
  isQuarterly,
  type OpenApiDocument,
  type OpenApiProblem,
  parseApiVersion,
  referencedFiles,
  slowPatternProblems,
} from '@dateline/versions';
import { parseDocument } from 'yaml';
import { errorCode, errorMessage } from '../../kernel/error-facts.ts';
import type { FolderReader } from './folder-contract.ts';
import { CONTRACT_FOLDER, NEXT_FILE } from './folder-files.ts';
import { FolderError, refuse } from './folder-problem.ts';

const ENTRY = NEXT_FILE.slice(CONTRACT_FOLDER.length + 1);
const FILES_MAX = 500;

/** Next as one self-contained document: `contract/next.yaml` with all that it refers to in other files. */
export async function readNextDocument(folder: string, read: FolderReader): Promise<OpenApiDocument> {
  const { document, problems, locate } = bundleOpenApi(ENTRY, await readWithReferences(folder));
  // A problem is named where its author has written it, and not where the bundle has it.
  const all = document ? nextProblems(document, read).map(locate) : problems;
  if (document && all.length === 0) return document;
  throw new FolderError(
    all.map(({ file = ENTRY, ...problem }) => ({ ...problem, file: `${CONTRACT_FOLDER}/${file}` })),
  );
}

/** Problems of Next. Slow patterns count here only: a frozen contract cannot be changed any more. */
function nextProblems(document: OpenApiDocument, read: FolderReader): OpenApiProblem[] {
  return [...read(document).problems, ...slowPatternProblems(document)];
}

/** The version that a document says it is. */
export function versionOf(document: OpenApiDocument, file: string): ApiVersion {
  const { version } = (document.info ?? {}) as { version?: unknown };
  const parsed = typeof version === 'string' ? parseApiVersion(version) : null;
  if (parsed === null || !isQuarterly(parsed))
    throw refuse(
      file,
      'it must be the version, such as "2027-01": January, April, July or October',
      '/info/version',
    );
  return apiVersion(parsed);
}

/**
 * Reads the files that Next consists of, by their path in `contract/`. A missing one is left out: the bundle names it.
 */
async function readWithReferences(folder: string): Promise<Map<string, unknown>> {
  const files = new Map<string, unknown>();
  const wanted = [ENTRY];
  for (let file = wanted.shift(); file !== undefined; file = wanted.shift()) {
    if (files.has(file)) continue;
    if (files.size === FILES_MAX) throw refuse(NEXT_FILE, `it refers to more than ${FILES_MAX} files`);
    const parsed = await readYaml(folder, `${CONTRACT_FOLDER}/${file}`);
    files.set(file, parsed);
    wanted.push(...referencedFiles(file, parsed));
  }
  return files;
}

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
