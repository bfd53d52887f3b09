import type { CompiledVersion, JsonSchema } from '@dateline/versions';
import { type Parts, partsIn, textsIn } from '../../api/document/parts.ts';
import type { Context } from '../../environments/environment.ts';
import { offeredBy } from '../../oauth/scopes/scopes.ts';
import { grantTypes, signingAlgorithms } from '../../oauth/types.ts';

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

/** The claims of every id_token. */
const SIGN_IN_CLAIMS = ['iss', 'sub', 'aud', 'exp', 'iat', 'auth_time', 'nonce', 'at_hash'];

const abilities = {
  response_types_supported: ['code'],
  response_modes_supported: ['query'],
  grant_types_supported: grantTypes,
  code_challenge_methods_supported: ['S256'],
  token_endpoint_auth_methods_supported: ['client_secret_basic', 'client_secret_post', 'none'],
  authorization_response_iss_parameter_supported: true,
  subject_types_supported: ['public'],
  claims_parameter_supported: false,
  request_parameter_supported: false,
  // Omitting it would mean that it is supported (OpenID Connect Discovery §3).
  request_uri_parameter_supported: false,
} as const;

/** The metadata of the service in one version (RFC 8414 §2, OpenID Connect Discovery §3), for both documents. */
export function discoveryDocument(
  { issuer, scopes }: Pick<Context, 'issuer' | 'scopes'>,
  version: CompiledVersion,
): Readonly<Record<string, unknown>> {
  const located = Object.entries(addresses).map(([name, path]) => [name, issuer + path]);
  return {
    issuer,
    ...Object.fromEntries(located),
    ...abilities,
    revocation_endpoint_auth_methods_supported: authMethodsOf(version, 'oauth2:revoke_token'),
    introspection_endpoint_auth_methods_supported: authMethodsOf(version, 'oauth2:introspect_token'),
    scopes_supported: offeredBy(registrableScopes(version) ?? scopes.usual, scopes),
    // An operator, or a registration in a newer version, gives a client either of them: its id_tokens have it in every version.
    id_token_signing_alg_values_supported: signingAlgorithms,
    claims_supported: [...new Set([...SIGN_IN_CLAIMS, ...claimsIn(version)])],
  };
}

/** A contract that names no methods takes the fields of the form. */
function authMethodsOf({ operations }: CompiledVersion, operationId: string): readonly string[] {
  return operations.get(operationId)?.operation.clientAuthentication ?? ['client_secret_post'];
}

/** The scopes that the contract of a version lets clients register; undefined where it does not say. */
export function registrableScopes(version: CompiledVersion): readonly string[] | undefined {
  const fields = propertiesOf(operationIn(version, 'oauth2:register_client')?.body?.schema);
  return fields.scope && 'x-scopes' in fields.scope ? textsIn(fields.scope, 'x-scopes') : undefined;
}

/** The claims about a person that the contract of a version has. */
export function claimsIn(version: CompiledVersion): readonly string[] {
  const { responses } = operationIn(version, 'oauth2:read_userinfo') ?? {};
  return Object.keys(propertiesOf(responses?.[200]?.schema));
}

function operationIn({ contract }: CompiledVersion, operationId: string) {
  return contract.operations.find(({ id }) => id === operationId);
}

function propertiesOf(schema: JsonSchema | undefined): Parts {
  return partsIn(schema ?? {}, 'properties');
}
