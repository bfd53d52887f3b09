import type { Scene } from '../environments/environment.ts';
import { ApiError } from '../errors/api-error.ts';
import { newId } from '../kernel/ids.ts';
import { type Page, type SearchRequest, toPage } from '../kernel/page.ts';
import { isUniqueViolation } from '../storage/storage-error.ts';
import { disableEndpointsOf } from '../webhooks/endpoints/end-access.ts';
import { removeMember } from './members.ts';
import { organizationsOfUser } from './organizations.ts';
import { hashPassword, passwordMatches } from './passwords.ts';
import { deleteSessionsOf } from './sessions/store.ts';
import {
  eraseUser,
  insertUser,
  selectUser,
  selectUserByEmail,
  selectUsers,
  updateUserBlocked,
} from './store.ts';
import { isUserId, type User, type UserId, userIdPrefix } from './types.ts';

export interface NewUser {
  email: string;
  name: string;
  password: string;
}

export async function createUser(scene: Scene, { password, ...names }: NewUser): Promise<User> {
  return storeUser(scene, { ...names, passwordHash: await hashPassword(password) });
}

/** The same with a password that is hashed already. */
export async function storeUser(
  scene: Scene,
  input: Omit<NewUser, 'password'> & { passwordHash: string },
): Promise<User> {
  const now = scene.clock.now();
  const user: User = {
    id: newId(userIdPrefix, now),
    email: input.email,
    name: input.name,
    blockedAt: null,
    createdAt: now,
  };
  try {
    await insertUser(scene.session, user, input.passwordHash);
  } catch (error) {
    if (!isUniqueViolation(error)) throw error;
    throw new ApiError('conflict', { detail: 'A user with this email exists already.' });
  }
  return user;
}

export async function findUserByEmail(scene: Scene, email: string): Promise<User | null> {
  return (await selectUserByEmail(scene.session, email))?.user ?? null;
}

export async function findUser(scene: Scene, id: UserId): Promise<User | null> {
  return selectUser(scene.session, id);
}

/** The same for an id from outside; throws where there is none. */
export async function requireUser(scene: Scene, id: string): Promise<User> {
  const user = isUserId(id) ? await selectUser(scene.session, id) : null;
  if (!user) throw noSuchUser();
  return user;
}

export async function listUsers(scene: Scene, page: SearchRequest): Promise<Page<User>> {
  return toPage(await selectUsers(scene.session, page), page.limit, (user) => user.id);
}

/** Blocks at once: the user is signed out, and all their tokens are inactive from the next look-up on. */
export async function blockUser(scene: Scene, id: string): Promise<User> {
  return scene.transaction(async (inside) => {
    const user = await setBlocked(inside, id, inside.clock.now());
    await deleteSessionsOf(inside.session, user.id);
    await disableEndpointsOf(inside, [{ userId: user.id }], 'its user was blocked');
    return user;
  });
}

export async function unblockUser(scene: Scene, id: string): Promise<User> {
  return setBlocked(scene, id, null);
}

/** Blocked for good, out of every organization, and forgotten: only the id is left, where others refer to it. */
export async function deleteUser(scene: Scene, id: string): Promise<User> {
  return scene.transaction(async (inside) => {
    const user = await blockUser(inside, id);
    for (const organization of await organizationsOfUser(inside, user.id))
      await removeMember(inside, { organizationId: organization.id, userId: user.id });
    await eraseUser(inside.session, user.id, inside.clock.now());
    return user;
  });
}

/** The user with this email and password; null for a wrong password, an unknown email or a blocked user. */
export async function userByPassword(scene: Scene, email: string, password: string): Promise<User | null> {
  const found = await selectUserByEmail(scene.session, email);
  // An unknown email costs one hash too, so that timing does not reveal who has an account.
  const matches = await passwordMatches(found?.passwordHash ?? (await someHash()), password);
  return found && matches && found.user.blockedAt === null ? found.user : null;
}

let madeHash: Promise<string> | undefined;

function someHash(): Promise<string> {
  madeHash ??= hashPassword('the password of nobody');
  return madeHash;
}

async function setBlocked(scene: Scene, id: string, blockedAt: Date | null): Promise<User> {
  const user = isUserId(id) ? await updateUserBlocked(scene.session, id, blockedAt) : null;
  if (!user) throw noSuchUser();
  return user;
}

function noSuchUser(): ApiError {
  return new ApiError('not_found', { detail: 'There is no user with this id.' });
}
