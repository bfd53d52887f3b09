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
  withUsedComponents,
} from '@dateline/versions';
import { parseDocument } from 'yaml';
import { errorCode, errorMessage } from '../../kernel/error-facts.ts';
import { jsonProblem } from '../../kernel/json-problem.ts';
import { loadErrors } from './errors/load-errors.ts';
import { CONTRACT_FOLDER, NEXT_FILE } from './folder-files.ts';
import { FolderError, type FolderProblem, refuse } from './folder-problem.ts';
import { createLocations } from './locations/code-frame.ts';
import { isYamlDeeper } from './locations/yaml-depth.ts';

const ENTRY = NEXT_FILE.slice(CONTRACT_FOLDER.length + 1);
const FILES_MAX = 500;

/** Next as one self-contained document: `contract/next.yaml` with all that it refers to in other files. */
export interface NextDocument {
  document: OpenApiDocument;
  /** A problem of the document, named where its author has written it, and not where the bundle has it. */
  locate(problem: OpenApiProblem): FolderProblem;
}

export async function bundleNext(folder: string): Promise<NextDocument> {
  const files = await readWithReferences(folder, await errorSchemas(folder));
  const { document, problems, locate } = bundleOpenApi(ENTRY, files);
  if (document) return { document, locate: (problem) => inContract(locate(problem)) };
  throw new FolderError(problems.map(inContract));
}

/** The schema that `errors.mjs` names; what is wrong with that file is told elsewhere. */
async function errorSchemas(folder: string): Promise<string[]> {
  const errors = await loadErrors(folder).catch(() => null);
  return errors?.schema ? [errors.schema] : [];
}

function inContract({ file = ENTRY, ...problem }: OpenApiProblem): FolderProblem {
  return { ...problem, file: `${CONTRACT_FOLDER}/${file}` };
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
 * Reads the files that Next consists of, by their path in `contract/`. Components that nothing uses are dropped before anything else: they
 * cost nothing, nobody finds fault with them, and no file is read for them.
 */
async function readWithReferences(folder: string, kept: readonly string[]): Promise<Map<string, unknown>> {
  const whole = new Map([[ENTRY, await readYaml(folder, NEXT_FILE)]]);
  for (;;) {
    const files = new Map([...whole, [ENTRY, withUsedComponents(ENTRY, whole, kept)]]);
    const referred = [...files].flatMap(([file, parsed]) => referencedFiles(file, parsed));
    const missing = [...new Set(referred)].filter((file) => !files.has(file));
    if (missing.length === 0) return files;
    if (files.size + missing.length > FILES_MAX)
      throw refuse(NEXT_FILE, `it refers to more than ${FILES_MAX} files`);
    for (const file of missing) whole.set(file, await readYaml(folder, `${CONTRACT_FOLDER}/${file}`));
  }
}

/** A YAML or JSON file of a folder as plain data. */
export async function readYaml(folder: string, file: string): Promise<unknown> {
  return parseYaml(await readText(folder, file), file);
}

/** JSON is read as what it is, which takes a small part of the time; undefined where a text is none. Names that stand twice are YAML's to refuse. */
function jsonIn(text: string): unknown {
  if (!/^\s*\{/.test(text)) return undefined;
  try {
    const value: unknown = JSON.parse(text);
    return jsonProblem(text) === null ? value : undefined;
  } catch {
    return undefined;
  }
}

export async function readText(folder: string, file: string): Promise<string> {
  try {
    return await readFile(join(folder, file), 'utf8');
  } catch (error) {
    const isMissing = errorCode(error) === 'ENOENT';
    throw refuse(file, isMissing ? 'the file is missing' : `it cannot be read (${errorMessage(error)})`);
  }
}

const LEVELS_MAX = 250;

export function parseYaml(text: string, file: string): unknown {
  const json = jsonIn(text);
  if (json !== undefined) return json;
  if (isYamlDeeper(text, LEVELS_MAX)) throw refuse(file, `it is nested more than ${LEVELS_MAX} levels deep`);
  const document = parseDocument(text, { prettyErrors: false, uniqueKeys: true });
  const [error] = document.errors;
  if (error) {
    const location = createLocations(text)(error.pos[0]);
    throw new FolderError([{ file, reason: error.message.replace(/[.:]$/, ''), location }]);
  }
  try {
    // JSON knows no dates: a text that looks like one stays a text, as the schema "core" has it.
    return JSON.parse(JSON.stringify(document.toJS({ maxAliasCount: 100 }) ?? null));
  } catch (error) {
    throw refuse(file, errorMessage(error));
  }
}
