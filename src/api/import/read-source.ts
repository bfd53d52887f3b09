import { readFileSync, realpathSync, statSync } from 'node:fs';
import { basename, dirname, join, relative, sep } from 'node:path';
import { plainDataProblem, pointerBelow, readReference, referencedFiles } from '@dateline/versions';
import { errorCode, errorMessage } from '../../kernel/error-facts.ts';
import { jsonProblem } from '../../kernel/json-problem.ts';
import { isPart } from '../document/parts.ts';
import { FolderError, refuse } from '../folder/folder-problem.ts';
import { parseYaml } from '../folder/read-contract-files.ts';
import { isJsonText } from './contract-text.ts';
import { ENTRY, type SourcePlace } from './import-notes.ts';

/** A document as it was found: its text and its data, file by file, by their names in `contract/`. */
export interface SourceDocument {
  /** The name of the file that was named. */
  name: string;
  texts: ReadonlyMap<string, string>;
  files: Map<string, unknown>;
  /** Members that were called `__proto__`: they are gone. */
  prototypes: readonly SourcePlace[];
}

const FILES_MAX = 500;
const BYTES_MAX = 64 * 1024 * 1024;

/** Reads a document with all files of its folder that it refers to. Nothing outside of that folder is read, and nothing is fetched. */
export function readSource(path: string): SourceDocument {
  if (/^[a-z][a-z0-9+.-]+:\/\//i.test(path))
    throw refuse(path, 'it is a URL, and nothing is fetched; download the document, and name the file');
  const name = basename(path);
  const folder = dirname(path);
  const texts = new Map<string, string>();
  const files = new Map<string, unknown>();
  const prototypes: SourcePlace[] = [];
  const waiting = [name];
  for (let file = waiting.pop(); file !== undefined; file = waiting.pop()) {
    if (files.has(file)) continue;
    if (files.size === FILES_MAX) throw refuse(name, `it refers to more than ${FILES_MAX} files`);
    const text = readInside(folder, file, file === name);
    if (text === null) continue;
    const data = parsedSource(text, file);
    for (const pointer of takePrototypes(data))
      prototypes.push({ file: file === name ? ENTRY : file, pointer });
    requirePlainData(data, file);
    texts.set(file, text);
    files.set(file, data);
    waiting.push(...referencedFiles(file, data));
  }
  if (!isPart(files.get(name))) throw refuse(name, 'it is no object, so it is no OpenAPI document');
  return renamed({ name, texts, files, prototypes });
}

function parsedSource(text: string, file: string): unknown {
  if (text.trim() === '') throw refuse(file, 'it is empty');
  const json = isJsonText(text) ? jsonIn(text) : undefined;
  if (json !== undefined) return json;
  return parseYaml(text, file);
}

/** Undefined where a text is no JSON, or such that the reader of folders reads it as YAML, which finds fault with it by its place. */
function jsonIn(text: string): unknown {
  try {
    const value: unknown = JSON.parse(text);
    return jsonProblem(text) === null ? value : undefined;
  } catch {
    return undefined;
  }
}

function requirePlainData(data: unknown, file: string): void {
  const problem = plainDataProblem(data);
  if (problem) throw refuse(file, problem.reason, problem.path);
}

/** Takes members out that another program might take for a prototype, and says where they stood. */
function takePrototypes(root: unknown): string[] {
  const found: string[] = [];
  const waiting = [{ value: root, pointer: '' }];
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    const { value, pointer } = next;
    if (typeof value !== 'object' || value === null) continue;
    if (Object.hasOwn(value, '__proto__')) {
      Reflect.deleteProperty(value, '__proto__');
      found.push(pointerBelow(pointer, '__proto__'));
    }
    for (const [key, item] of Object.entries(value))
      if (typeof item === 'object') waiting.push({ value: item, pointer: pointerBelow(pointer, key) });
  }
  return found;
}

/** The text of a file; null where there is none, which matters only where it is needed. */
function readInside(folder: string, file: string, isNamed: boolean): string | null {
  const path = join(folder, file);
  try {
    const real = realpathSync(path);
    const way = relative(realpathSync(folder), real);
    if (!isNamed && (way === '..' || way.startsWith(`..${sep}`)))
      throw refuse(file, 'it is a link that leads out of the folder of the document; put a copy there');
    const { size, isFile } = factsOf(real);
    if (!isFile) throw refuse(file, 'it is no file');
    if (size > BYTES_MAX) throw refuse(file, `it is larger than ${BYTES_MAX / 1024 / 1024} MB`);
    return decoded(readFileSync(real), file);
  } catch (error) {
    if (error instanceof FolderError) throw error;
    if (!isNamed && errorCode(error) === 'ENOENT') return null;
    const reason =
      errorCode(error) === 'ENOENT' ? 'there is no such file' : `it cannot be read (${errorMessage(error)})`;
    throw refuse(isNamed ? path : file, reason);
  }
}

function factsOf(path: string): { size: number; isFile: boolean } {
  const facts = statSync(path);
  return { size: facts.size, isFile: facts.isFile() };
}

function decoded(bytes: Uint8Array, file: string): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw refuse(file, 'it is not UTF-8; save it in that encoding');
  }
}

/** The document is `next.yaml` in the folder that is made; other files keep their names. */
function renamed({ name, texts, files, prototypes }: SourceDocument): SourceDocument {
  const taken = [...files.keys()].find((file) => file !== name && isTaken(file));
  if (taken !== undefined)
    throw refuse(
      taken,
      'a file of this name is written by Dateline itself in contract/; rename it, and what refers to it',
    );
  const rename = <Value>(all: ReadonlyMap<string, Value>) =>
    new Map([...all].map(([file, value]) => [file === name ? ENTRY : file, value] as const));
  if (name !== ENTRY) for (const [file, data] of files) renameReferences(data, file, name);
  return { name, texts: rename(texts), files: rename(files), prototypes };
}

const isTaken = (file: string): boolean => file === ENTRY || /^(?:frozen|changes)(?:\/|$)/.test(file);

/** References to the document by the name of its file, in it and in others. */
function renameReferences(root: unknown, file: string, name: string): void {
  const known = new Set([root]);
  for (const value of known) {
    if (typeof value !== 'object' || value === null) continue;
    for (const item of Object.values(value)) if (typeof item === 'object') known.add(item);
    if (!isPart(value) || typeof value.$ref !== 'string' || value.$ref.startsWith('#')) continue;
    const target = readReference(value.$ref, file);
    if (typeof target !== 'string' && target.file === name)
      Reflect.set(
        value,
        '$ref',
        value.$ref.replace(/^[^#]*/, (way) => way.replace(/[^/]*$/, ENTRY)),
      );
  }
}
