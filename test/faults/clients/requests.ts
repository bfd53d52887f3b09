import { next } from '../../support/service/build-versions.ts';
import type { ServingNode } from '../deployment/deployment.ts';
import { ask } from './asking.ts';
import { type Cast, type Code, REDIRECT_URI } from './cast.ts';
import type { History, Operation, PublishedFacts } from './history.ts';

/** What clients can ask of a node; each is one request, and is written down. */
export interface Requests {
  issue(node: ServingNode): Promise<Operation>;
  exchange(node: ServingNode, code: Code): Promise<Operation>;
  refresh(node: ServingNode, family: { grant: string; user: string; from: string }): Promise<Operation>;
  introspect(node: ServingNode, token: string): Promise<Operation>;
  introspectAll(node: ServingNode, tokens: readonly string[]): Promise<Operation>;
  call(node: ServingNode, token: string): Promise<Operation>;
  order(node: ServingNode, order: { token: string; note: string }): Promise<Operation>;
  revoke(node: ServingNode, what: { token: string; grant: string | null }): Promise<Operation>;
  revokeUser(node: ServingNode, user: string): Promise<Operation>;
  create(node: ServingNode, what: { token: string; key: string }): Promise<Operation>;
  publish(node: ServingNode, events: readonly PublishedFacts[]): Promise<Operation>;
}

export function requestsOf(history: History, cast: Cast, operatorKey: string): Requests {
  const { credentials } = cast;
  const form = (fields: Record<string, string>): RequestInit => ({
    method: 'POST',
    headers: { 'service-version': next },
    body: new URLSearchParams({ ...credentials, ...fields }),
  });
  const json = (body: unknown, headers: Record<string, string> = {}): RequestInit => ({
    method: 'POST',
    headers: { 'content-type': 'application/json', 'service-version': next, ...headers },
    body: JSON.stringify(body),
  });
  const bearing = (token: string) => ({ authorization: `Bearer ${token}` });
  const at = (node: ServingNode, path: string) => ({ node: node.name, url: `${node.url}${path}` });

  return {
    issue: (node) =>
      ask(history, {
        ...at(node, '/v1/oauth2/token'),
        init: form({ grant_type: 'client_credentials', scope: cast.scopes.all }),
        facts: { what: 'issue' },
        read: ({ access_token: token }, operation) => Object.assign(operation, { token }),
      }),
    exchange: (node, { value, verifier, user }) =>
      ask(history, {
        ...at(node, '/v1/oauth2/token'),
        init: form({
          grant_type: 'authorization_code',
          code: value,
          code_verifier: verifier,
          redirect_uri: REDIRECT_URI,
        }),
        facts: { what: 'exchange', grant: value, user },
        read: ({ access_token: access, refresh_token: refresh }, operation) =>
          Object.assign(operation, { access, refresh }),
      }),
    refresh: (node, family) =>
      ask(history, {
        ...at(node, '/v1/oauth2/token'),
        init: form({ grant_type: 'refresh_token', refresh_token: family.from }),
        facts: { what: 'refresh', ...family },
        read: ({ access_token: access, refresh_token: refresh }, operation) =>
          Object.assign(operation, { access, refresh }),
      }),
    introspect: (node, token) =>
      ask(history, {
        ...at(node, '/v1/oauth2/introspect'),
        init: form({ token }),
        facts: { what: 'introspect', asked: [token] },
        read: ({ active }, operation) => Object.assign(operation, { looks: [{ token, active }] }),
      }),
    introspectAll: (node, tokens) =>
      ask(history, {
        ...at(node, '/v1/oauth2/introspections'),
        init: json({ ...credentials, tokens }),
        facts: { what: 'introspect', asked: tokens },
        read: ({ introspections }, operation) =>
          Object.assign(operation, {
            looks: tokens.map((token, index) => ({ token, active: introspections[index].active })),
          }),
      }),
    call: (node, token) =>
      ask(history, {
        ...at(node, '/orders'),
        init: { headers: { 'service-version': next, ...bearing(token) } },
        facts: { what: 'call', token },
      }),
    order: (node, { token, note }) =>
      ask(history, {
        ...at(node, '/orders'),
        init: json({ customer: 'Ada', lines: [{ sku: 'umbrella', quantity: 1 }], note }, bearing(token)),
        facts: { what: 'order', token, note },
      }),
    revoke: (node, { token, grant }) =>
      ask(history, {
        ...at(node, '/v1/oauth2/revoke'),
        init: form({ token }),
        facts: { what: 'revoke', token, grant },
      }),
    revokeUser: (node, user) =>
      ask(history, {
        ...at(node, '/v1/oauth2/revocations'),
        init: json({ ...credentials, subject: user }),
        facts: { what: 'revoke in bulk', user },
      }),
    create: (node, { token, key }) =>
      ask(history, {
        ...at(node, '/v1/webhooks/endpoints'),
        init: json(
          { url: 'http://127.0.0.1:9/never', format: 'raw', events: ['order.cancelled'], description: key },
          { ...bearing(token), 'idempotency-key': key },
        ),
        facts: { what: 'create', key },
        read: ({ id }, operation) => Object.assign(operation, { id }),
      }),
    publish: (node, events) =>
      ask(history, {
        node: node.name,
        url: `${node.url}/operator/events`,
        init: {
          method: 'POST',
          headers: { 'content-type': 'application/json', authorization: `Bearer ${operatorKey}` },
          body: JSON.stringify({
            events: events.map(({ id, data }) => ({
              id,
              type: 'order.placed',
              organization_id: cast.organization,
              data: JSON.parse(data),
            })),
          }),
        },
        facts: { what: 'publish', events },
        read: ({ events: told }, operation) =>
          Object.assign(operation, {
            events: events.map((event, index) => ({ ...event, occurrence: told[index].occurrence_id })),
          }),
      }),
  };
}
