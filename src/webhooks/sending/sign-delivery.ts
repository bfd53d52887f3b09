import { createHmac, randomBytes } from 'node:crypto';

const PREFIX = 'whsec_';
const SECRET_BYTES = 32;

export interface ToSign {
  /** The secrets in use: one, or two while the endpoint changes from one to the next. */
  secrets: readonly string[];
  id: string;
  timestampSeconds: number;
  body: Uint8Array;
}

/**
 * The `webhook-signature` of Standard Webhooks: one signature for each secret, so that receivers with either of them can
 * verify it. The signature covers the bytes of the body as they are sent.
 */
export function signatureHeader({ secrets, id, timestampSeconds, body }: ToSign): string {
  return secrets.map((secret) => `v1,${sign(secret)}`).join(' ');

  function sign(secret: string): string {
    const hmac = createHmac('sha256', keyOf(secret));
    return hmac.update(`${id}.${timestampSeconds}.`, 'utf8').update(body).digest('base64');
  }
}

export function newWebhookSecret(): string {
  return `${PREFIX}${randomBytes(SECRET_BYTES).toString('base64')}`;
}

function keyOf(secret: string): Buffer {
  return Buffer.from(secret.slice(PREFIX.length), 'base64');
}
