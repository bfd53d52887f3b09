import { ApiError } from '../errors/api-error.ts';
import type { OrganizationId } from './types.ts';

/** The organization to create something in: the token's only one, or the one of them that is named. */
export function chooseOrganization(reach: readonly OrganizationId[], wanted: string | null): OrganizationId {
  const [only, ...others] = wanted === null ? reach : reach.filter((id) => id === wanted);
  if (only && others.length === 0) return only;
  const detail =
    wanted === null
      ? `organization_id must name the organization: the token is for ${reach.length} of them.`
      : 'organization_id must be an organization of the token.';
  throw new ApiError('validation_failed', { detail });
}
