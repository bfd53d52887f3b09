import type { Metrics } from './metrics.ts';

/** The answer of `/metrics`. With several workers it is their sum: see src/cli/workers.ts. */
export type MetricsText = () => Promise<{ contentType: string; text: string }>;

/** Whoever asks while a text is made gets that one: sixty questions at once would take the time of sixty, and probes wait meanwhile. */
export function sharedMetricsText(make: MetricsText): MetricsText {
  let making: ReturnType<MetricsText> | null = null;
  return () => {
    making ??= make().finally(() => {
      making = null;
    });
    return making;
  };
}

export function serviceMetricsText({ registry }: Metrics): MetricsText {
  return async () => ({ contentType: registry.contentType, text: await registry.metrics() });
}
