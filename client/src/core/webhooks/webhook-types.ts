/** Every kind of webhook of a version, as a union discriminated by `type`. */
export type WebhookOf<Data, Version extends string> = {
  [Kind in keyof Data & string]: {
    type: Kind;
    api_version: Version;
    /** When it happened. */
    timestamp: string;
    data: Data[Kind];
  };
}[keyof Data & string];

/** The headers of a fetch `Request`, or of Node, Express and Fastify. */
export type WebhookHeaders =
  | { get(name: string): string | null }
  | Readonly<Record<string, string | readonly string[] | undefined>>;

export interface ReceivedWebhook {
  /** The bytes as they came, or their text: not parsed and written again. */
  body: string | Uint8Array;
  headers: WebhookHeaders;
  /** The endpoint's secret, `whsec_…`; while it is changed, both. */
  secret: string | readonly string[];
  /** The age, or the time ahead, that it may have; five minutes by default. */
  toleranceSeconds?: number | undefined;
  /** The time to judge by, for tests. */
  now?: Date | undefined;
}

export type VerifyWebhook<Data, Version extends string> = (
  received: ReceivedWebhook,
) => Promise<WebhookOf<Data, Version>>;

export interface WebhookToSign<Data, Kind extends keyof Data> {
  type: Kind;
  data: Data[Kind];
  secret: string;
  id?: string | undefined;
  /** When it happened, and when it is sent. */
  at?: Date | undefined;
}

export interface SignedWebhook {
  body: string;
  headers: Record<string, string>;
}

export type SignWebhook<Data> = <Kind extends keyof Data>(
  webhook: WebhookToSign<Data, Kind>,
) => Promise<SignedWebhook>;
