import type { Context } from '../../environments/environment.ts';
import { newId } from '../../kernel/ids.ts';
import type { SecretHolder } from '../../secrets/rotate-secret-key.ts';
import type { SecretBox } from '../../secrets/secret-box.ts';
import { newWebhookSecret } from '../sending/sign-delivery.ts';
import { type EndpointId, type SecretId, secretIdPrefix } from '../types.ts';
import { insertSecret, lockSealedOtherwise, updateSealed } from './store.ts';

/** Makes a secret and stores it sealed. The returned value is shown once. */
export async function makeSecret(context: Context, box: SecretBox, endpointId: EndpointId): Promise<string> {
  const createdAt = context.clock.now();
  const id: SecretId = newId(secretIdPrefix, createdAt);
  const secretValue = newWebhookSecret();
  const sealed = await box.seal(context, secretPurpose(id), secretValue);
  await insertSecret(context.session, { id, endpointId, sealed, createdAt });
  return secretValue;
}

/** The purpose that a webhook secret is sealed for. */
export function secretPurpose(id: SecretId): string {
  return `webhook secret ${id}`;
}

const RESEALED_AT_ONCE = 100;

export const webhookSecretHolder: SecretHolder = {
  async reseal(context, { mark, seal }) {
    const secrets = await lockSealedOtherwise(context.session, mark, RESEALED_AT_ONCE);
    for (const { id, sealed } of secrets)
      await updateSealed(context.session, id, seal(secretPurpose(id), sealed));
    return secrets.length;
  },
};
