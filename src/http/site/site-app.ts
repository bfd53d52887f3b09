import type { ApiVersion, CompiledApi, ReleaseNotes } from '@dateline/versions';
import type { FastifyRequest } from 'fastify';
import type { Brand } from '../../config/brand.ts';
import type { Environment } from '../../environments/environment.ts';
import type { ApiError } from '../../errors/api-error.ts';
import { type ErrorResponse, errorResponse } from '../../errors/error-body.ts';
import type { SigningKeys } from '../../oauth/signing/signing-keys.ts';
import type { MetricsText } from '../../telemetry/metrics-text.ts';
import { type App, type AppSettings, createApp } from '../app/create-app.ts';
import { requestContext } from '../edge/request-context.ts';
import { assetRoutes } from './asset-routes.ts';
import { preferred } from './negotiation.ts';
import { operatorSiteRoutes } from './operator-site.ts';
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
  signingKeys: SigningKeys;
  settings: AppSettings;
  brand: Brand;
}

/** Routes that need no token and are the same in every version; discovery says what the asked one takes. `/healthz` and `/readyz` are the edge's own. */
export function createServiceApp(options: ServiceAppOptions): App {
  const { environment, api, releaseNotes, metricsText, signingKeys, settings, brand } = options;
  const site = siteOf(environment.name, brand);
  const app = createApp({ ...settings, writeError: (error, request) => errorAnswer(site, error, request) });
  const { issuer } = environment;
  const documents = createServedDocuments(issuer);

  if (metricsText) operatorSiteRoutes(app, { site, metricsText });
  versionRoutes(app, { api, releaseNotes, site, documents });
  referenceRoutes(app, { api, site, documents, issuer });
  assetRoutes(app, site.assets);
  wellKnownRoutes(app, { environment, api, signingKeys });
  return app;
}

/** A person who finds nothing gets a page; a program gets what it always does. */
function errorAnswer(site: Site, error: ApiError, { headers, raw }: FastifyRequest): ErrorResponse {
  const written = errorResponse(error);
  if (error.code !== 'not_found') return written;
  const vary = `${requestContext(raw).headers.vary}, Accept`;
  const wanted = preferred(headers.accept, ['application/json', 'text/html'], 'application/json');
  if (wanted !== 'text/html') return { ...written, headers: { ...written.headers, vary } };
  const body = layout(site, notFoundPage).text;
  return { ...written, headers: { ...written.headers, ...pageHeaders({ headers: { vary } }) }, body };
}
