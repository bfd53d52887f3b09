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
  return { source, api, hashes: new Map(hashes) };
}
