import { Type } from 'typebox';
import type { Wire } from '../../contracts/head/operation-parts.ts';
import type { Environment } from '../../environments/environment.ts';
import { readKeysInUse, rotateSecretKey, type SecretHolder } from '../../secrets/rotate-secret-key.ts';
import type { SecretBox } from '../../secrets/secret-box.ts';
import type { KeysInUse } from '../../secrets/store.ts';
import type { App } from '../app/create-app.ts';
import { operatorOf } from './acting-operator.ts';
import { Count, describe, object, Text, Time } from './fields.ts';
import { operationsOf } from './operation.ts';

export interface Secrets {
  box: SecretBox;
  /** Every room that stores sealed secrets. */
  holders: readonly SecretHolder[];
}

const keyFields = {
  active_id: describe(Text, 'The id of the key that encrypts new secrets.'),
  active_since: describe(Time, 'Since when it is in use.'),
  former_ids: describe(Type.Array(Text), 'Keys that some stored secrets are still encrypted with.'),
  node_ids: describe(
    Type.Array(Text),
    'The keys that the node which answers was started with, in the order of its setting.',
  ),
};
const SecretKey = object(keyFields);
const Rotated = object({
  ...keyFields,
  resealed_count: describe(Count, 'How many stored secrets were encrypted anew.'),
});

/** The key that recoverable secrets are sealed under, by ids: the key itself is never sent. */
export function secretKeyRoutes(app: App, environment: Environment, { box, holders }: Secrets): void {
  const operation = operationsOf(app, 'Secret key');
  const keyBody = ({ activeId, activeSince, formerIds }: KeysInUse): Wire<typeof SecretKey> => ({
    active_id: activeId,
    active_since: activeSince.toISOString(),
    former_ids: formerIds,
    node_ids: box.keys.map(({ id }) => id),
  });

  operation(
    'GET /operator/secret-key',
    {
      id: 'read_secret_key',
      needs: 'viewer',
      summary: 'Show which key encrypts recoverable secrets',
      description: 'By ids: the key itself is never sent.',
      answer: { description: 'The keys in use.', body: SecretKey },
    },
    async () => keyBody(await readKeysInUse(environment)),
  );

  operation(
    'POST /operator/secret-key/rotate',
    {
      id: 'rotate_secret_key',
      needs: 'admin',
      summary: 'Change to the first key of DATELINE_SECRET_KEY',
      description:
        'Stored secrets are encrypted anew. Where there are many, the call ends after a few seconds: repeat it until `former_ids` is empty. After a crash too the same call resumes. Without a new key in the setting, nothing changes.',
      answer: { description: 'The keys in use.', body: Rotated },
      errors: ['conflict'],
    },
    async (request) => {
      const rotated = await rotateSecretKey(environment, box, { holders, actor: operatorOf(request) });
      return { ...keyBody(rotated), resealed_count: rotated.resealedCount };
    },
  );
}
