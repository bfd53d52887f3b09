import type { Context } from '../environments/environment.ts';
import { findUserByEmail } from '../identity/users.ts';
import { changeClient } from '../oauth/clients/clients/administer-clients.ts';
import { findClient } from '../oauth/clients/clients/clients.ts';
import { grantToUser } from '../oauth/grants/grants.ts';
import { stillKnown } from '../oauth/scopes/scopes.ts';
import { issueAccessToken, issueRefreshToken } from '../oauth/tokens/issue-token.ts';
import { readQuickstart, writeQuickstart } from './quickstart-file.ts';

/**
 * Lets the demo client use scopes that have come since it was made, and writes tokens with them into the file. Returns those scopes; none
 * where the file belongs to another database.
 */
export async function extendDemoScopes(sandbox: Context, path: string): Promise<string[]> {
  return sandbox.transaction(async (context) => {
    await context.session.lock('quickstart');
    const file = readQuickstart(path);
    const client = file && (await findClient(context, file.sandbox.client_id));
    const user = file && (await findUserByEmail(context, file.sandbox.user_email));
    if (!client || !user) return [];
    const added = context.scopes.usual.filter((scope) => !client.scopes.includes(scope));
    if (added.length === 0) return [];
    const changed = await changeClient(context, client.id, { scopes: [...client.scopes, ...added] });
    const grant = await grantToUser(context, {
      client: changed.client,
      userId: user.id,
      organizationIds: [client.organizationId],
      scopes: stillKnown(changed.client.scopes, context.scopes),
    });
    const [access, refresh] = [
      await issueAccessToken(context, grant),
      await issueRefreshToken(context, grant),
    ];
    const tokens = { access_token: access.tokenValue, refresh_token: refresh.tokenValue };
    writeQuickstart(path, { ...file, sandbox: { ...file.sandbox, ...tokens } });
    return added;
  });
}
