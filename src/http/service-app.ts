import type { FastifyReply, FastifyRequest } from 'fastify';
import { ApiError } from '../errors/api-error.ts';
import { sha256Hex } from '../kernel/digest.ts';
import type { ApiVersion } from '../versions/api-version.ts';
import type { CompiledApi, CompiledVersion } from '../versions/compile-api.ts';
import { describeLifecycle } from '../versions/lifecycle.ts';
import type { Lifecycle } from '../versions/release-ledger.ts';
import type { ServedVersions } from '../versions/served-versions.ts';
import { type App, type AppSettings, createApp } from './create-app.ts';
import type { MetricsText } from './metrics-text.ts';
import { requestContext } from './request-context.ts';

export interface ServiceAppOptions {
  versions: ServedVersions;
  /** The documents and release notes of all versions that this build holds. */
  api: CompiledApi;
  releaseNotes(version: ApiVersion): string;
  metricsText: MetricsText;
  settings: AppSettings;
}

/** What is the same in every version and needs no token. `/healthz` and `/readyz` are the edge's own. */
export function createServiceApp(options: ServiceAppOptions): App {
  const { versions, api, releaseNotes, metricsText, settings } = options;
  const app = createApp(settings);

  app.get('/metrics', async (_request, reply) => {
    const { contentType, text } = await metricsText();
    return reply.header('content-type', contentType).send(text);
  });

  const describeVersions = (lifecycle: Lifecycle) => ({
    current: lifecycle.current,
    rehearsal: lifecycle.rehearsal,
    release_overdue: lifecycle.overdue,
    versions: describeLifecycle(lifecycle, versions.ledger()).map(
      ({ version, state, becomesCurrentAt, removedAt }) => ({
        version,
        state,
        becomes_current_at: becomesCurrentAt?.toISOString() ?? null,
        removed_at: removedAt?.toISOString() ?? null,
        openapi: `/versions/${version}/openapi.json`,
        release_notes: `/versions/${version}/release-notes`,
      }),
    ),
  });

  // Of the state that the request came in, as its header says: a release may have happened since.
  app.get('/versions', async (request) => describeVersions(requestContext(request.raw).lifecycle));

  const maintained = (text: string): CompiledVersion => {
    const version = versions.supported().find((candidate) => candidate === text);
    const compiled = version && api.get(version);
    if (!compiled) throw new ApiError('not_found', { detail: `There is no version ${text} here.` });
    return compiled;
  };

  app.get<{ Params: { version: string } }>('/versions/:version/openapi.json', async (request, reply) => {
    const { document } = maintained(request.params.version);
    return sendCacheable(request, reply, 'application/json; charset=utf-8', JSON.stringify(document));
  });

  app.get<{ Params: { version: string } }>('/versions/:version/release-notes', async (request, reply) => {
    const { version } = maintained(request.params.version);
    return sendCacheable(request, reply, 'text/markdown; charset=utf-8', releaseNotes(version));
  });

  return app;
}

/** With a tag of its contents, so that who has them already is only told so (RFC 9110 §13.1.2). */
function sendCacheable(
  request: FastifyRequest,
  reply: FastifyReply,
  contentType: string,
  text: string,
): FastifyReply {
  const tag = `"${sha256Hex(text).slice(0, 32)}"`;
  reply.header('etag', tag).header('cache-control', 'no-cache');
  const known = (request.headers['if-none-match'] ?? '')
    .split(',')
    .map((part) => part.trim().replace(/^W\//, ''));
  if (known.includes(tag) || known.includes('*')) return reply.status(304).send();
  return reply.header('content-type', contentType).send(text);
}
