import { type Context, secretPrefix } from '../../environments/environment.ts';
import { isCheckedSecret, newCheckedSecret } from '../../kernel/checked-secret.ts';
import { digestOf } from '../../kernel/digest.ts';
import type { User, UserId } from '../types.ts';
import { deleteSession, insertSession, type SignInSession, selectSessionsOf, useSession } from './store.ts';

/** A user signed in in one browser. */
export interface SignedIn {
  user: User;
  /** When the password was last given. */
  authenticatedAt: Date;
}

/** Signs a user in. The value is new each time, which prevents session fixation. */
export async function startSession(context: Context, userId: UserId): Promise<string> {
  const sessionValue = newCheckedSecret(secretPrefix(context.name, 'ss'));
  const now = context.clock.now();
  await insertSession(context.session, {
    digest: digestOf(sessionValue),
    userId,
    authenticatedAt: now,
    expiresAt: new Date(now.getTime() + context.lifetimes.signInAbsoluteSeconds * 1000),
  });
  return sessionValue;
}

/** The user signed in with this value; null once the session was idle or has lasted for too long. */
export async function findSession(context: Context, sessionValue: string): Promise<SignedIn | null> {
  if (!isCheckedSecret(secretPrefix(context.name, 'ss'), sessionValue)) return null;
  return useSession(context.session, digestOf(sessionValue), liveAt(context));
}

/** The limits of a live session: it ends after `now`, and was last used after `idleSince`. */
function liveAt({ clock, lifetimes }: Context): { now: Date; idleSince: Date } {
  const now = clock.now();
  return { now, idleSince: new Date(now.getTime() - lifetimes.signInIdleSeconds * 1000) };
}

/** In which browsers a user is signed in, for operators. */
export function listSessionsOf(context: Context, userId: UserId): Promise<SignInSession[]> {
  return selectSessionsOf(context.session, userId, liveAt(context));
}

export async function endSession(context: Context, sessionValue: string): Promise<void> {
  await deleteSession(context.session, digestOf(sessionValue));
}
