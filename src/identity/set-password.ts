import type { Context } from '../environments/environment.ts';
import { deleteLinksOf } from './password-links/store.ts';
import { deleteSessionsOf } from './sessions/store.ts';
import { replacePasswordHash } from './store.ts';
import type { User } from './types.ts';
import { requireUser } from './users.ts';

/** Sets the password of a user, whatever it was. The user is signed out everywhere, and links to set one are no longer good. */
export async function setPasswordHash(context: Context, userId: string, passwordHash: string): Promise<User> {
  return context.transaction(async (inside) => {
    const user = await requireUser(inside, userId);
    await replacePasswordHash(inside.session, user.id, passwordHash);
    await deleteSessionsOf(inside.session, user.id);
    await deleteLinksOf(inside.session, user.id);
    return user;
  });
}
