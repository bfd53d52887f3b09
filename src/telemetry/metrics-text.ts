import type { Metrics } from './metrics.ts';

/** What `/metrics` answers. With several workers it stands for all of them: see src/cli/workers.ts. */
export type MetricsText = () => Promise<{ contentType: string; text: string }>;

export function ownMetricsText({ registry }: Metrics): MetricsText {
  return async () => ({ contentType: registry.contentType, text: await registry.metrics() });
}
