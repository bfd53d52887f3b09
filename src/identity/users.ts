import type { Context } from '../environments/environment.ts';
import { ApiError } from '../errors/api-error.ts';
import { newId } from '../kernel/ids.ts';
import { type Page, type SearchRequest, toPage } from '../kernel/page.ts';
import { isUniqueViolation } from '../storage/storage-error.ts';
import { hashPassword, passwordMatches } from './passwords.ts';
import { deleteSessionsOf } from './sessions/store.ts';
import {
  eraseUser,
  insertUser,
  selectUser,
  selectUserByEmail,
  selectUserNames,
  selectUsers,
  updateUserBlocked,
} from './store.ts';
import { isUserId, type User, type UserId, userIdPrefix } from './types.ts';

export interface NewUser {
  email: string;
  name: string;
  password: string;
}

export async function createUser(context: Context, { password, ...names }: NewUser): Promise<User> {
  return storeUser(context, { ...names, passwordHash: await hashPassword(password) });
}

/** The names of users, without those that were deleted. */
export async function userNames(
  context: Context,
  ids: readonly UserId[],
): Promise<Pick<User, 'id' | 'name'>[]> {
  return ids.length === 0 ? [] : selectUserNames(context.session, ids);
}

/** The same with a password that is hashed already. */
export async function storeUser(
  context: Context,
  input: Omit<NewUser, 'password'> & { passwordHash: string },
): Promise<User> {
  const now = context.clock.now();
  const user: User = {
    id: newId(userIdPrefix, now),
    email: input.email,
    name: input.name,
    blockedAt: null,
    createdAt: now,
  };
  try {
    await insertUser(context.session, user, input.passwordHash);
  } catch (error) {
    if (!isUniqueViolation(error)) throw error;
    throw new ApiError('conflict', { detail: 'A user with this email exists already.' });
  }
  return user;
}

export async function findUserByEmail(context: Context, email: string): Promise<User | null> {
  return (await selectUserByEmail(context.session, email))?.user ?? null;
}

export async function findUser(context: Context, id: UserId): Promise<User | null> {
  return selectUser(context.session, id);
}

/** The same for an id from outside; throws where there is none. */
export async function requireUser(context: Context, id: string): Promise<User> {
  const user = isUserId(id) ? await selectUser(context.session, id) : null;
  if (!user) throw noSuchUser();
  return user;
}

export async function listUsers(context: Context, page: SearchRequest): Promise<Page<User>> {
  return toPage(await selectUsers(context.session, page), page.limit, (user) => user.id);
}

/** Blocks and signs out; `blockUser` of the directory also stops their webhooks. */
export async function lockUserOut(context: Context, id: string): Promise<User> {
  return context.transaction(async (inside) => {
    const user = await setBlocked(inside, id, inside.clock.now());
    await deleteSessionsOf(inside.session, user.id);
    return user;
  });
}

export async function unblockUser(context: Context, id: string): Promise<User> {
  return setBlocked(context, id, null);
}

/** Only the id is left, where others refer to it. */
export async function forgetUser({ session, clock }: Context, id: UserId): Promise<void> {
  await eraseUser(session, id, clock.now());
}

/** The user with this email and password; null for a wrong password, an unknown email or a blocked user. */
export async function userByPassword(
  context: Context,
  email: string,
  password: string,
): Promise<User | null> {
  const found = await selectUserByEmail(context.session, email);
  // An unknown email costs one hash too, so that timing does not reveal who has an account.
  const matches = await passwordMatches(found?.passwordHash ?? (await someHash()), password);
  return found && matches && found.user.blockedAt === null ? found.user : null;
}

let madeHash: Promise<string> | undefined;

function someHash(): Promise<string> {
  madeHash ??= hashPassword('the password of nobody');
  return madeHash;
}

async function setBlocked(context: Context, id: string, blockedAt: Date | null): Promise<User> {
  const user = isUserId(id) ? await updateUserBlocked(context.session, id, blockedAt) : null;
  if (!user) throw noSuchUser();
  return user;
}

function noSuchUser(): ApiError {
  return new ApiError('not_found', { detail: 'There is no user with this id.' });
}
