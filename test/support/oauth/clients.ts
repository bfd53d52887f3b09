import type { DatelineOptions, ReceivedWebhook, SignedWebhook } from '../../../client/src/index.ts';

// Each version has types of its own, and these tests hold for all of them.
// biome-ignore lint/suspicious/noExplicitAny: see above
export type AnyClient = any;

export interface ClientModule {
  Dateline: { new (options: DatelineOptions): AnyClient; readonly apiVersion: string };
}

export interface WebhooksModule {
  verifyWebhook(received: ReceivedWebhook): Promise<{ type: string; api_version: string; data: AnyClient }>;
  signWebhookForTest(webhook: {
    type: string;
    data: object;
    secret: string;
    at?: Date;
  }): Promise<SignedWebhook>;
}

/** The client of a version, as its users import it. */
export function importClient(version: string): Promise<ClientModule> {
  return import(`../../../client/src/${version}/index.ts`) as Promise<ClientModule>;
}

export function importWebhooks(version: string): Promise<WebhooksModule> {
  return import(`../../../client/src/${version}/webhooks.ts`) as Promise<WebhooksModule>;
}

/** Every method of a client, by its full name. */
export function methodsOf(client: AnyClient, prefix = ''): Map<string, (...args: unknown[]) => unknown> {
  const found = Object.entries(client as Record<string, unknown>).flatMap(([name, value]) => {
    if (typeof value === 'function') return [[prefix + name, value] as const];
    return typeof value === 'object' ? [...methodsOf(value, `${prefix}${name}.`)] : [];
  });
  return new Map(found as [string, (...args: unknown[]) => unknown][]);
}
