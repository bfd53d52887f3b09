import { isObject } from '../members.ts';
import {
  WebhookBodyError,
  WebhookKindError,
  WebhookSignatureError,
  WebhookTimestampError,
  WebhookVersionError,
} from './webhook-errors.ts';
import { isSigned, sign } from './webhook-signature.ts';
import type { ReceivedWebhook, SignedWebhook, WebhookHeaders, WebhookToSign } from './webhook-types.ts';

const TOLERANCE_SECONDS = 300;

/** The webhooks of one version: how to believe them, and how to make some for tests. */
export function defineWebhooks(version: string, kinds: readonly string[]) {
  return {
    // The generated file knows the types; here a webhook may be of any of them.
    // biome-ignore lint/suspicious/noExplicitAny: see above
    async verifyWebhook(received: ReceivedWebhook): Promise<any> {
      const text = await believe(received);
      return understand(text, version, kinds);
    },
    // biome-ignore lint/suspicious/noExplicitAny: see above
    async signWebhookForTest(webhook: WebhookToSign<any, any>): Promise<SignedWebhook> {
      const { type, data, secret, id = 'evt_test', at = new Date() } = webhook;
      const timestamp = String(Math.floor(at.getTime() / 1000));
      const body = JSON.stringify({ type, api_version: version, timestamp: at.toISOString(), data });
      const signature = await sign(secret, { id, timestamp, body: new TextEncoder().encode(body) });
      return {
        body,
        headers: {
          'content-type': 'application/json',
          'webhook-id': id,
          'webhook-timestamp': timestamp,
          'webhook-signature': signature,
          'webhook-api-version': version,
        },
      };
    },
  };
}

/** The text of a webhook that its sender has signed just now. Nothing of it is read before that is certain. */
async function believe({ body, headers, secret, toleranceSeconds, now }: ReceivedWebhook): Promise<string> {
  const id = headerOf(headers, 'webhook-id');
  const timestamp = headerOf(headers, 'webhook-timestamp');
  const signatures = headerOf(headers, 'webhook-signature');
  if (!id || !timestamp || !signatures) {
    throw new WebhookSignatureError(
      'A webhook has to have webhook-id, webhook-timestamp and webhook-signature.',
    );
  }
  const bytes = typeof body === 'string' ? new TextEncoder().encode(body) : body;
  // A body that was parsed already, or none at all where another content type was sent than is read.
  if (!ArrayBuffer.isView(bytes) || bytes.BYTES_PER_ELEMENT !== 1) {
    throw new WebhookBodyError('The body has to be given as it came, in bytes or as text, and not parsed.');
  }
  const secrets = typeof secret === 'string' ? [secret] : secret;
  if (!(await isSigned(secrets, signatures, { id, timestamp, body: bytes }))) {
    throw new WebhookSignatureError('The signature does not fit the webhook and the secret.');
  }
  const ageSeconds = (now?.getTime() ?? Date.now()) / 1000 - Number(timestamp);
  // Written so that what is no number is refused too.
  if (!(Math.abs(ageSeconds) <= (toleranceSeconds ?? TOLERANCE_SECONDS))) {
    throw new WebhookTimestampError('The webhook was signed too long ago, or too far ahead.');
  }
  return new TextDecoder().decode(bytes);
}

function understand(text: string, version: string, kinds: readonly string[]): unknown {
  const webhook = parse(text);
  if (webhook.api_version !== version) {
    throw new WebhookVersionError(
      version,
      typeof webhook.api_version === 'string' ? webhook.api_version : null,
    );
  }
  if (typeof webhook.type !== 'string' || !kinds.includes(webhook.type)) {
    throw new WebhookKindError(String(webhook.type));
  }
  return webhook;
}

function parse(text: string): Readonly<Record<string, unknown>> {
  try {
    const parsed: unknown = JSON.parse(text);
    if (isObject(parsed)) return parsed;
  } catch {
    // Thrown below.
  }
  throw new WebhookBodyError('The webhook is no JSON object; only those of the format raw can be read.');
}

function headerOf(headers: WebhookHeaders, name: string): string | null {
  if (typeof headers.get === 'function') return headers.get(name);
  const [, value] = Object.entries(headers).find(([key]) => key.toLowerCase() === name) ?? [];
  return typeof value === 'string' ? value : null;
}
