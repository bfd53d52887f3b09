import type { ApiVersion, RejectionReason, Selection } from '@dateline/versions';
import { ApiError } from '../../errors/api-error.ts';
import type { Lifecycle } from '../../releases/release-ledger.ts';

export type RejectedSelection = Extract<Selection, { served: false }>;

/** The error of a rejected version: distinct from a missing resource, and with the list of available versions. */
export function rejectedVersionError(
  selection: RejectedSelection,
  { deprecated, current, next, removedAt }: Lifecycle,
): ApiError {
  const at = selection.reason === 'removed' ? removedAt(selection.requested as ApiVersion) : null;
  return new ApiError('version_not_found', {
    detail: details[selection.reason],
    members: {
      reason: selection.reason,
      supported: [deprecated, current, next],
      current,
      ...(at ? { removed_at: at.toISOString() } : {}),
    },
  });
}

const details: Record<RejectionReason, string> = {
  malformed: 'The Service-Version header must be one version in the form YYYY-MM.',
  unknown: 'There is no API version with this identifier.',
  removed: 'This API version was removed. Move to a supported one.',
};
