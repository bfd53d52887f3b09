import { type Context, secretPrefix } from '../../../environments/environment.ts';
import { newCheckedSecret } from '../../../kernel/checked-secret.ts';
import { digestOf } from '../../../kernel/digest.ts';
import { newId } from '../../../kernel/ids.ts';
import type { ClientSecretId, OAuthClientId } from '../../types.ts';
import { insertClientSecret } from './store.ts';

export interface NewSecret {
  id: ClientSecretId;
  /** Shown now and never again: only its digest is stored. */
  secretValue: string;
}

export async function issueSecret(context: Context, clientId: OAuthClientId): Promise<NewSecret> {
  const secretValue = newClientSecretValue(context);
  return { id: await storeClientSecret(context, { clientId, secretValue }), secretValue };
}

export function newClientSecretValue(context: Pick<Context, 'name'>): string {
  return newCheckedSecret(secretPrefix(context.name, 'cs'));
}

/** Stores a secret of a client. A client may have two, so that a new one is in use before the old one is revoked. */
export async function storeClientSecret(
  context: Context,
  input: { clientId: OAuthClientId; secretValue: string },
): Promise<ClientSecretId> {
  const now = context.clock.now();
  const id: ClientSecretId = newId('sec', now);
  await insertClientSecret(context.session, {
    id,
    clientId: input.clientId,
    digest: digestOf(input.secretValue),
    createdAt: now,
  });
  return id;
}
