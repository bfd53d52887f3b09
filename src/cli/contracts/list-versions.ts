import { type ApiSource, apiSteps, type FrozenState } from '@dateline/versions';
import type { Output } from '../output.ts';

/** Prints the versions of a tree. */
export function listVersions(output: Output, frozen: FrozenState, source: ApiSource): void {
  output.list(
    versionRows(frozen, source),
    ['version', 'state', 'since', 'differences', 'modules', 'sha256'],
    'There are no versions.',
  );
}

/** One row for each version but the last of the source, which is Next again until that is frozen. */
function versionRows({ lock }: FrozenState, source: ApiSource) {
  const steps = apiSteps(source);
  return steps.map(({ older: { version } }, index) => {
    const since = steps[index - 1];
    const sha256 = lock.sha256[version];
    return {
      version,
      state: sha256 === undefined ? 'open' : 'unchanged',
      since: since?.older.version,
      differences: since?.differences.length,
      modules: since?.changes?.length,
      sha256,
    };
  });
}
