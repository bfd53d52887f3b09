import { listCommand } from '../../../contracts/head/commands.ts';
import { endOwnGrant, listOwnGrants } from '../../../oauth/grants/own-grants/own-grants.ts';
import type { OwnGrant } from '../../../oauth/grants/own-grants/store.ts';
import type { OperationHandlers } from '../version-app.ts';

export const grantHandlers: OperationHandlers = {
  async 'oauth2:list_grants'({ scene, request, token }) {
    const { limit, paging } = listCommand(request);
    const after = paging.by === 'cursor' ? paging.after : null;
    const { items, next } = await listOwnGrants(scene, token, { limit, after });
    return { status: 200, body: { items: items.map(grantBody), pagination: { next_cursor: next } } };
  },

  async 'oauth2:end_grant'({ scene, request, token }) {
    await endOwnGrant(scene, token, request.params.id ?? '');
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
