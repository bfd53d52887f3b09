import { resolve } from 'node:path';
import {
  type ApiSource,
  type ApiVersion,
  apiProblems,
  type CompiledApi,
  compileApi,
  contractHash,
  type FrozenState,
  frozenProblems,
  type OpenApiDocument,
} from '@dateline/versions';
import { type FolderConfig, readConfigFile } from './config-file.ts';
import { errorSchemaProblems } from './errors/error-problems.ts';
import { type FolderErrors, loadErrors } from './errors/load-errors.ts';
import { createFolderReader, readFolderContract } from './folder-contract.ts';
import { FROZEN_FOLDER, LOCK_FILE, NEXT_FILE } from './folder-files.ts';
import { FolderError, type FolderProblem, refuse } from './folder-problem.ts';
import { readFrozenFiles } from './freeze/frozen-files.ts';
import { type FolderHandlers, handlerProblems, loadHandlers } from './load-handlers.ts';
import { versionOf } from './read-contract-files.ts';
import { frozenFile, readFolderSource, versionsOf } from './read-folder-source.ts';
import { type Reserved, reservedPath, reservedProblems, reservedScopeProblems } from './reserved.ts';
import { scopeProblems } from './scope-problems.ts';

/** An API company's own API, as its folder has it: checked and compiled. */
export interface ApiFolder {
  /** Absolute. */
  folder: string;
  /** Says which API this is, wherever its folder lies. */
  id: string;
  config: FolderConfig;
  source: ApiSource;
  api: CompiledApi;
  frozen: readonly ApiVersion[];
  next: ApiVersion;
  /** The hash of each version's contract. */
  hashes: ReadonlyMap<ApiVersion, string>;
  /** Handlers that answer in place of the upstream, by operation id. */
  handlers: FolderHandlers;
  /** Its own form of Dateline's errors; null where it gives none. */
  errors: FolderErrors | null;
  /** True for an address that is Dateline's own in any version. */
  isReserved(path: string): boolean;
}

/**
 * Reads a folder. Throws a `FolderError` that names every file and place that is wrong. With earlier states of its frozen
 * files an edit can be located, and a lock that was edited along is found.
 */
export async function readApiFolder(
  path: string,
  reserved: Reserved,
  past: readonly FrozenState[] = [],
): Promise<ApiFolder> {
  const folder = resolve(path);
  const config = await readConfigFile(folder);
  const frozen = readFrozenFiles({ root: folder, folder: FROZEN_FOLDER });
  const reader = createFolderReader(config);
  const source = await readFolderSource(folder, frozen, reader);
  const [versions, next] = [versionsOf(frozen), versionOf(source.documents.at(-2) ?? {}, NEXT_FILE)];
  const problems = [
    ...reservedScopeProblems(config, reserved),
    ...frozenProblems(frozen, past, words).map((sentence) => inFile(FROZEN_FOLDER, sentence)),
    ...apiProblems(source).map((sentence) => inFile(NEXT_FILE, sentence)),
    ...newestFirst(source).flatMap((document, index) => {
      const file = fileOf(versions.toReversed(), index - 1);
      const contract = readFolderContract(document, file, reader);
      return [...scopeProblems(contract, config, file), ...reservedProblems(contract, reserved, file)];
    }),
  ].filter(createOnce());
  if (problems.length > 0) throw new FolderError(problems);
  const api = compileApi(source);
  const handlers = await loadHandlers(folder);
  const errors = await loadErrors(folder);
  const unusable = [...handlerProblems(handlers, api), ...errorSchemaProblems({ errors, api, next })];
  if (unusable.length > 0) throw new FolderError(unusable);
  return {
    folder,
    id: idOf(frozen),
    config,
    source,
    api,
    frozen: versions,
    next,
    hashes: new Map(
      source.documents.map((document) => [versionOf(document, NEXT_FILE), contractHash(document)]),
    ),
    handlers,
    errors,
    isReserved: (path) => reservedPath(path, reserved) !== undefined,
  };
}

/** The documents that are written, Next first: the same problem is one of the newest version that has it. */
function newestFirst({ documents }: ApiSource): OpenApiDocument[] {
  return documents.slice(0, -1).toReversed();
}

/** Passes what was not there before, whatever the file: a problem is told once, and not once for each version. */
function createOnce(): (problem: FolderProblem) => boolean {
  const told = new Set<string>();
  return ({ path, reason }) => {
    const key = JSON.stringify([path, reason]);
    const isNew = !told.has(key);
    told.add(key);
    return isNew;
  };
}

function fileOf(frozen: readonly ApiVersion[], index: number): string {
  const version = frozen[index];
  return version === undefined ? NEXT_FILE : frozenFile(version);
}

const words = { next: NEXT_FILE, freeze: 'dateline contract', recordTape: 'dateline contract release' };

const inFile = (file: string, sentence: string): FolderProblem => ({
  file,
  reason: sentence.replace(/\.$/, ''),
});

function idOf({ lock }: FrozenState): string {
  if (lock.id === undefined)
    throw refuse(LOCK_FILE, 'it has no id; restore the file, or begin with "dateline init"');
  return lock.id;
}
