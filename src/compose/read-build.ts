import { readFileSync } from 'node:fs';
import {
  type ApiSource,
  type ApiVersion,
  type CompiledApi,
  compileApi,
  contractHash,
} from '@dateline/versions';
import { apiSource, frozenVersions } from '../contracts/api.ts';
import { createApiPaths, type IsApiPath } from '../http/edge/api-paths.ts';
import { present } from '../kernel/presence.ts';
import type { OwnApi } from '../own-api/read-own-api.ts';
import type { OwnKinds } from '../webhooks/publishing/own-kinds.ts';
import { composeApi, composeChanges, composeFrozen } from './compose-api.ts';
import { reserved } from './reserved.ts';

/** The API that this process serves, the same for both environments. */
export interface Build {
  changeSets: ApiSource['changeSets'];
  api: CompiledApi;
  frozen: readonly ApiVersion[];
  /** The hash of each version's contract, as far as it is Dateline's own. */
  hashes: ReadonlyMap<ApiVersion, string>;
  /** What may be published from outside. */
  ownKinds: OwnKinds;
  /** The version of the service itself. */
  release: string;
  /** The API of a folder, where one is named. */
  own: OwnApi | null;
  isApiPath: IsApiPath;
}

let ours: Build | undefined;

/** Compiled at the first call: a process has one build, which does not change while it runs. */
export async function readBuild(apiFolder: string | null): Promise<Build> {
  ours ??= compileBuild(apiSource());
  if (apiFolder === null) return ours;
  // What reads a folder takes a while to load, and most starts have none.
  const { readOwnApi } = await import('../own-api/read-own-api.ts');
  return withOwnApi(ours, await readOwnApi(apiFolder, reserved()));
}

/** Of an API with kinds that the service does not publish by itself, if there are any. */
export function compileBuild(source: ApiSource, kinds: ReadonlySet<string> = new Set()): Build {
  const api = compileApi(source);
  const hashes = [...api.values()].map(({ version, document }) => [version, contractHash(document)] as const);
  const manifest = readFileSync(new URL('../../package.json', import.meta.url), 'utf8');
  return {
    changeSets: source.changeSets,
    api,
    frozen: frozenVersions(),
    hashes: new Map(hashes),
    ownKinds: { version: newestOf(api), kinds },
    release: String(JSON.parse(manifest).version),
    own: null,
    isApiPath: createApiPaths([]),
  };
}

function withOwnApi(build: Build, own: OwnApi): Build {
  const api = composeApi(build.api, own);
  return {
    ...build,
    api,
    changeSets: composeChanges(build.changeSets, own),
    frozen: composeFrozen(build.frozen, own),
    hashes: new Map([...build.hashes].filter(([version]) => api.has(version))),
    ownKinds: { version: newestOf(api), kinds: new Set(ownKindsOf(own)) },
    own,
    isApiPath: createApiPaths(ownPaths(own)),
  };
}

function newestOf(api: CompiledApi): ApiVersion {
  return present([...api.keys()].at(-1), 'the newest version');
}

/** Those of Next: what an upstream publishes is always of the newest version. */
function ownKindsOf({ source }: OwnApi): string[] {
  return Object.keys((source.documents.at(-1)?.webhooks ?? {}) as object);
}

function ownPaths({ source }: OwnApi): string[] {
  return source.documents.flatMap(({ paths }) => Object.keys((paths ?? {}) as object));
}

/** For the log: what runs here. */
export function buildFacts({ release, hashes, own }: Build) {
  return {
    dateline: release,
    node: process.version,
    contracts: Object.fromEntries(hashes),
    ...(own && { api: own.config.title, api_contracts: Object.fromEntries(own.hashes) }),
  };
}
