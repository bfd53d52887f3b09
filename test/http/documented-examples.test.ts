import { randomUUID } from 'node:crypto';
import type { ApiVersion } from '@dateline/versions';
import { expect, it } from 'vitest';
import { exampleId } from '../../src/contracts/prose/prose.ts';
import { maintained } from '../support/build-versions.ts';
import { onPostgresFirst } from '../support/databases.ts';
import { documentOf, operationsIn, type ServedOperation } from '../support/served-documents.ts';
import { useTestService } from '../support/test-service.ts';

/** Who sends an example: the quickstart’s token, the token of the first example, or a client that registered. */
type Credential = 'quickstart' | 'first' | 'registration';

interface Step {
  id: string;
  as?: Credential;
  /** What of the answer stands for an example from now on. */
  saves?: Readonly<Record<string, string>>;
}

const TOKEN = 'dl_test_at_example';
const REGISTRATION = 'dl_test_ra_example';

/** All operations, in an order in which each finds what it needs. Those that a version lacks are left out. */
const script: readonly Step[] = [
  { id: 'oauth2:create_token', saves: { [TOKEN]: 'access_token' } },
  { id: 'oauth2:introspect_token' },
  { id: 'oauth2:introspect_tokens' },
  { id: 'oauth2:authorize' },
  { id: 'oauth2:post_authorize' },
  { id: 'oauth2:read_userinfo', saves: { [exampleId('usr')]: 'sub' } },
  { id: 'oauth2:post_userinfo' },
  { id: 'oauth2:revoke_tokens' },
  { id: 'organizations:list' },
  { id: 'products:create', saves: { [exampleId('prd')]: 'id' } },
  { id: 'products:list' },
  { id: 'products:read' },
  { id: 'products:update' },
  { id: 'products:archive' },
  { id: 'products:delete' },
  { id: 'webhooks:list_event_kinds' },
  { id: 'webhooks:create_endpoint', saves: { [exampleId('whe')]: 'id' } },
  { id: 'webhooks:list_endpoints' },
  { id: 'webhooks:read_endpoint' },
  { id: 'webhooks:update_endpoint' },
  { id: 'webhooks:rotate_secret' },
  { id: 'webhooks:test_endpoint', saves: { [exampleId('evt')]: 'id' } },
  { id: 'webhooks:preview' },
  { id: 'webhooks:recover' },
  { id: 'webhooks:read_recovery' },
  { id: 'webhooks:cancel_recovery' },
  { id: 'webhooks:list_events' },
  { id: 'webhooks:read_event' },
  { id: 'webhooks:redeliver' },
  { id: 'webhooks:list_deliveries' },
  { id: 'webhooks:delete_endpoint' },
  { id: 'oauth2:list_grants', as: 'first', saves: { [exampleId('gra')]: 'items.0.id' } },
  { id: 'oauth2:end_grant', as: 'first' },
  { id: 'oauth2:revoke_token' },
  { id: 'oauth2:report_leak' },
  // From here on the client is the one that registers.
  {
    id: 'oauth2:register_client',
    saves: { [exampleId('cli')]: 'client_id', [REGISTRATION]: 'registration_access_token' },
  },
  { id: 'oauth2:read_client', as: 'registration' },
  { id: 'oauth2:replace_client', as: 'registration' },
  { id: 'oauth2:delete_client', as: 'registration' },
];

onPostgresFirst('examples of the documents', (engine) => {
  const service = useTestService(engine);

  it.each(maintained)(
    'of %s succeed with the quickstart’s credentials, ids replaced',
    async (version: ApiVersion) => {
      const operations = operationsIn(documentOf(version));
      expect(operations.map(({ id }) => id).filter((id) => !script.some((step) => step.id === id))).toEqual(
        [],
      );
      const { organization_id, client_id, client_secret, access_token, refresh_token } =
        service.quickstart.sandbox;
      const real = new Map([
        [exampleId('org'), organization_id],
        [exampleId('cli'), client_id],
        ['dl_test_cs_example', client_secret],
        ['dl_test_rt_example', refresh_token],
      ]);
      for (const { id, as = 'quickstart', saves = {} } of script) {
        const operation = operations.find((candidate) => candidate.id === id);
        if (!operation) continue;
        // A key is good for one request.
        real.set('order-4711', randomUUID());
        const bearer = {
          quickstart: access_token,
          first: real.get(TOKEN),
          registration: real.get(REGISTRATION),
        }[as];
        const { path, init } = requestOf(operation, real, String(bearer));
        const answer = await service.call('sandbox', path, { redirect: 'manual', ...init });
        const text = await answer.text();
        expect([id, answer.status, answer.status < 400 ? '' : text]).toEqual([id, successOf(operation), '']);
        expect([id, answer.headers.get('service-version')]).toEqual([id, version]);
        for (const [example, where] of Object.entries(saves)) real.set(example, valueAt(text, where));
      }
    },
  );
});

/** The first status that is no error. */
function successOf({ responses }: ServedOperation): number {
  const statuses = Object.keys(responses).filter((status) => status !== 'default');
  return Math.min(...statuses.map(Number));
}

function requestOf(
  operation: ServedOperation,
  real: ReadonlyMap<string, string>,
  bearer: string,
): { path: string; init: RequestInit } {
  const written = JSON.stringify(requestParts(operation));
  const replaced = [...real].reduce((text, [example, value]) => text.replaceAll(example, value), written);
  const { path, query, headers, mediaType, body } = JSON.parse(replaced) as ReturnType<typeof requestParts>;
  const authorization = operation.security.length > 0 ? { authorization: `Bearer ${bearer}` } : {};
  const sent = mediaType?.includes('form')
    ? new URLSearchParams(body as Record<string, string>)
    : JSON.stringify(body);
  return {
    path: `${path}?${new URLSearchParams(query)}`,
    init: {
      method: operation.method,
      headers: { ...headers, ...authorization, ...(mediaType && { 'content-type': mediaType }) },
      ...(mediaType && { body: sent }),
    },
  };
}

function requestParts({ path, parameters, requestBody }: ServedOperation) {
  const at = (place: string): Record<string, string> =>
    Object.fromEntries(
      parameters
        .filter((parameter) => parameter.in === place)
        .map(({ name, example }) => [name, String(example)]),
    );
  const [mediaType, content] = Object.entries(requestBody?.content ?? {})[0] ?? [];
  const ids = at('path');
  return {
    path: path.replaceAll(/\{(\w+)\}/g, (_braces, name: string) => ids[name] ?? ''),
    query: at('query'),
    headers: at('header'),
    mediaType,
    body: content?.example,
  };
}

function valueAt(text: string, where: string): string {
  const found = where
    .split('.')
    .reduce<unknown>((part, name) => (part as Record<string, unknown>)[name], JSON.parse(text));
  return String(found);
}
