import type { ApiVersion, CompiledApi, ReleaseNotes } from '@dateline/versions';
import type { Brand } from '../../config/brand.ts';
import type { Environment } from '../../environments/environment.ts';
import type { SigningKeys } from '../../oauth/signing/signing-keys.ts';
import type { MetricsText } from '../../telemetry/metrics-text.ts';
import { type App, type AppSettings, createApp } from '../app/create-app.ts';
import { assetRoutes } from './asset-routes.ts';
import { consoleRoutes } from './console-routes.ts';
import { createServedDocuments } from './document/served-documents.ts';
import { siteOf } from './pages/layout.ts';
import { referenceRoutes } from './reference-routes.ts';
import { versionRoutes } from './version-routes.ts';
import { wellKnownRoutes } from './well-known-routes.ts';

export interface ServiceAppOptions {
  environment: Environment;
  /** The documents of all versions that this build holds. */
  api: CompiledApi;
  releaseNotes(version: ApiVersion): ReleaseNotes;
  metricsText: MetricsText;
  signingKeys: SigningKeys;
  settings: AppSettings;
  brand: Brand;
}

/** Routes that need no token and are the same in every version; discovery says what the asked one takes. `/healthz` and `/readyz` are the edge's own. */
export function createServiceApp(options: ServiceAppOptions): App {
  const { environment, api, releaseNotes, metricsText, signingKeys, settings, brand } = options;
  const app = createApp(settings);
  const site = siteOf(environment.name, brand);
  const { issuer } = environment;
  const documents = createServedDocuments(issuer);

  app.get('/metrics', async (_request, reply) => {
    const { contentType, text } = await metricsText();
    return reply.header('content-type', contentType).send(text);
  });
  versionRoutes(app, { api, releaseNotes, site, documents });
  referenceRoutes(app, { api, site, documents, issuer });
  assetRoutes(app, site.assets);
  consoleRoutes(app, site);
  wellKnownRoutes(app, { environment, api, signingKeys });
  return app;
}
