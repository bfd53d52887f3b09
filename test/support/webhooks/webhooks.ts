import { expect } from 'vitest';
import type { Environment } from '../../../src/environments/environment.ts';
import type { WebhookEvent } from '../../../src/webhooks/types.ts';
import { type Called, useProducts } from '../contracts/products.ts';
import type { Engine } from '../database/databases.ts';
import { homeTime, next } from '../service/build-versions.ts';
import { serviceEnvironment } from '../service/service-environment.ts';

export const ENDPOINTS = '/v1/webhooks/endpoints';

/** An endpoint that may be created in the sandbox. These tests send nothing to it. */
export const newEndpoint = { url: 'http://localhost:9/hook', events: ['*'] };

// biome-ignore lint/suspicious/noExplicitAny: answers are read here as any client would.
export type Answered = Omit<Called, 'body'> & { body: any };

/** A running service, and calls to its webhooks: in the given version, or in the default one. */
export function useWebhooks(
  engine: Engine,
  at: string = homeTime,
  version: string = next,
  options: Parameters<typeof useProducts>[2] = {},
) {
  const products = useProducts(engine, at, options);
  const { service, call } = products;
  const ask = call as (...given: Parameters<typeof call>) => Promise<Answered>;
  return {
    ...products,
    ask,
    async endpoint(change: object = {}, token?: string) {
      const { status, body } = await ask(version, 'POST', ENDPOINTS, { ...newEndpoint, ...change }, token);
      expect([status, body.detail]).toEqual([201, undefined]);
      return body;
    },
    /** The events of an endpoint, oldest first. */
    async eventsOf(endpointId: string) {
      const { body } = await ask(version, 'GET', `/v1/webhooks/events?endpoint_id=${endpointId}&limit=100`);
      return body.items.reverse();
    },
    /** The payload to send. */
    async payloadOf(event: { occurrence_id: string; api_version: string; format: string }) {
      const [row] = await rows(
        'webhook_payloads',
        (stored) =>
          stored.occurrence_id === event.occurrence_id &&
          stored.api_version === event.api_version &&
          stored.format === event.format,
      );
      return Buffer.from(row?.body as Uint8Array);
    },
    rows,
    sandbox,
    /** An event in the state that a worker leaves it in. */
    async setState(eventId: string, state: WebhookEvent['state'], change: object = {}) {
      await (await sandbox()).session
        .tables<{ webhook_events: Record<string, unknown> }>()
        .updateTable('webhook_events')
        .set({ state, ...(state === 'pending' ? {} : { next_attempt_at: null }), ...change })
        .where('id', '=', eventId)
        .execute();
    },
  };

  async function sandbox(): Promise<Environment> {
    return serviceEnvironment(service);
  }

  async function rows(
    table: string,
    isWanted: (row: Record<string, unknown>) => boolean = () => true,
  ): Promise<Record<string, unknown>[]> {
    const all = await (await sandbox()).session
      .tables<Record<string, Record<string, unknown>>>()
      .selectFrom(table)
      .selectAll()
      .execute();
    return (all as Record<string, unknown>[]).filter(isWanted);
  }
}
