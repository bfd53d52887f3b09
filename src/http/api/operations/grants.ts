import type { grantOperations } from '../../../contracts/head/grants.ts';
import { endOwnGrant, listOwnGrants } from '../../../oauth/grants/own-grants/own-grants.ts';
import type { OwnGrant } from '../../../oauth/grants/own-grants/store.ts';
import { pageBody } from '../../app/paging.ts';
import type { HandlersOf } from '../handler.ts';
import { pageIn } from '../read-list.ts';

export const grantHandlers: HandlersOf<typeof grantOperations> = {
  async 'oauth2:list_grants'({ scene, request, token }) {
    const grants = await listOwnGrants(scene, token, pageIn(request));
    return { status: 200, body: pageBody(grants, grantBody) };
  },

  async 'oauth2:end_grant'({ scene, request, token }) {
    await endOwnGrant(scene, token, request.params.id);
    return { status: 204, body: null };
  },
};

function grantBody(grant: OwnGrant) {
  return {
    id: grant.id,
    client_id: grant.clientId,
    client_name: grant.clientName,
    scopes: grant.scopes,
    organizations: grant.organizationIds,
    audience: grant.audience,
    created_at: grant.createdAt.toISOString(),
    expires_at: grant.expiresAt.toISOString(),
  };
}
