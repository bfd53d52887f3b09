/** Where an operation is found on the client. What is not listed is named after its id. */
const calls: Readonly<Record<string, string>> = {
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
const notCalled: readonly string[] = ['oauth2:authorize', 'oauth2:post_authorize', 'oauth2:post_userinfo'];

/** The method of the client that an operation is called by; null where it has none. */
export function clientCall(operationId: string): string | null {
  if (notCalled.includes(operationId)) return null;
  const [group, action = ''] = operationId.split(':');
  return calls[operationId] ?? `${group === 'oauth2' ? 'oauth' : group}.${inCamelCase(action)}`;
}

function inCamelCase(text: string): string {
  return text.replace(/_(\w)/g, (_all, letter: string) => letter.toUpperCase());
}
