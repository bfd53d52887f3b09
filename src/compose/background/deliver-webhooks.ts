import { hostname } from 'node:os';
import type { Environment } from '../../environments/environment.ts';
import { randomBase62 } from '../../kernel/base62.ts';
import { keepAnnouncing } from '../../releases/notices/announce-releases.ts';
import { startDeliveries } from '../../webhooks/deliveries/deliver.ts';
import { createSender } from '../../webhooks/sending/sender.ts';
import type { EnvironmentRuntime } from '../environment-runtime.ts';
import type { EnvironmentData } from '../open-data.ts';

/** Starts to deliver the webhooks of this environment. */
export async function deliverWebhooks(
  { name, targets, closing, life, metrics, log, tracer }: EnvironmentRuntime,
  { environment, box }: EnvironmentData,
): Promise<void> {
  const sender = createSender({ rules: targets.rules });
  const deliveries = await startDeliveries({
    environment,
    box,
    sender,
    tracing: tracer && { tracer, environment: name },
    deprecationOf: life.versions.deprecationOf,
    worker: `${hostname()} ${process.pid} ${randomBase62(8)}`,
    onAttempt(result) {
      metrics.observeAttempt(result);
      const { eventId, endpointId, error } = result.attempt;
      if (result.state === 'exhausted')
        log.warn({ event: eventId, endpoint: endpointId, error }, 'event exhausted: no attempt is left');
    },
    onUnrendered: ({ id, type, apiVersion }, error) =>
      log.error(
        { event: id, type, version: apiVersion, internal: String(error) },
        'event cannot be rendered',
      ),
    onError: (error) => log.warn({ internal: String(error) }, 'deliveries interrupted'),
  });
  closing.drainFirst(async (limitMs) => {
    await deliveries.stop(limitMs);
    sender.close();
  });
}

/** Starts to notify organizations of releases that concern their webhook endpoints. */
export function announceReleasesIn(
  { closing, life: { versions }, log }: EnvironmentRuntime,
  environment: Environment,
): void {
  const stop = keepAnnouncing({
    context: environment,
    lifecycle: versions.lifecycle,
    onError: (error) => log.warn({ internal: String(error) }, 'releases not announced yet'),
  });
  closing.stopThen(stop);
}
