import type { ApiVersion, CompiledApi, CompiledVersion, JsonSchema } from '@dateline/versions';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { type Parts, partsIn, textsIn } from '../../api/document/parts.ts';
import type { Context, Environment } from '../../environments/environment.ts';
import { ApiError } from '../../errors/api-error.ts';
import { offeredBy } from '../../oauth/scopes/scopes.ts';
import { JWKS_MAX_AGE_SECONDS, publishedKeys } from '../../oauth/signing/key-schedule.ts';
import { publicPart } from '../../oauth/signing/make-signing-key.ts';
import type { SigningKeys } from '../../oauth/signing/signing-keys.ts';
import type { SigningKey } from '../../oauth/signing/types.ts';
import { grantTypes, signingAlgorithms } from '../../oauth/types.ts';
import type { App } from '../app/create-app.ts';
import { requestContext } from '../edge/request-context.ts';
import { sendCacheable } from './send-cacheable.ts';

const METADATA = '/.well-known/oauth-authorization-server';

export interface WellKnownParts {
  environment: Environment;
  /** The versions that this build can serve. */
  api: CompiledApi;
  signingKeys: SigningKeys;
}

/** The well-known documents of OAuth and OpenID Connect. */
export function wellKnownRoutes(app: App, { environment, api, signingKeys }: WellKnownParts): void {
  const documents = documentsOf(environment, api);
  const { pathname } = new URL(environment.issuer);
  // If the issuer has a path, it comes after this one (RFC 8414 §3.1).
  const paths = new Set([
    METADATA,
    METADATA + pathname.replace(/\/$/, ''),
    '/.well-known/openid-configuration',
  ]);
  for (const path of paths)
    app.get(path, async (request, reply) => {
      const { version } = requestContext(request.raw);
      const document = documents.get(version);
      if (!document) throw new ApiError('build_outdated', { internal: `no contract of ${version}` });
      return sendJson(request, reply, document);
    });

  app.get('/.well-known/jwks.json', async (request, reply) => {
    const keys = [];
    for (const algorithm of signingAlgorithms)
      keys.push(...publishedKeys(await signingKeys.schedule(environment, algorithm)));
    return sendJson(request, reply, JSON.stringify({ keys: keys.map(publishedKey) }));
  });
}

/** The metadata as each version has it. */
function documentsOf(environment: Environment, api: CompiledApi): ReadonlyMap<ApiVersion, string> {
  const texts = [...api.values()].map(
    (compiled) => [compiled.version, JSON.stringify(discoveryDocument(environment, compiled))] as const,
  );
  return new Map(texts);
}

/** A key as it is published (RFC 7517 §4). */
function publishedKey({ id, algorithm, publicJwk }: SigningKey) {
  return { ...publicPart(algorithm, publicJwk), kid: id, alg: algorithm, use: 'sig' };
}

function sendJson(request: FastifyRequest, reply: FastifyReply, text: string): Promise<FastifyReply> {
  const contentType = 'application/json; charset=utf-8';
  return sendCacheable(request, reply, { contentType, text, maxAgeSeconds: JWKS_MAX_AGE_SECONDS });
}

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
