import { type ApiVersion, parseApiVersion, type RejectionReason, type Selection } from '@dateline/versions';
import { ApiError } from '../../errors/api-error.ts';
import { removalInstant } from '../../releases/lifecycle.ts';
import type { LedgerRow, Lifecycle } from '../../releases/release-ledger.ts';

export type RejectedSelection = Extract<Selection, { served: false }>;

/** The error of a rejected version: distinct from a missing resource, and with the list of available versions. */
export function rejectedVersionError(
  selection: RejectedSelection,
  { deprecated, current, next }: Lifecycle,
  ledger: readonly LedgerRow[],
): ApiError {
  return new ApiError('version_not_found', {
    detail: details[selection.reason],
    members: {
      reason: selection.reason,
      supported: [deprecated, current, next],
      current,
      ...(selection.reason === 'removed' ? { removed_at: removedAt(selection.requested, ledger) } : {}),
    },
  });
}

const details: Record<RejectionReason, string> = {
  malformed: 'The Service-Version header must be one version in the form YYYY-MM.',
  unknown: 'There is no API version with this identifier.',
  removed: 'This API version was removed. Move to a supported one.',
};

function removedAt(requested: string, ledger: readonly LedgerRow[]): string | null {
  return removalInstant(parseApiVersion(requested) as ApiVersion, ledger)?.toISOString() ?? null;
}
