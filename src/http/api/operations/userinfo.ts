import type { userinfoOperations } from '../../../contracts/head/userinfo.ts';
import { findUser } from '../../../identity/users.ts';
import { userClaims } from '../../../oauth/scopes/user-claims.ts';
import { insufficientScope } from '../authenticate-token.ts';
import type { HandlersOf, TokenCall } from '../handler.ts';

/** The signed-in user, as far as the token's scopes allow (OpenID Connect Core §5.3, §5.4). */
async function readUserinfo({ context, token: { subject, scopes } }: TokenCall<unknown>) {
  const user = subject.type === 'user' ? await findUser(context, subject.id) : null;
  if (!user) throw insufficientScope(['openid']);
  return { status: 200 as const, body: { sub: user.id, ...userClaims(user, scopes) } };
}

export const userinfoHandlers: HandlersOf<typeof userinfoOperations> = {
  'oauth2:read_userinfo': readUserinfo,
  'oauth2:post_userinfo': readUserinfo,
};
