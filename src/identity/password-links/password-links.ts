import { recordAudit } from '../../audit/audit-log.ts';
import { type Context, secretPrefix } from '../../environments/environment.ts';
import { ApiError } from '../../errors/api-error.ts';
import { isCheckedSecret, newCheckedSecret } from '../../kernel/checked-secret.ts';
import { digestOf } from '../../kernel/digest.ts';
import { requireLength, setPasswordHash } from '../change-password.ts';
import { hashPassword } from '../passwords.ts';
import { startSession } from '../sessions/sign-in-sessions.ts';
import type { User } from '../types.ts';
import { findUser, requireUser } from '../users.ts';
import { deleteLink, deleteLinksOf, insertLink, selectLinkUser } from './store.ts';

const TTL_MS = 24 * 3_600_000;

export interface PasswordLink {
  user: User;
  /** Shown now and never again: only its digest is stored. */
  linkValue: string;
  expiresAt: Date;
}

/** Lets a user set a new password within a day, once. Earlier links of the user are no longer good. */
export async function createPasswordLink(context: Context, userId: string): Promise<PasswordLink> {
  return context.transaction(async (inside) => {
    const user = await requireUser(inside, userId);
    await deleteLinksOf(inside.session, user.id);
    const linkValue = newCheckedSecret(secretPrefix(inside.name, 'pl'));
    const expiresAt = new Date(inside.clock.now().getTime() + TTL_MS);
    await insertLink(inside.session, { digest: digestOf(linkValue), userId: user.id, expiresAt });
    return { user, linkValue, expiresAt };
  });
}

/** The user whose link this is; throws where it is not, or no longer, good. */
export async function userOfLink(context: Context, linkValue: string): Promise<User> {
  const known = isCheckedSecret(secretPrefix(context.name, 'pl'), linkValue);
  const userId = known
    ? await selectLinkUser(context.session, digestOf(linkValue), context.clock.now())
    : null;
  const user = userId && (await findUser(context, userId));
  if (!user) throw noSuchLink();
  return user;
}

/** Sets the password, and uses the link up. Returns the value of a new session for the calling browser. */
export async function usePasswordLink(
  context: Context,
  linkValue: string,
  newPassword: string,
): Promise<string> {
  requireLength(newPassword);
  // Before it is hashed, which costs much; looked up again below, where it counts.
  await userOfLink(context, linkValue);
  const passwordHash = await hashPassword(newPassword);
  return context.transaction(async (inside) => {
    const userId = await deleteLink(inside.session, digestOf(linkValue), inside.clock.now());
    if (!userId) throw noSuchLink();
    await setPasswordHash(inside, userId, passwordHash);
    const actor = { type: 'user', id: userId } as const;
    await recordAudit(inside, [{ actor, action: 'user.password_changed', userId, reason: 'by a link' }]);
    return startSession(inside, userId);
  });
}

function noSuchLink(): ApiError {
  return new ApiError('not_found', {
    detail: 'This link was used already, or is too old. Ask for a new one.',
  });
}
