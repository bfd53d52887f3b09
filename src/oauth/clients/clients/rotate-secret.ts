import type { Context } from '../../../environments/environment.ts';
import { ApiError } from '../../../errors/api-error.ts';
import { recordOccurrences } from '../../../webhooks/publishing/record-occurrences.ts';
import type { ClientSecretId, OAuthClient } from '../../types.ts';
import { issueSecret, type NewSecret } from '../authentication/client-secrets.ts';
import { selectSecrets, updateSecretsRevoked } from '../authentication/store.ts';
import { withClient } from './clients.ts';

export interface RotatedSecret extends NewSecret {
  client: OAuthClient;
  /** Secrets that were revoked to make room. */
  revokedIds: readonly ClientSecretId[];
}

/** The current secret and its successor. */
const LIVE_SECRETS_MAX = 2;

/**
 * Gives a client another secret. The previous one keeps working, so that the client is not locked out while the new one
 * is deployed; older ones are revoked.
 */
export async function rotateSecret(context: Context, clientId: string): Promise<RotatedSecret> {
  return withClient(context, clientId, async (inside, client) => {
    if (client.kind === 'public')
      throw new ApiError('conflict', { detail: 'A public client has no secret to rotate.' });
    const live = await selectSecrets(inside.session, client.id);
    const revokedIds = live.slice(0, Math.max(0, live.length + 1 - LIVE_SECRETS_MAX)).map(({ id }) => id);
    await updateSecretsRevoked(inside.session, revokedIds, inside.clock.now());
    const rotated = { ...(await issueSecret(inside, client.id)), client, revokedIds };
    await recordRotation(inside, rotated);
    return rotated;
  });
}

/** Revokes one secret at once, even the last one: a leaked secret must be stoppable. */
export async function revokeSecret(
  context: Context,
  clientId: string,
  secretId: string,
): Promise<OAuthClient> {
  return withClient(context, clientId, async (inside, client) => {
    const live = await selectSecrets(inside.session, client.id);
    const secret = live.find(({ id }) => id === secretId);
    if (!secret) throw new ApiError('not_found', { detail: 'The client has no live secret with this id.' });
    await updateSecretsRevoked(inside.session, [secret.id], inside.clock.now());
    return client;
  });
}

async function recordRotation(context: Context, { client, id, revokedIds }: RotatedSecret): Promise<void> {
  const data = {
    client_id: client.id,
    secret_id: id,
    revoked_secret_ids: revokedIds,
    rotated_at: context.clock.now().toISOString(),
  };
  await recordOccurrences(context, [
    { type: 'client.secret_rotated', organizationIds: [client.organizationId], data },
  ]);
}
