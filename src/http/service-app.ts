import { describeLifecycle } from '../versions/lifecycle.ts';
import type { ServedVersions } from '../versions/served-versions.ts';
import { type App, createApp } from './create-app.ts';
import type { MetricsText } from './metrics-text.ts';

export interface ServiceAppOptions {
  versions: ServedVersions;
  metricsText: MetricsText;
  trustedProxies: readonly string[];
}

/** What is the same in every version and needs no token. `/healthz` and `/readyz` are the edge's own. */
export function createServiceApp({ versions, metricsText, trustedProxies }: ServiceAppOptions): App {
  const app = createApp({ trustedProxies });

  app.get('/metrics', async (_request, reply) => {
    const { contentType, text } = await metricsText();
    return reply.header('content-type', contentType).send(text);
  });

  app.get('/versions', async () => ({
    current: versions.current(),
    versions: describeLifecycle(versions.lifecycle()).map(
      ({ version, state, becomesCurrentAt, removedAt }) => ({
        version,
        state,
        becomes_current_at: becomesCurrentAt.toISOString(),
        removed_at: removedAt.toISOString(),
      }),
    ),
  }));

  return app;
}
