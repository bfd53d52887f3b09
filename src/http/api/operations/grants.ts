import type { grantOperations } from '../../../contracts/head/grants.ts';
import { endOwnGrant, listOwnGrants } from '../../../oauth/grants/own-grants/own-grants.ts';
import type { OwnGrant } from '../../../oauth/grants/own-grants/store.ts';
import type { ActiveToken } from '../../../oauth/types.ts';
import { pageBody } from '../../app/paging.ts';
import { insufficientScope } from '../authenticate-token.ts';
import type { HandlersOf } from '../handler.ts';
import { pageIn } from '../read-list.ts';

export const grantHandlers: HandlersOf<typeof grantOperations> = {
  async 'oauth2:list_grants'({ scene, request, token }) {
    const grants = await listOwnGrants(scene, token, {
      ...pageIn(request),
      ofUser: isForUser(token, request),
    });
    return { status: 200, body: pageBody(grants, grantBody) };
  },

  async 'oauth2:end_grant'({ scene, request, token }) {
    const { id } = request.params;
    // Before it is looked up, so that the answer does not reveal whether it exists.
    if (token.subject.type === 'user' && id !== token.grantId && !isForUser(token, request))
      throw insufficientScope([MANAGE]);
    await endOwnGrant(scene, token, id);
    return { status: 204, body: null };
  },
};

const MANAGE = 'grants:manage';

/** Whether a token speaks for its user about what the user allows other applications. */
function isForUser(
  { scopes }: ActiveToken,
  { command }: { readonly command: { readonly everyGrant?: boolean } },
): boolean {
  return command.everyGrant === true || scopes.includes(MANAGE);
}

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
