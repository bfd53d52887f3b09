import type { Wire } from '../../contracts/head/operation-parts.ts';
import type { Environment } from '../../environments/environment.ts';
import { createOperatorKey, listOperatorKeys, revokeOperatorKey } from '../../identity/operator-keys.ts';
import { operatorRoles, type OperatorKey as StoredKey } from '../../identity/types.ts';
import type { App } from '../app/create-app.ts';
import { pageBody, pageRequest } from '../app/paging.ts';
import { audited, csrfTokenOf, type OperatorEntry, operatorOf } from './acting-operator.ts';
import { describe, Name, object, oneOf, optional, orNull, pageOf, pageQuery, Text, Time } from './fields.ts';
import { operationsOf } from './operation.ts';

const Role = oneOf(operatorRoles);
const ROLE =
  'admin: everything; viewer: reading; support: reading, sending events again, and disabling clients and webhook endpoints with a reason; publisher: publishing events, and nothing else.';

const NewOperatorKey = object({
  name: describe(Name, 'Who or what will use the key.'),
  role: optional(Role, `What the key may do. ${ROLE} By default admin.`),
});

const keyFields = {
  id: describe(Text, 'Begins with opk_. The audit log names the key by it.'),
  name: describe(Text, 'Who or what uses the key.'),
  role: describe(Role, ROLE),
  created_at: describe(Time, 'When the key was created.'),
  last_used_at: describe(orNull(Time), 'When it was last used, to the minute; null if it never was.'),
  revoked_at: describe(orNull(Time), 'Since when it is no longer accepted; null for a live key.'),
};
const OperatorKey = object(keyFields);
const CreatedKey = object({
  ...keyFields,
  operator_key: describe(Text, 'The key itself. It is shown only in this answer.'),
});

const Me = object({
  id: describe(Text, 'The id of the key; configured for the one from the settings.'),
  name: describe(Text, 'Who or what uses the key.'),
  role: describe(Role, ROLE),
  csrf_token: describe(
    orNull(Text),
    'In a session of the console: the X-CSRF-Token of every request that changes something. Null for a key.',
  ),
});

export function operatorKeyRoutes(app: App, environment: Environment): void {
  const operation = operationsOf(app, 'Operator keys');

  operation(
    'GET /operator/me',
    {
      id: 'read_own_key',
      needs: 'any role',
      summary: 'Show which key this is, and its role',
      answer: { description: 'The key that the request was sent with.', body: Me },
    },
    async (request) => {
      const { id, name, role } = operatorOf(request);
      return { id, name, role, csrf_token: csrfTokenOf(request) };
    },
  );

  operation(
    'GET /operator/operator-keys',
    {
      id: 'list_operator_keys',
      needs: 'viewer',
      summary: 'List operator keys',
      description: 'Revoked ones too. The key from the settings is not stored, and not listed.',
      query: pageQuery,
      answer: { description: 'A page of keys, oldest first.', body: pageOf(OperatorKey) },
    },
    async (request) => pageBody(await listOperatorKeys(environment, pageRequest(request)), operatorKeyBody),
  );

  operation(
    'POST /operator/operator-keys',
    {
      id: 'create_operator_key',
      needs: 'admin',
      summary: 'Create an operator key',
      description:
        'Give each operator and each program a key of its own, with the smallest role that is enough: the audit log says which key did what.',
      body: NewOperatorKey,
      answer: {
        status: 201,
        description: 'The new key; this is the only answer that shows it.',
        body: CreatedKey,
      },
    },
    async (request) => {
      const { operatorKey, keyValue } = await audited(environment, request, {
        act: (context) => createOperatorKey(context, request.body),
        entry: (created) => keyEntry('operator_key.created', created.operatorKey),
      });
      return { ...operatorKeyBody(operatorKey), operator_key: keyValue };
    },
  );

  operation(
    'POST /operator/operator-keys/:id/revoke',
    {
      id: 'revoke_operator_key',
      needs: 'admin',
      summary: 'Revoke an operator key',
      description: 'It is refused at once. The last live key with the role admin cannot be revoked.',
      params: { id: 'The id of the operator key.' },
      answer: { description: 'The revoked key.', body: OperatorKey },
      errors: ['conflict'],
    },
    async (request) =>
      operatorKeyBody(
        await audited(environment, request, {
          act: (context) => revokeOperatorKey(context, request.params.id),
          entry: (key) => keyEntry('operator_key.revoked', key),
        }),
      ),
  );
}

function keyEntry(action: string, { id, name, role }: StoredKey): OperatorEntry {
  return { action, details: { operator_key_id: id, name, role } };
}

function operatorKeyBody(key: StoredKey): Wire<typeof OperatorKey> {
  return {
    id: key.id,
    name: key.name,
    role: key.role,
    created_at: key.createdAt.toISOString(),
    last_used_at: key.lastUsedAt?.toISOString() ?? null,
    revoked_at: key.revokedAt?.toISOString() ?? null,
  };
}
