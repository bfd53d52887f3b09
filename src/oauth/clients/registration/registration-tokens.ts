import { type Context, secretPrefix } from '../../../environments/environment.ts';
import { ApiError } from '../../../errors/api-error.ts';
import { isCheckedSecret, newCheckedSecret } from '../../../kernel/checked-secret.ts';
import { digestOf } from '../../../kernel/digest.ts';
import { isId, newId } from '../../../kernel/ids.ts';
import { type Page, type PageRequest, toPage } from '../../../kernel/page.ts';
import type { RegistrationToken, RegistrationTokenId } from '../../types.ts';
import {
  deleteRegistrationToken,
  insertRegistrationToken,
  selectRegistrationTokens,
  useRegistrationToken,
} from './store.ts';

const ID_PREFIX = 'rgt';
const TTL_MS = 24 * 3_600_000;

export interface CreatedRegistrationToken {
  registrationToken: RegistrationToken;
  /** Shown now and never again: only its digest is stored. */
  tokenValue: string;
}

/** Lets one client register itself within a day, with no more than this. */
export async function createRegistrationToken(
  context: Context,
  ceiling: Pick<RegistrationToken, 'scopes' | 'allowedGrants'>,
): Promise<CreatedRegistrationToken> {
  const now = context.clock.now();
  const registrationToken: RegistrationToken = {
    id: newId(ID_PREFIX, now),
    ...ceiling,
    createdAt: now,
    expiresAt: new Date(now.getTime() + TTL_MS),
    usedAt: null,
  };
  const tokenValue = newCheckedSecret(secretPrefix(context.name, 'ir'));
  await insertRegistrationToken(context.session, registrationToken, digestOf(tokenValue));
  return { registrationToken, tokenValue };
}

/** Returns whether a text could be a registration token of this environment. */
export function isRegistrationToken(context: Pick<Context, 'name'>, text: string): boolean {
  return isCheckedSecret(secretPrefix(context.name, 'ir'), text);
}

/** Uses the token up, if it is live. In the transaction of the registration: one that fails leaves it as it was. */
export async function redeemRegistrationToken(
  context: Context,
  tokenValue: string,
): Promise<RegistrationToken | null> {
  return useRegistrationToken(context.session, digestOf(tokenValue), context.clock.now());
}

export async function listRegistrationTokens(
  context: Context,
  page: PageRequest,
): Promise<Page<RegistrationToken>> {
  return toPage(await selectRegistrationTokens(context.session, page), page.limit, ({ id }) => id);
}

export async function revokeRegistrationToken(context: Context, id: string): Promise<RegistrationTokenId> {
  if (isRegistrationTokenId(id) && (await deleteRegistrationToken(context.session, id))) return id;
  throw new ApiError('not_found', { detail: 'There is no registration token with this id.' });
}

function isRegistrationTokenId(id: string): id is RegistrationTokenId {
  return isId(ID_PREFIX, id);
}
