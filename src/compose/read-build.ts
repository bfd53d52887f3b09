import { readFileSync } from 'node:fs';
import {
  type ApiSource,
  type ApiVersion,
  type CompiledApi,
  compileApi,
  contractHash,
} from '@dateline/versions';
import { apiSource } from '../contracts/api.ts';
import { present } from '../kernel/presence.ts';
import type { OwnKinds } from '../webhooks/publishing/own-kinds.ts';

/** The API that this build holds, the same for both environments. */
export interface Build {
  source: ApiSource;
  api: CompiledApi;
  /** The hash of each version's contract. */
  hashes: ReadonlyMap<ApiVersion, string>;
  /** What may be published from outside. */
  ownKinds: OwnKinds;
  /** The version of the service itself. */
  release: string;
}

let build: Build | undefined;

/** Compiled at the first call: a process has one build, which does not change while it runs. */
export function readBuild(): Build {
  build ??= compileBuild(apiSource());
  return build;
}

/** Of an API with kinds that the service does not publish by itself, if there are any. */
export function compileBuild(source: ApiSource, kinds: ReadonlySet<string> = new Set()): Build {
  const api = compileApi(source);
  const hashes = [...api.values()].map(({ version, document }) => [version, contractHash(document)] as const);
  const manifest = readFileSync(new URL('../../package.json', import.meta.url), 'utf8');
  return {
    source,
    api,
    hashes: new Map(hashes),
    ownKinds: { version: present([...api.keys()].at(-1), 'the newest version'), kinds },
    release: String(JSON.parse(manifest).version),
  };
}

/** For the log: what runs here. */
export function buildFacts({ release, hashes }: Build) {
  return { dateline: release, node: process.version, contracts: Object.fromEntries(hashes) };
}
