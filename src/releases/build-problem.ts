import type { ApiVersion } from '@dateline/versions';
import { type LedgerRow, type Lifecycle, newestReleased } from './release-ledger.ts';

export interface DecidedState {
  lifecycle: Lifecycle;
  ledger: readonly LedgerRow[];
  now: Date;
}

/**
 * Why a build must not serve what is decided; null if it may. `held` gives the hash of each contract it holds, `heldFolder` that of
 * the operator's own API.
 */
export function buildProblem(
  { lifecycle: { deprecated, current, next }, ledger, now }: DecidedState,
  held: ReadonlyMap<ApiVersion, string>,
  heldFolder: ReadonlyMap<ApiVersion, string> | null = null,
): string | null {
  const released = newestReleased(ledger, now);
  if (released !== null && released > current)
    return `${released} was released, and this build has not frozen it; deploy one that has.`;
  for (const version of [deprecated, current, next]) {
    if (!held.has(version))
      return `This build lacks the contract of ${version}, which is maintained; deploy one that has it.`;
  }
  for (const version of [deprecated, current]) {
    const released = ledger.findLast(
      (row) => row.kind === 'release' && row.version === version && !row.rehearsal,
    );
    if (released && released.contractSha256 !== held.get(version)) {
      return `This build has a different contract of ${version} than the one that was released (${released.contractSha256}); deploy the right one.`;
    }
    // What was released before there was a folder says nothing about its contract.
    if (released?.folderSha256 && heldFolder && released.folderSha256 !== heldFolder.get(version)) {
      return `The API folder has a different contract of ${version} than the one that was released (${released.folderSha256}); deploy the right one.`;
    }
  }
  return null;
}
