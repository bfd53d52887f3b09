import type { Context } from '../../../environments/environment.ts';
import { disableEndpointsOf } from '../../../webhooks/endpoints/end-access.ts';
import type { OAuthClient } from '../../types.ts';
import { selectSecrets, updateSecretsRevoked } from '../authentication/store.ts';
import { withClient } from '../clients/clients.ts';
import { updateClientDeleted } from '../clients/store.ts';
import { deleteRegistration } from './store.ts';

/** Deletes the client for good: it, its tokens and its secrets are unknown from now on. Housekeeping deletes its rows. */
export async function deleteClient(context: Context, id: string): Promise<OAuthClient> {
  return withClient(context, id, async (inside, client) => {
    const { session, clock } = inside;
    const secrets = await selectSecrets(session, client.id);
    await updateSecretsRevoked(
      session,
      secrets.map((secret) => secret.id),
      clock.now(),
    );
    await deleteRegistration(session, client.id);
    await updateClientDeleted(session, client.id, clock.now());
    await disableEndpointsOf(inside, [{ clientId: client.id }], 'its client was deleted');
    return client;
  });
}
