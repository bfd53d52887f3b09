import type { RequestListener } from 'node:http';
import { Webhook } from 'standardwebhooks';
import { afterEach, expect } from 'vitest';
import { newProduct } from '../contracts/products.ts';
import type { Engine } from '../database/databases.ts';
import { answered } from '../run/answered.ts';
import { homeTime } from '../service/build-versions.ts';
import { type TestService, useTestService } from '../service/test-service.ts';
import { type ReceivedRequest, type Receiver, startReceiver } from './receivers.ts';

// biome-ignore lint/suspicious/noExplicitAny: tests read answers of every shape.
export type Body = any;

export interface Called {
  status: number;
  body: Body;
}

export interface TestEndpoint {
  id: string;
  secret: string;
  receiver: Receiver;
}

/** A running service that delivers, receivers on this machine, and calls of an integrator. */
export function useDeliveries(engine: Engine, at: string = homeTime) {
  const service = useTestService(engine, { DATELINE_DELIVER: 'on' }, at);
  const token = freshTokens(service);
  const call = async (method: string, path: string, sent?: unknown, version?: string): Promise<Called> =>
    callAs(service, await token(), { method, path, sent, version });

  const made: string[] = [];
  // Endpoints of one test get no events of the next one.
  afterEach(async () => {
    for (const id of made.splice(0)) {
      const { status } = await call('DELETE', `/v1/webhooks/endpoints/${id}`);
      expect([204, 404]).toContain(status);
    }
  });

  /** An endpoint whose receiver answers as given; 200 by default. */
  async function endpoint(
    settings: Record<string, unknown> = {},
    answer?: RequestListener,
  ): Promise<TestEndpoint> {
    const receiver = await startReceiver(answer ? { answer } : {});
    const { status, body } = await call('POST', '/v1/webhooks/endpoints', {
      url: `http://127.0.0.1:${receiver.port}/hook`,
      format: 'raw',
      events: ['*'],
      ...settings,
    });
    expect(status, JSON.stringify(body)).toBe(201);
    made.push(body.id);
    return { id: body.id, secret: body.secret, receiver };
  }

  async function createProduct(change: object = {}, version?: string): Promise<Body> {
    const sent = { ...newProduct, ...change };
    const { status, body } = await call('POST', '/v1/products/', sent, version);
    expect(status, JSON.stringify(body)).toBe(201);
    return body;
  }

  return {
    service,
    call,
    endpoint,
    createProduct,
    /** Waits until a receiver has this many requests, and returns them all. */
    async received({ receiver }: TestEndpoint, count: number): Promise<ReceivedRequest[]> {
      await expect.poll(() => receiver.requests.length, { interval: 20 }).toBeGreaterThanOrEqual(count);
      return receiver.requests;
    },
    /** The events of an endpoint, oldest first. */
    async events({ id }: Pick<TestEndpoint, 'id'>): Promise<Body[]> {
      const { body } = await call('GET', `/v1/webhooks/events?endpoint_id=${id}&limit=100`);
      return [...body.items].sort((one: Body, other: Body) => (one.id < other.id ? -1 : 1));
    },
    /** Waits until this many attempts at the first event of an endpoint are recorded. */
    async attempted({ id }: Pick<TestEndpoint, 'id'>, count: number): Promise<Body> {
      const path = `/v1/webhooks/events?endpoint_id=${id}&limit=100`;
      const first = async () => (await call('GET', path)).body.items.at(-1);
      await expect.poll(async () => (await first())?.attempt_count, { interval: 20 }).toBe(count);
      return first();
    },
    async attempts(eventId: string): Promise<Body[]> {
      return (await call('GET', `/v1/webhooks/deliveries?event_id=${eventId}&limit=100`)).body.items;
    },
    /** Waits until the one event of an endpoint is in a state. */
    async settled({ id }: Pick<TestEndpoint, 'id'>, state: string): Promise<Body> {
      const one = async () =>
        (await call('GET', `/v1/webhooks/events?endpoint_id=${id}&limit=100`)).body.items.map(
          (event: Body) => event.state,
        );
      await expect.poll(one, { interval: 20 }).toEqual([state]);
      return (await call('GET', `/v1/webhooks/events?endpoint_id=${id}`)).body.items[0];
    },
  };
}

/** Tests of retries span days, so the token is renewed when it has expired. */
function freshTokens(service: TestService): () => Promise<string> {
  let known: { value: string; expiresAtMs: number } | undefined;
  return async () => {
    const nowMs = service.clock.now().getTime();
    if (known && known.expiresAtMs > nowMs) return known.value;
    const { client_id, client_secret } = service.quickstart.sandbox;
    const form = { grant_type: 'client_credentials', client_id, client_secret };
    const response = await service.call('sandbox', '/v1/oauth2/token', {
      method: 'POST',
      body: new URLSearchParams(form),
    });
    const { access_token, expires_in } = (await response.json()) as {
      access_token: string;
      expires_in: number;
    };
    known = { value: access_token, expiresAtMs: nowMs + expires_in * 500 };
    return known.value;
  };
}

export async function callAs(
  service: TestService,
  token: string,
  {
    method,
    path,
    sent,
    version,
  }: { method: string; path: string; sent?: unknown; version?: string | undefined },
): Promise<Called> {
  const response = await service.call('sandbox', path, {
    method,
    headers: {
      authorization: `Bearer ${token}`,
      ...(version === undefined ? {} : { 'service-version': version }),
      ...(sent === undefined ? {} : { 'content-type': 'application/json' }),
    },
    ...(sent === undefined ? {} : { body: JSON.stringify(sent) }),
  });
  const text = await response.text();
  return answered(
    { status: response.status, body: text === '' ? null : JSON.parse(text) },
    `${method} ${path}`,
  );
}

/** Verifies a delivery as an integrator does: with the unmodified library, at the time at which it was sent. */
export function verified({ headers, body }: ReceivedRequest, secret: string): Body {
  const sentAtMs = Number(headers['webhook-timestamp']) * 1000;
  const realNow = Date.now;
  Date.now = () => sentAtMs;
  try {
    return new Webhook(secret).verify(body, headers as Record<string, string>);
  } finally {
    Date.now = realNow;
  }
}
