import type { Context } from '../../environments/environment.ts';
import { configuredOperator, operatorKeyNames } from '../../identity/operator-keys.ts';
import { isOperatorKeyId, isUserId } from '../../identity/types.ts';
import { userNames } from '../../identity/users.ts';
import { findClients } from '../../oauth/clients/clients/clients.ts';
import { isClientId } from '../../oauth/types.ts';

/** The name of an actor by its id; null where it has none, or is gone. */
export type NameOf = (actorId: string | null | undefined) => string | null;

/** Looks up the names of operator keys, clients and users: at most one statement for each kind. */
export async function actorNames(
  context: Context,
  actorIds: readonly (string | null | undefined)[],
): Promise<NameOf> {
  const ids = [...new Set(actorIds.filter((id) => id != null))];
  const found = [
    configuredOperator,
    ...(await operatorKeyNames(context, ids.filter(isOperatorKeyId))),
    ...(await findClients(context, ids.filter(isClientId))),
    ...(await userNames(context, ids.filter(isUserId))),
  ];
  const names = new Map<string, string>(found.map(({ id, name }) => [id, name]));
  return (id) => names.get(id ?? '') ?? null;
}
