import { recordAudit } from '../audit/audit-log.ts';
import type { Context } from '../environments/environment.ts';
import { ApiError } from '../errors/api-error.ts';
import { deleteLinksOf } from './password-links/store.ts';
import { hashPassword, passwordLengthMax, passwordLengthMin } from './passwords.ts';
import { startSession } from './sessions/sign-in-sessions.ts';
import { deleteSessionsOf } from './sessions/store.ts';
import { replacePasswordHash, selectPasswordHash, updatePasswordHash } from './store.ts';
import type { User, UserId } from './types.ts';
import { requireUser } from './users.ts';

/**
 * Sets a new password for a user whose old one was checked, and ends every session of theirs.
 * Returns the value of a new session for the calling browser.
 */
export async function changePassword(context: Context, userId: UserId, newPassword: string): Promise<string> {
  requireLength(newPassword);
  const from = await selectPasswordHash(context.session, userId);
  const to = await hashPassword(newPassword);
  return context.transaction(async (inside) => {
    const changed = from !== null && (await updatePasswordHash(inside.session, userId, { from, to }));
    if (!changed) throw new ApiError('conflict', { detail: 'The password was changed elsewhere meanwhile.' });
    await deleteSessionsOf(inside.session, userId);
    const actor = { type: 'user', id: userId } as const;
    await recordAudit(inside, [{ actor, action: 'user.password_changed', userId }]);
    return startSession(inside, userId);
  });
}

/** Throws a validation error that the user can correct. */
export function requireLength({ length }: string): void {
  if (length >= passwordLengthMin && length <= passwordLengthMax) return;
  throw new ApiError('validation_failed', {
    detail: `The new password must have ${passwordLengthMin} to ${passwordLengthMax} characters.`,
  });
}

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
