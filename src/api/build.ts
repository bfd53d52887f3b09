import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { extname, join } from 'node:path';
import {
  type ApiSource,
  type ApiVersion,
  type CompiledApi,
  compileApi,
  contractHash,
  type PassageWatch,
} from '@dateline/versions';
import { apiSource, frozenVersions } from '../contracts/api.ts';
import { present } from '../kernel/presence.ts';
import type { FolderKinds } from '../webhooks/publishing/folder-kinds.ts';
import { composeApi, composeChanges, composeFrozen } from './compose/compose-api.ts';
import { reserved } from './compose/reserved.ts';
import { partIn } from './document/parts.ts';
import {
  CHANGES_FOLDER,
  ERRORS_MODULE,
  HANDLERS_MODULE,
  MARKED_EXTENSIONS,
  MODULE_EXTENSIONS,
} from './folder/folder-files.ts';
import { findModule } from './folder/modules/find-module.ts';
import type { ApiFolder } from './folder/read-api-folder.ts';
import { createApiPaths, type IsApiPath } from './paths.ts';

/** The API that this process serves, the same for both environments. */
export interface Build {
  changeSets: ApiSource['changeSets'];
  api: CompiledApi;
  frozen: readonly ApiVersion[];
  /** The hash of each version's contract, as far as it is Dateline's own. */
  hashes: ReadonlyMap<ApiVersion, string>;
  /** The event kinds that the upstream may publish. */
  folderKinds: FolderKinds;
  /** The version of the service itself. */
  release: string;
  /** The same for processes that run the same code and serve the same API, on whatever Node. */
  id: string;
  /** The API of a folder, where one is named. */
  folder: ApiFolder | null;
  isApiPath: IsApiPath;
}

let ours: Build | undefined;

/** Compiled at the first call: a process has one build, which does not change while it runs. */
export async function readBuild(apiFolder: string | null): Promise<Build> {
  ours ??= compileBuild(apiSource());
  if (apiFolder === null) return ours;
  // What reads a folder takes a while to load, and most starts have none.
  const { readApiFolder } = await import('./folder/read-api-folder.ts');
  return withApiFolder(ours, await readApiFolder(apiFolder, reserved()));
}

/** Builds one folder after the other beside the same API of ours. The watch sees what our changes do with each call. */
export function createFolderBuilds(watch: PassageWatch): (folder: ApiFolder) => Build {
  const own = compileBuild({ ...apiSource(), watch });
  return (folder) => withApiFolder(own, folder);
}

/** Of an API with kinds that the service does not publish by itself, if there are any. */
export function compileBuild(source: ApiSource, kinds: ReadonlySet<string> = new Set()): Build {
  const api = compileApi(source);
  const hashes = [...api.values()].map(({ version, document }) => [version, contractHash(document)] as const);
  const manifest = readFileSync(new URL('../../package.json', import.meta.url), 'utf8');
  const release = String(JSON.parse(manifest).version);
  return {
    changeSets: source.changeSets,
    api,
    frozen: frozenVersions(),
    hashes: new Map(hashes),
    folderKinds: { version: newestOf(api), kinds },
    release,
    id: idOf([release, codeDigest(), ...hashes]),
    folder: null,
    isApiPath: createApiPaths([]),
  };
}

function withApiFolder(build: Build, folder: ApiFolder): Build {
  const api = composeApi(build.api, folder);
  return {
    ...build,
    api,
    changeSets: composeChanges(build.changeSets, folder),
    frozen: composeFrozen(build.frozen, folder),
    hashes: new Map([...build.hashes].filter(([version]) => api.has(version))),
    folderKinds: { version: newestOf(api), kinds: new Set(folderKindsOf(folder)) },
    id: idOf([build.id, ...folder.hashes, ...modulesIn(folder.folder)]),
    folder,
    isApiPath: createApiPaths(folderPaths(folder)),
  };
}

function newestOf(api: CompiledApi): ApiVersion {
  return present([...api.keys()].at(-1), 'the newest version');
}

/** The event kinds of Next: an upstream always publishes in the newest version. */
function folderKindsOf({ source }: ApiFolder): string[] {
  return Object.keys(partIn(source.documents.at(-1) ?? {}, 'webhooks'));
}

function folderPaths({ api }: ApiFolder): string[] {
  return [...api.values()].flatMap(({ contract }) => contract.operations.map(({ path }) => path));
}

/** For the log, and for whoever lists the nodes: what runs here. */
export function buildFacts({ id, release, hashes, folder }: Build) {
  return {
    id,
    dateline: release,
    node: process.version,
    contracts: Object.fromEntries(hashes),
    ...(folder && { api: folder.config.title, api_contracts: Object.fromEntries(folder.hashes) }),
  };
}

function idOf(facts: readonly unknown[]): string {
  return createHash('sha256').update(JSON.stringify(facts)).digest('hex').slice(0, 12);
}

/** The modules of a folder, which decide what is answered as much as its contracts do. */
function modulesIn(folder: string): string[] {
  const changes = join(folder, CHANGES_FOLDER);
  const written = existsSync(changes) ? readdirSync(changes, { recursive: true, encoding: 'utf8' }) : [];
  const beside = [HANDLERS_MODULE, ERRORS_MODULE].flatMap(
    (name) => findModule(folder, name, MARKED_EXTENSIONS) ?? [],
  );
  const files = [
    ...written.filter((file) => MODULE_EXTENSIONS.includes(extname(file))).map((file) => join(changes, file)),
    ...beside.map((file) => join(folder, file)),
  ];
  return files.sort().map((file) => readFileSync(file, 'utf8'));
}

/**
 * Digest of the file that a start loads: it names the others, whose names hold their own hashes (tools/bundle.mjs). Null where the
 * sources run as they are.
 */
function codeDigest(): string | null {
  const entry = new URL('../cli/dateline.js', import.meta.url);
  return existsSync(entry) ? createHash('sha256').update(readFileSync(entry)).digest('hex') : null;
}
