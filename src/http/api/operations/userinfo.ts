import type { User } from '../../../identity/types.ts';
import { findUser } from '../../../identity/users.ts';
import type { Scope } from '../../../oauth/scopes/scopes.ts';
import { insufficientScope } from '../authenticate-token.ts';
import type { Answer, Call, OperationHandlers } from '../version-app.ts';

export const userinfoHandlers: OperationHandlers = {
  'oauth2:read_userinfo': tellUser,
  'oauth2:post_userinfo': tellUser,
};

/** Who has signed in, as far as the scopes of the token say (OpenID Connect Core §5.3, §5.4). */
async function tellUser({ scene, token: { subject, scopes } }: Call): Promise<Answer> {
  const user = subject.type === 'user' ? await findUser(scene, subject.id) : null;
  if (!user) throw insufficientScope('openid');
  return { status: 200, body: claimsOf(user, scopes) };
}

function claimsOf({ id, name, email }: User, scopes: readonly Scope[]) {
  return {
    sub: id,
    ...(scopes.includes('profile') ? { name } : {}),
    // Nobody has proved that the address is theirs: the operator has entered it.
    ...(scopes.includes('email') ? { email, email_verified: false } : {}),
  };
}
