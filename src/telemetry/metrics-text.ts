import { AggregatorRegistry, type MetricObjectWithValues, type MetricValue, Registry } from 'prom-client';
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

/** The numbers of several environments in one text: each has a label that names its own. */
export function joinedMetricsText(all: readonly Metrics[]): MetricsText {
  return async () => {
    const parts = await Promise.all(all.map(({ registry }) => registry.getMetricsAsJSON()));
    const joined = AggregatorRegistry.aggregate(parts as MetricObjectWithValues<MetricValue<string>>[][]);
    return { contentType: Registry.PROMETHEUS_CONTENT_TYPE, text: await joined.metrics() };
  };
}
