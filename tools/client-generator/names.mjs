// How types are called in the client. What is not listed is named after its operation id.

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

export const isRepeatable = ({ method, id }) => method === 'GET' || repeatable.includes(id);

/** True if the lists above name its result. */
export const isWellNamed = (operationId) => operationId in results || operationId in items;

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
