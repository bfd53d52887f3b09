import type { ApiVersion } from '@dateline/versions';
import type { Session } from '../../storage/database.ts';
import { statement } from '../../storage/statement.ts';
import type { Endpoint } from '../types.ts';

export type PinnedEndpoint = Pick<Endpoint, 'id' | 'organizationId' | 'url' | 'pinnedVersion'>;

const SELECT_PINNED = statement(
  'select_pinned_webhook_endpoints',
  `select id, organization_id as "organizationId", url, pinned_version as "pinnedVersion"
   from {schema}.webhook_endpoints
   where deleted_at is null and pinned_version <= $1
   order by id`,
);

export async function selectPinnedUpTo(session: Session, version: ApiVersion): Promise<PinnedEndpoint[]> {
  return session.run<PinnedEndpoint>(SELECT_PINNED, [version]);
}

const SELECT_ORGANIZATIONS = statement(
  'select_organizations_with_webhook_endpoints',
  `select distinct organization_id as id from {schema}.webhook_endpoints where deleted_at is null order by id`,
);

export async function selectOrganizationsWithEndpoints(session: Session): Promise<string[]> {
  return (await session.run<{ id: string }>(SELECT_ORGANIZATIONS, [])).map(({ id }) => id);
}
