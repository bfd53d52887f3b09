import { readFileSync } from 'node:fs';
import {
  type ApiSource,
  type ApiVersion,
  type CompiledApi,
  compileApi,
  contractHash,
} from '@dateline/versions';
import { apiSource } from '../contracts/api.ts';

/** The API that this build holds, the same for both environments. */
export interface Build {
  source: ApiSource;
  api: CompiledApi;
  /** The hash of each version's contract. */
  hashes: ReadonlyMap<ApiVersion, string>;
  /** The version of the service itself. */
  release: string;
}

let build: Build | undefined;

/** Compiled at the first call: a process has one build, which does not change while it runs. */
export function readBuild(): Build {
  build ??= compileBuild();
  return build;
}

function compileBuild(): Build {
  const source = apiSource();
  const api = compileApi(source);
  const hashes = [...api.values()].map(({ version, document }) => [version, contractHash(document)] as const);
  const manifest = readFileSync(new URL('../../package.json', import.meta.url), 'utf8');
  return { source, api, hashes: new Map(hashes), release: String(JSON.parse(manifest).version) };
}

/** For the log: what runs here. */
export function buildFacts({ release, hashes }: Build) {
  return { dateline: release, node: process.version, contracts: Object.fromEntries(hashes) };
}
