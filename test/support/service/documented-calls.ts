import type { ApiVersion } from '@dateline/versions';
import { expect } from 'vitest';
import { exampleId } from '../../../src/contracts/prose/prose.ts';
import { documentOf, operationsIn, type ServedOperation } from '../contracts/served-documents.ts';
import type { TestService } from './test-service.ts';

/** The sender of an example: the quickstart’s token, the token of the first example, or a client that registered. */
type Credential = 'quickstart' | 'first' | 'registration';

interface Step {
  id: string;
  as?: Credential;
  /** Fields of the answer that replace an example in later calls. */
  saves?: Readonly<Record<string, string>>;
}

const TOKEN = 'dl_test_at_example';
const REGISTRATION = 'dl_test_ra_example';

/** Every operation, in an order in which each finds what it needs. A version skips those that it lacks. */
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

/** A call of an operation with its example. */
export interface DocumentedCall {
  operation: ServedOperation;
  bearer: string;
  /** Puts what is real for what only examples have. */
  fillIn(text: string): string;
}

/** Calls every operation of a version in turn; `send` returns the body of the answer, and fails where it is an error. */
export async function callEveryOperation(
  service: TestService,
  version: ApiVersion,
  send: (call: DocumentedCall) => Promise<string>,
): Promise<void> {
  const operations = operationsIn(documentOf(version));
  const ids = operations.map(({ id }) => id);
  expect(ids.filter((id) => !script.some((step) => step.id === id))).toEqual([]);
  const { organization_id, client_id, client_secret, access_token, refresh_token } =
    service.quickstart.sandbox;
  const real = new Map([
    [exampleId('org'), organization_id],
    [exampleId('cli'), client_id],
    ['dl_test_cs_example', client_secret],
    ['dl_test_rt_example', refresh_token],
  ]);
  const fillIn = (text: string): string =>
    [...real].reduce((filled, [example, value]) => filled.replaceAll(example, value), text);
  for (const { id, as = 'quickstart', saves = {} } of script) {
    const operation = operations.find((candidate) => candidate.id === id);
    if (!operation) continue;
    const bearers = {
      quickstart: access_token,
      first: real.get(TOKEN),
      registration: real.get(REGISTRATION),
    };
    const text = await send({ operation, bearer: String(bearers[as]), fillIn });
    for (const [example, where] of Object.entries(saves)) real.set(example, valueAt(text, where));
  }
}

function valueAt(text: string, where: string): string {
  const found = where
    .split('.')
    .reduce<unknown>((part, name) => (part as Record<string, unknown>)[name], JSON.parse(text));
  return String(found);
}
