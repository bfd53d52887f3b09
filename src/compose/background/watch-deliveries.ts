import {
  type DeliveryFigures,
  deliveryFigures,
  readDeliveryCondition,
} from '../../doctor/delivery-condition.ts';
import type { Environment } from '../../environments/environment.ts';
import { sharedBacklog } from '../../webhooks/oversight/backlog.ts';
import type { EnvironmentRuntime } from '../environment-runtime.ts';

/** Whoever scrapes more often gets the same numbers again. */
const READ_EVERY_MS = 1_000;

/** Shows what is due, and who delivers it, among the metrics of this process. Nothing is read while nobody asks. */
export function watchDeliveries({ metrics, nodeId }: EnvironmentRuntime, environment: Environment): void {
  let readAtMs = Number.NEGATIVE_INFINITY;
  let reading: Promise<DeliveryFigures> | null = null;

  async function read(): Promise<DeliveryFigures> {
    return deliveryFigures(
      await readDeliveryCondition(environment, nodeId, await sharedBacklog(environment)),
    );
  }

  metrics.watchDeliveries(() => {
    const nowMs = performance.now();
    if (reading === null || nowMs - readAtMs >= READ_EVERY_MS) {
      readAtMs = nowMs;
      reading = read();
    }
    return reading;
  });
}
