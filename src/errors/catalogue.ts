/**
 * Every error the service can answer with: a stable code, its HTTP status and its public text.
 * Clients branch on the code. What only operators may know is kept beside it as internal text, for the log.
 */
export const catalogue = {
  invalid_request: { status: 400, text: 'The request is not well formed.' },
  invalid_client: { status: 401, text: 'The client is unknown, or its secret is not the right one.' },
  invalid_grant: { status: 400, text: 'The token or code is not valid for this request.' },
  unauthorized_client: { status: 400, text: 'The client may not use this grant type.' },
  unsupported_grant_type: { status: 400, text: 'This grant type is not supported.' },
  invalid_scope: { status: 400, text: 'A scope is unknown, or not allowed for this client.' },
  invalid_redirect_uri: { status: 400, text: 'A redirect URI is missing or not allowed.' },
  invalid_client_metadata: { status: 400, text: 'The client metadata is invalid.' },
  invalid_target: { status: 400, text: 'The resource is not one that is known here.' },
  invalid_token: { status: 401, text: 'The token that this needs is missing, or is not the right one.' },
  // The next seven are sent to a client in a redirect (RFC 6749 §4.1.2.1, OpenID Connect Core §3.1.2.6).
  unsupported_response_type: { status: 400, text: 'The only response type is code.' },
  access_denied: { status: 400, text: 'The user denied the request.' },
  login_required: { status: 400, text: 'The user has to sign in.' },
  consent_required: { status: 400, text: 'The user has to give consent.' },
  interaction_required: { status: 400, text: 'The user has to choose organizations again.' },
  request_not_supported: { status: 400, text: 'The parameter request is not supported.' },
  request_uri_not_supported: { status: 400, text: 'The parameter request_uri is not supported.' },
  unauthorized: { status: 401, text: 'A valid bearer token is needed.' },
  insufficient_scope: { status: 403, text: 'The token does not carry the scope that this operation needs.' },
  insufficient_role: { status: 403, text: 'The operator key lacks the role that this operation needs.' },
  form_refused: { status: 403, text: 'This form is out of date, or was not sent from our own page.' },
  origin_refused: {
    status: 403,
    text: 'Pages of other sites cannot register clients in a sandbox that may send webhooks to its own machine.',
  },
  not_found: { status: 404, text: 'There is nothing at this address.' },
  version_not_found: { status: 404, text: 'This API version is not served.' },
  method_not_allowed: { status: 405, text: 'This address does not take this method.' },
  request_timeout: { status: 408, text: 'The request did not arrive in time.' },
  conflict: { status: 409, text: 'The request conflicts with the stored data.' },
  gone: { status: 410, text: 'This was deleted.' },
  payload_expired: { status: 410, text: 'What was sent is no longer stored.' },
  payload_too_large: { status: 413, text: 'The request body is too large.' },
  uri_too_long: { status: 414, text: 'The address is too long.' },
  unsupported_media_type: { status: 415, text: 'The request body has a media type that is not taken here.' },
  expectation_failed: { status: 417, text: 'The Expect header asks for something that is not supported.' },
  validation_failed: { status: 422, text: 'A field has a value that is not allowed.' },
  idempotency_key_reused: {
    status: 422,
    text: 'This Idempotency-Key was used for another request or in another API version; use a new one.',
  },
  too_many_requests: { status: 429, text: 'Too many failed attempts. Wait, then try again.' },
  misdirected_request: {
    status: 421,
    text: 'This sandbox may send webhooks to its own machine, so it answers only requests for a local host name, such as localhost; set DATELINE_SANDBOX_PUBLIC_URL if it has another name.',
  },
  headers_too_large: { status: 431, text: 'The request headers are too large.' },
  internal_error: { status: 500, text: 'Something went wrong on our side.' },
  mock_not_possible: {
    status: 501,
    text: 'No mock answer can be made of the contract of this operation.',
  },
  upstream_failed: {
    status: 502,
    text: 'The upstream’s response was incomplete; the request may have been processed.',
  },
  upstream_contract: {
    status: 502,
    text: 'The upstream’s response does not match its contract.',
  },
  timeout: { status: 503, text: 'The request took too long. Try again shortly.' },
  storage_unavailable: {
    status: 503,
    text: 'The database cannot be reached at the moment. Try again shortly.',
  },
  build_outdated: {
    status: 503,
    text: 'This node cannot serve that version yet. Try again: another node will answer.',
  },
  upstream_unavailable: {
    status: 503,
    text: 'The upstream cannot be reached at the moment. Try again shortly.',
  },
  starting: { status: 503, text: 'The service is starting. Try again shortly.' },
  draining: { status: 503, text: 'This node is shutting down. Try again: another node will answer.' },
  upstream_timeout: {
    status: 504,
    text: 'The upstream did not respond in time; the request may have been processed.',
  },
} as const satisfies Record<string, { status: number; text: string }>;

export type ErrorCode = keyof typeof catalogue;

export function isErrorCode(code: string): code is ErrorCode {
  return Object.hasOwn(catalogue, code);
}
