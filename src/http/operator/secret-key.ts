import type { Environment } from '../../environments/environment.ts';
import { readKeysInUse, rotateSecretKey, type SecretHolder } from '../../secrets/rotate-secret-key.ts';
import type { SecretBox } from '../../secrets/secret-box.ts';
import type { KeysInUse } from '../../secrets/store.ts';
import type { App } from '../app/create-app.ts';
import { operatorOf } from './acting-operator.ts';

export interface Secrets {
  box: SecretBox;
  /** Every room that stores sealed secrets. */
  holders: readonly SecretHolder[];
}

/** The key that recoverable secrets are sealed under, by ids: the key itself is never sent. */
export function secretKeyRoutes(app: App, environment: Environment, { box, holders }: Secrets): void {
  const keyBody = ({ activeId, activeSince, formerIds }: KeysInUse) => ({
    active_id: activeId,
    active_since: activeSince.toISOString(),
    former_ids: formerIds,
    // The keys this node was started with, in the order of its setting.
    node_ids: box.keys.map(({ id }) => id),
  });

  app.get('/operator/secret-key', async () => keyBody(await readKeysInUse(environment)));

  app.post('/operator/secret-key/rotate', async (request) => {
    const rotated = await rotateSecretKey(environment, box, { holders, actor: operatorOf(request) });
    return { ...keyBody(rotated), resealed_count: rotated.resealedCount };
  });
}
