import type { CompiledVersion } from '@dateline/versions';
import type { Scene } from '../../environments/environment.ts';
import { offeredBy } from '../../oauth/scopes/scopes.ts';
import { grantTypes, USUAL_ALGORITHM } from '../../oauth/types.ts';
import { registrableIn } from './registrable.ts';

/** Paths below the issuer. An endpoint has no version in its address: every request chooses its own. */
const addresses = {
  authorization_endpoint: '/v1/oauth2/authorize',
  token_endpoint: '/v1/oauth2/token',
  revocation_endpoint: '/v1/oauth2/revoke',
  introspection_endpoint: '/v1/oauth2/introspect',
  registration_endpoint: '/v1/oauth2/register',
  userinfo_endpoint: '/v1/oauth2/userinfo',
  jwks_uri: '/.well-known/jwks.json',
  service_documentation: '/docs',
} as const;

const abilities = {
  response_types_supported: ['code'],
  response_modes_supported: ['query'],
  grant_types_supported: grantTypes,
  code_challenge_methods_supported: ['S256'],
  token_endpoint_auth_methods_supported: ['client_secret_basic', 'client_secret_post', 'none'],
  authorization_response_iss_parameter_supported: true,
  subject_types_supported: ['public'],
  claims_supported: [
    'iss',
    'sub',
    'aud',
    'exp',
    'iat',
    'auth_time',
    'nonce',
    'at_hash',
    'name',
    'email',
    'email_verified',
  ],
  claims_parameter_supported: false,
  request_parameter_supported: false,
  // Omitting it would mean that it is supported (OpenID Connect Discovery §3).
  request_uri_parameter_supported: false,
} as const;

/** The metadata of the service in one version (RFC 8414 §2, OpenID Connect Discovery §3), for both documents. */
export function discoveryDocument(
  { issuer, scopes }: Pick<Scene, 'issuer' | 'scopes'>,
  version: CompiledVersion,
): Readonly<Record<string, unknown>> {
  const registrable = registrableIn(version);
  const located = Object.entries(addresses).map(([name, path]) => [name, issuer + path]);
  return {
    issuer,
    ...Object.fromEntries(located),
    ...abilities,
    revocation_endpoint_auth_methods_supported: authMethodsOf(version, 'oauth2:revoke_token'),
    introspection_endpoint_auth_methods_supported: authMethodsOf(version, 'oauth2:introspect_token'),
    scopes_supported: offeredBy(registrable.scopes ?? scopes.usual, scopes),
    id_token_signing_alg_values_supported: registrable.idTokenAlgorithms ?? [USUAL_ALGORITHM],
  };
}

/** A contract that names no methods takes the fields of the form. */
function authMethodsOf({ operations }: CompiledVersion, operationId: string): readonly string[] {
  return operations.get(operationId)?.operation.clientAuthentication ?? ['client_secret_post'];
}
