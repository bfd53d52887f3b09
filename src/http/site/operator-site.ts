import type { Brand } from '../../config/brand.ts';
import type { Environment } from '../../environments/environment.ts';
import { type MetricsText, sharedMetricsText } from '../../telemetry/metrics-text.ts';
import { type App, type AppSettings, createApp } from '../app/create-app.ts';
import { assetRoutes } from './asset-routes.ts';
import { consoleRoutes } from './console-routes.ts';
import { describeVersions } from './describe-versions.ts';
import { type Site, siteOf } from './pages/layout.ts';

export interface OperatorSiteOptions {
  environment: Environment;
  metricsText: MetricsText;
  settings: AppSettings;
  brand: Brand;
}

/** The pages of the operators' own listener: metrics, the console, and the versions, for their programs. */
export function createOperatorSiteApp({
  environment: { name, issuer },
  metricsText,
  settings,
  brand,
}: OperatorSiteOptions): App {
  const app = createApp(settings);
  const site = siteOf(name, brand, issuer);
  operatorSiteRoutes(app, { site, metricsText });
  assetRoutes(app, site.assets);
  app.get('/versions', async (request) => describeVersions(request));
  return app;
}

export function operatorSiteRoutes(
  app: App,
  { site, metricsText }: { site: Site; metricsText: MetricsText },
): void {
  const sharedText = sharedMetricsText(metricsText);
  app.get('/metrics', async (_request, reply) => {
    const { contentType, text } = await sharedText();
    return reply.header('content-type', contentType).send(text);
  });
  consoleRoutes(app, site);
}
