import type { IncomingMessage } from 'node:http';
import type { ApiVersion, CompiledApi, ReleaseNotes } from '@dateline/versions';
import type { FastifyRequest } from 'fastify';
import type { Brand } from '../../config/brand.ts';
import type { Environment } from '../../environments/environment.ts';
import type { ApiError } from '../../errors/api-error.ts';
import { type ErrorResponse, errorResponse } from '../../errors/error-body.ts';
import type { SigningKeys } from '../../oauth/signing/signing-keys.ts';
import { type MetricsText, sharedMetricsText } from '../../telemetry/metrics-text.ts';
import { type App, type AppSettings, createApp } from '../app/create-app.ts';
import { requestContext } from '../edge/request-context.ts';
import { consoleRoutes } from './console-routes.ts';
import { describeVersions } from './describe-versions.ts';
import { preferred } from './negotiation.ts';
import { assetRoutes } from './page-assets.ts';
import { layout, type Site, siteOf } from './pages/layout.ts';
import { notFoundPage } from './pages/not-found-page.ts';
import { pageHeaders } from './pages/send-page.ts';
import { referenceRoutes } from './reference-routes.ts';
import { createServedDocuments } from './served-documents.ts';
import { versionRoutes } from './version-routes.ts';
import { wellKnownRoutes } from './well-known-routes.ts';

export interface ServiceAppOptions {
  environment: Environment;
  /** The documents of all versions that this build holds. */
  api: CompiledApi;
  releaseNotes(version: ApiVersion): ReleaseNotes;
  /** Null where operators have a listener of their own: theirs is the console too. */
  metricsText: MetricsText | null;
  /** Where the other environment serves its console. */
  otherConsole: string | null;
  signingKeys: SigningKeys;
  settings: AppSettings;
  brand: Brand;
  /** What it does not know may be meant for an API folder, which has its own form of errors. */
  writeFolderError(error: ApiError, request: IncomingMessage, operation: null): ErrorResponse | null;
}

/** Routes that need no token and are the same in every version; discovery says what the asked one takes. `/healthz` and `/readyz` are the edge's own. */
export function createServiceApp(options: ServiceAppOptions): App {
  const { environment, api, releaseNotes, metricsText, signingKeys, settings, brand } = options;
  const site = siteOf(environment.name, brand);
  const app = createApp({
    ...settings,
    writeError: (error, request) =>
      errorAnswer(site, { error, own: options.writeFolderError(error, request.raw, null) }, request),
  });
  const { issuer } = environment;
  const documents = createServedDocuments(issuer);

  if (metricsText) operatorSiteRoutes(app, { ...options, site, metricsText });
  versionRoutes(app, { api, releaseNotes, site, documents });
  referenceRoutes(app, { api, site, documents, issuer });
  assetRoutes(app, site.assets);
  wellKnownRoutes(app, { environment, api, signingKeys });
  return app;
}

/** A person who finds nothing gets a page; a program gets what it always does. */
function errorAnswer(
  site: Site,
  { error, own }: { error: ApiError; own: ErrorResponse | null },
  { headers, raw }: FastifyRequest,
): ErrorResponse {
  const written = own ?? errorResponse(error);
  if (error.code !== 'not_found') return written;
  const vary = `${requestContext(raw).headers.vary}, Accept`;
  const wanted = preferred(headers.accept, ['application/json', 'text/html'], 'application/json');
  if (wanted !== 'text/html') return { ...written, headers: { ...written.headers, vary } };
  const body = layout(site, notFoundPage).text;
  return {
    ...written,
    headers: { ...errorResponse(error).headers, ...pageHeaders({ headers: { vary } }) },
    body,
  };
}

export interface OperatorSiteOptions {
  environment: Environment;
  metricsText: MetricsText;
  otherConsole: string | null;
  settings: AppSettings;
  brand: Brand;
}

/** The pages of the operators' own listener: metrics, the console, and the versions, for their programs. */
export function createOperatorSiteApp({
  environment: { name, issuer },
  metricsText,
  otherConsole,
  settings,
  brand,
}: OperatorSiteOptions): App {
  const app = createApp(settings);
  const site = siteOf(name, brand, issuer);
  operatorSiteRoutes(app, { site, metricsText, otherConsole });
  assetRoutes(app, site.assets);
  app.get('/versions', async (request) => describeVersions(request));
  return app;
}

/** For a process that serves nothing else. */
export function createMetricsApp(metricsText: MetricsText, settings: AppSettings): App {
  const app = createApp(settings);
  metricsRoute(app, metricsText);
  return app;
}

export function operatorSiteRoutes(
  app: App,
  parts: { site: Site; metricsText: MetricsText; otherConsole: string | null },
): void {
  metricsRoute(app, parts.metricsText);
  consoleRoutes(app, parts);
}

function metricsRoute(app: App, metricsText: MetricsText): void {
  const sharedText = sharedMetricsText(metricsText);
  app.get('/metrics', async (_request, reply) => {
    const { contentType, text } = await sharedText();
    return reply.header('content-type', contentType).send(text);
  });
}
