import { Type } from 'typebox';
import type { Environment } from '../../environments/environment.ts';
import { createOperatorKey, listOperatorKeys, revokeOperatorKey } from '../../identity/operator-keys.ts';
import type { OperatorKey } from '../../identity/types.ts';
import type { App } from '../app/create-app.ts';
import { pageBody, pageRequest } from '../app/paging.ts';
import { audited, type OperatorEntry } from './acting-operator.ts';
import { Name } from './fields.ts';

const NewOperatorKey = Type.Object({ name: Name }, { additionalProperties: false });

export function operatorKeyRoutes(app: App, environment: Environment): void {
  app.get('/operator/operator-keys', async (request) =>
    pageBody(await listOperatorKeys(environment, pageRequest(request)), operatorKeyBody),
  );

  app.post<{ Body: Type.Static<typeof NewOperatorKey> }>(
    '/operator/operator-keys',
    { schema: { body: NewOperatorKey } },
    async (request, reply) => {
      const { operatorKey, keyValue } = await audited(environment, request, {
        act: (scene) => createOperatorKey(scene, request.body),
        entry: (created) => keyEntry('operator_key.created', created.operatorKey),
      });
      return reply.status(201).send({ ...operatorKeyBody(operatorKey), operator_key: keyValue });
    },
  );

  app.post<{ Params: { id: string } }>('/operator/operator-keys/:id/revoke', async (request) =>
    operatorKeyBody(
      await audited(environment, request, {
        act: (scene) => revokeOperatorKey(scene, request.params.id),
        entry: (key) => keyEntry('operator_key.revoked', key),
      }),
    ),
  );
}

function keyEntry(action: string, { id, name }: OperatorKey): OperatorEntry {
  return { action, details: { operator_key_id: id, name } };
}

function operatorKeyBody(key: OperatorKey) {
  return {
    id: key.id,
    name: key.name,
    created_at: key.createdAt.toISOString(),
    last_used_at: key.lastUsedAt?.toISOString() ?? null,
    revoked_at: key.revokedAt?.toISOString() ?? null,
  };
}
