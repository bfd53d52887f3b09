import type { ApiVersion, CompiledApi } from '@dateline/versions';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Environment } from '../../environments/environment.ts';
import { ApiError } from '../../errors/api-error.ts';
import { JWKS_MAX_AGE_SECONDS, publishedKeys } from '../../oauth/signing/key-schedule.ts';
import { publicPart } from '../../oauth/signing/make-signing-key.ts';
import type { SigningKeys } from '../../oauth/signing/signing-keys.ts';
import type { SigningKey } from '../../oauth/signing/types.ts';
import { signingAlgorithms } from '../../oauth/types.ts';
import type { App } from '../app/create-app.ts';
import { requestContext } from '../edge/request-context.ts';
import { discoveryDocument } from './discovery.ts';
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
