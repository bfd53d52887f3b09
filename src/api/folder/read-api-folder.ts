import { resolve } from 'node:path';
import {
  type ApiVersion,
  type CompiledApi,
  compileApi,
  contractHash,
  type FrozenState,
  type PassageWatch,
} from '@dateline/versions';
import type { FolderConfig } from './config-file.ts';
import { errorSchemaProblems } from './errors/error-problems.ts';
import { type FolderErrors, loadErrors } from './errors/load-errors.ts';
import { examineFolder } from './examine-folder.ts';
import { LOCK_FILE } from './folder-files.ts';
import { FolderError, refuse } from './folder-problem.ts';
import { type FolderHandlers, handlerProblems, loadHandlers } from './load-handlers.ts';
import { inFolder } from './locations/locate-problems.ts';
import { isBelow, mountedApi } from './mounted-api.ts';
import { type FolderSource, versionsOf } from './read-folder-source.ts';
import { type Reserved, reservedPath } from './reserved.ts';

/** An API company's own API, as its folder has it: checked and compiled. */
export interface ApiFolder {
  /** Absolute. */
  folder: string;
  /** Says which API this is, wherever its folder lies. */
  id: string;
  config: FolderConfig;
  source: FolderSource;
  /** The frozen files that it was read with. */
  frozenState: FrozenState;
  /** As callers know it, below the prefix of the configuration. */
  api: CompiledApi;
  /** The same as the upstream knows it. */
  upstreamApi: CompiledApi;
  frozen: readonly ApiVersion[];
  next: ApiVersion;
  /** The hash of each contract that is written down. */
  hashes: ReadonlyMap<ApiVersion, string>;
  /** Handlers that answer in place of the upstream, by operation id. */
  handlers: FolderHandlers;
  /** Its own form of Dateline's errors; null where it gives none. */
  errors: FolderErrors | null;
  /** True for an address that is Dateline's own in any version. */
  isReserved(path: string): boolean;
}

export interface ReadOptions {
  /**
   * Earlier states of its frozen files: with them an edit can be located, a lock that was edited along is found, and tapes are looked
   * at, which serving needs not.
   */
  past?: readonly FrozenState[];
  /** Sees what the changes do with each call. */
  watch?: PassageWatch | undefined;
}

/** Reads a folder. Throws a `FolderError` that names every file and place that is wrong. */
export async function readApiFolder(
  path: string,
  reserved: Reserved,
  { past, watch }: ReadOptions = {},
): Promise<ApiFolder> {
  const folder = resolve(path);
  return inFolder(folder, async () => {
    const { config, frozen, source, problems } = await examineFolder(folder, reserved, past ?? null);
    if (problems.length > 0 || config === null) throw new FolderError(problems);
    const api = compileApi(watch ? { ...source, watch } : source);
    const handlers = await loadHandlers(folder);
    const errors = await loadErrors(folder);
    const { next } = source;
    const unusable = [...handlerProblems(handlers, api), ...errorSchemaProblems({ errors, api, next })];
    if (unusable.length > 0) throw new FolderError(unusable);
    return {
      folder,
      id: idOf(frozen),
      config,
      source,
      frozenState: frozen,
      api: mountedApi(api, config.mount),
      upstreamApi: api,
      frozen: versionsOf(frozen),
      next,
      hashes: new Map(source.written.map((version) => [version, hashOf(version, source, frozen)])),
      handlers,
      errors,
      isReserved: (path) => reservedPath(path, reserved) !== undefined || !isBelow(path, config.mount),
    };
  });
}

/** A frozen version is what its lock says: that was compared. */
function hashOf(version: ApiVersion, { documentOf }: FolderSource, { lock }: FrozenState): string {
  return lock.sha256[version] ?? contractHash(documentOf(version));
}

function idOf({ lock }: FrozenState): string {
  if (lock.id === undefined)
    throw refuse(LOCK_FILE, 'it has no id; restore the file, or begin with "dateline init"');
  return lock.id;
}
