import type { Context } from '../../environments/environment.ts';
import { configuredOperator, operatorKeyNames } from '../../identity/operator-keys.ts';
import { organizationsOf } from '../../identity/organizations.ts';
import { isOperatorKeyId, isOrganizationId, isUserId } from '../../identity/types.ts';
import { userNames } from '../../identity/users.ts';
import { findClients } from '../../oauth/clients/clients/clients.ts';
import { isClientId } from '../../oauth/types.ts';
import { describe, orNull, Text } from './fields.ts';

/** The name of an operator key, a client, a user or an organization by its id; null where it has none, or is gone. */
export type NameOf = (id: string | null | undefined) => string | null;

/** Looks up the names of all ids of an answer: at most one statement for each kind. */
export async function namesOf(
  context: Context,
  wanted: readonly (string | null | undefined)[],
): Promise<NameOf> {
  const ids = [...new Set(wanted.filter((id) => id != null))];
  const found = [
    configuredOperator,
    ...(await operatorKeyNames(context, ids.filter(isOperatorKeyId))),
    ...(await findClients(context, ids.filter(isClientId))),
    ...(await userNames(context, ids.filter(isUserId))),
    ...(await organizationsOf(context, ids.filter(isOrganizationId))),
  ];
  const names = new Map<string, string>(found.map(({ id, name }) => [id, name]));
  return (id) => names.get(id ?? '') ?? null;
}

/** A field with the name of what another field holds the id of. */
export const nameField = (description = 'Its name now; null if it is gone.') =>
  describe(orNull(Text), description);
