// How operations and their types are called in the client. What is not listed is named after its operation id.

/** Where an operation is found on the client. */
const methods = {
  'oauth2:create_token': 'oauth.token',
  'oauth2:revoke_token': 'oauth.revoke',
  'oauth2:introspect_token': 'oauth.introspect',
  'oauth2:introspect_tokens': 'oauth.introspectMany',
  'oauth2:revoke_tokens': 'oauth.revokeMany',
  'oauth2:report_leak': 'oauth.reportLeak',
  'oauth2:read_userinfo': 'oauth.userinfo',
  'oauth2:register_client': 'oauth.clients.register',
  'oauth2:read_client': 'oauth.clients.get',
  'oauth2:replace_client': 'oauth.clients.replace',
  'oauth2:delete_client': 'oauth.clients.delete',
  'oauth2:list_grants': 'oauth.grants.list',
  'oauth2:end_grant': 'oauth.grants.end',
  'products:read': 'products.get',
  'webhooks:list_endpoints': 'webhooks.endpoints.list',
  'webhooks:create_endpoint': 'webhooks.endpoints.create',
  'webhooks:read_endpoint': 'webhooks.endpoints.get',
  'webhooks:update_endpoint': 'webhooks.endpoints.update',
  'webhooks:delete_endpoint': 'webhooks.endpoints.delete',
  'webhooks:rotate_secret': 'webhooks.endpoints.rotateSecret',
  'webhooks:test_endpoint': 'webhooks.endpoints.test',
  'webhooks:preview': 'webhooks.endpoints.preview',
  'webhooks:recover': 'webhooks.endpoints.recover',
  'webhooks:read_recovery': 'webhooks.endpoints.recovery',
  'webhooks:cancel_recovery': 'webhooks.endpoints.cancelRecovery',
  'webhooks:list_events': 'webhooks.events.list',
  'webhooks:read_event': 'webhooks.events.get',
  'webhooks:redeliver': 'webhooks.events.redeliver',
  'webhooks:list_deliveries': 'webhooks.deliveries.list',
  'webhooks:list_event_kinds': 'webhooks.eventKinds.list',
};

/** Operations that are no calls of a program: pages for people, and what another operation does by GET. */
const notCalled = ['oauth2:authorize', 'oauth2:post_authorize', 'oauth2:post_userinfo'];

/** Operations that change nothing, or nothing more when they are repeated, although their method does not say so. */
const repeatable = ['oauth2:introspect_token', 'oauth2:introspect_tokens', 'oauth2:revoke_token'];

const results = {
  'products:read': 'Product',
  'webhooks:read_endpoint': 'WebhookEndpoint',
  'webhooks:create_endpoint': 'CreatedWebhookEndpoint',
  'webhooks:rotate_secret': 'RotatedWebhookEndpoint',
  'webhooks:read_event': 'WebhookEvent',
  'webhooks:read_recovery': 'WebhookRecovery',
  'webhooks:preview': 'WebhookPreview',
  'oauth2:create_token': 'IssuedTokens',
  'oauth2:introspect_token': 'Introspection',
  'oauth2:read_userinfo': 'Userinfo',
  'oauth2:register_client': 'RegisteredClient',
  'oauth2:read_client': 'ClientInformation',
};
const bodies = {
  'products:create': 'NewProduct',
  'products:update': 'ProductChanges',
  'webhooks:create_endpoint': 'NewWebhookEndpoint',
  'webhooks:update_endpoint': 'WebhookEndpointChanges',
  'oauth2:register_client': 'ClientMetadata',
};
const items = {
  'products:list': 'Product',
  'organizations:list': 'Organization',
  'oauth2:list_grants': 'Grant',
  'webhooks:list_endpoints': 'WebhookEndpoint',
  'webhooks:list_events': 'WebhookEvent',
  'webhooks:list_deliveries': 'WebhookDelivery',
  'webhooks:list_event_kinds': 'WebhookEventKind',
};

export const isCalled = (operationId) => !notCalled.includes(operationId);
export const isRepeatable = ({ method, id }) => method === 'GET' || repeatable.includes(id);

/** Whether its result has a name in the lists above. */
export const isWellNamed = (operationId) => operationId in results || operationId in items;

export function methodName(operationId) {
  const [group, action] = operationId.split(':');
  return methods[operationId] ?? `${group === 'oauth2' ? 'oauth' : group}.${camel(action)}`;
}

export const resultName = (operationId) => results[operationId] ?? `${pascal(operationId)}Result`;
export const bodyName = (operationId) => bodies[operationId] ?? `${pascal(operationId)}Body`;
export const queryName = (operationId) => `${pascal(operationId)}Query`;
export const itemName = (operationId) => items[operationId] ?? `${pascal(operationId)}Item`;
export const paginationName = (operationId) => `${pascal(operationId)}Pagination`;
export const payloadName = (kind) => `${pascal(kind)}Data`;
export const errorName = (code) => `${pascal(code)}Error`;

export function pascal(text) {
  return text
    .split(/[^A-Za-z0-9]+/)
    .map((word) => (word === 'oauth2' ? 'OAuth2' : word.charAt(0).toUpperCase() + word.slice(1)))
    .join('');
}

function camel(text) {
  const name = pascal(text);
  return name.charAt(0).toLowerCase() + name.slice(1);
}
