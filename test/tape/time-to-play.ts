import { type ApiVersion, contractHash, fromOpenApi, nextVersion, previousVersion } from '@dateline/versions';
import { apiSource, frozenVersions } from '../../src/contracts/api.ts';
import { buildProblem } from '../../src/releases/build-problem.ts';
import { lifecycleAt } from '../../src/releases/release-ledger.ts';
import { middleOf } from '../support/service/build-versions.ts';

/** The parts of a build: the versions it holds frozen, and the hashes of all contracts it holds. */
export interface Build {
  frozen: readonly ApiVersion[];
  held: ReadonlyMap<ApiVersion, string>;
}

/**
 * A moment at which a build serves a version: as Next, as Current or as Deprecated. Which of them it is changes from
 * build to build, so a tape holds nothing that depends on it.
 */
export function timeToPlay(version: ApiVersion, { frozen, held }: Build = thisBuild()): string {
  const moment = [previousVersion(version), version, nextVersion(version)].map(middleOf).find((time) => {
    const lifecycle = lifecycleAt(frozen, [], new Date(time));
    if (!lifecycle || buildProblem({ lifecycle, ledger: [], now: new Date(time) }, held) !== null)
      return false;
    return [lifecycle.deprecated, lifecycle.current, lifecycle.next].includes(version);
  });
  if (moment === undefined) throw new Error(`this build serves ${version} at no time`);
  return moment;
}

function thisBuild(): Build {
  const { documents } = apiSource();
  const hashes = documents.map(
    (document) => [fromOpenApi(document).version, contractHash(document)] as const,
  );
  return { frozen: frozenVersions(), held: new Map(hashes) };
}
