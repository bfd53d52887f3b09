import type { grantOperations } from '../../../contracts/head/grants.ts';
import {
  endCallerGrant,
  type GrantReach,
  listCallerGrants,
} from '../../../oauth/grants/caller-grants/caller-grants.ts';
import type { CallerGrant } from '../../../oauth/grants/caller-grants/store.ts';
import type { ActiveToken } from '../../../oauth/types.ts';
import { pageBody } from '../../app/paging.ts';
import { insufficientScope } from '../authenticate-token.ts';
import type { HandlersOf } from '../handler.ts';
import { pageIn } from '../read-list.ts';

export const grantHandlers: HandlersOf<typeof grantOperations> = {
  async 'oauth2:list_grants'({ context, request, token }) {
    const grants = await listCallerGrants(context, token, {
      ...pageIn(request),
      reach: reachOf(token, request),
    });
    return { status: 200, body: pageBody(grants, grantBody) };
  },

  async 'oauth2:end_grant'({ context, request, token }) {
    const { id } = request.params;
    const reach = reachOf(token, request);
    // Before it is looked up, so that the answer does not reveal whether it exists.
    if (token.subject.type === 'user' && id !== token.grantId && reach === 'own')
      throw insufficientScope([MANAGE]);
    await endCallerGrant(context, token, { id, reach });
    return { status: 204, body: null };
  },
};

const MANAGE = 'grants:manage';

/** With its scope, a token speaks for its user about what the user allows other applications. */
function reachOf(
  { scopes }: ActiveToken,
  { command }: { readonly command: { readonly grantsOfClient?: boolean } },
): GrantReach {
  if (scopes.includes(MANAGE)) return 'user';
  return command.grantsOfClient === true ? 'client' : 'own';
}

function grantBody(grant: CallerGrant) {
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
