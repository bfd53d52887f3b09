import { Webhook } from 'standardwebhooks';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { newWebhookSecret, signatureHeader } from '../../../src/webhooks/sending/sign-delivery.ts';

const NOW_SECONDS = 1614265330;

/** The verdict of the receiver's library at that instant; it reads the clock of the process. */
function verifyAt(nowSeconds: number, secret: string, headers: Record<string, string>, body: Buffer) {
  vi.useFakeTimers({ toFake: ['Date'], now: nowSeconds * 1000 });
  return new Webhook(secret).verify(body, headers, { jsonParse: false });
}

function headersFor(secrets: readonly string[], body: Buffer, timestampSeconds = NOW_SECONDS) {
  const id = 'evt_1';
  return {
    'webhook-id': id,
    'webhook-timestamp': String(timestampSeconds),
    'webhook-signature': signatureHeader({ secrets, id, timestampSeconds, body }),
  };
}

describe('a signature', () => {
  const body = Buffer.from('{"type":"product.created"}');

  afterEach(() => {
    vi.useRealTimers();
  });

  it('[webhooks 1] is the one of the Standard Webhooks vector', () => {
    const signature = signatureHeader({
      secrets: ['whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'],
      id: 'msg_p5jXN8AQM9LWM0D4loKWxJek',
      timestampSeconds: NOW_SECONDS,
      body: Buffer.from('{"test": 2432232314}'),
    });
    expect(signature).toBe('v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=');
  });

  it('[webhooks 1] is verified by the unmodified library, and a changed byte is detected', () => {
    const secret = newWebhookSecret();
    const headers = headersFor([secret], body);
    expect(() => verifyAt(NOW_SECONDS, secret, headers, body)).not.toThrow();
    const changed = Buffer.from('{"type":"product.updated"}');
    expect(() => verifyAt(NOW_SECONDS, secret, headers, changed)).toThrow('No matching signature');
    expect(() => verifyAt(NOW_SECONDS, newWebhookSecret(), headers, body)).toThrow('No matching signature');
  });

  it('is present once for each secret, so that a receiver with either one can verify it', () => {
    const secrets = [newWebhookSecret(), newWebhookSecret()];
    const headers = headersFor(secrets, body);
    expect(headers['webhook-signature']).toMatch(/^v1,[\w+/=]{44} v1,[\w+/=]{44}$/);
    for (const secret of secrets) expect(() => verifyAt(NOW_SECONDS, secret, headers, body)).not.toThrow();
  });

  it.each(['{"a":"\u2028 \u{1F600} \u0000"}', '', '\uFEFF{}'])('is over the bytes of %j', (text) => {
    const secret = newWebhookSecret();
    const bytes = Buffer.from(text);
    expect(() => verifyAt(NOW_SECONDS, secret, headersFor([secret], bytes), bytes)).not.toThrow();
  });

  it('is over bytes that are not text, too', () => {
    const secrets = [newWebhookSecret()];
    const sign = (bytes: number[]) => headersFor(secrets, Buffer.from(bytes))['webhook-signature'];
    // As text, both would be one U+FFFD.
    expect(sign([0xff])).not.toBe(sign([0xfe]));
  });

  it.each([
    [-301, false],
    [-299, true],
    [299, true],
    [301, false],
  ])(
    '[webhooks 5] made by a clock that is off by %i s: accepted by the receiver is %s',
    (skewSeconds, isTaken) => {
      const secret = newWebhookSecret();
      const headers = headersFor([secret], body, NOW_SECONDS + skewSeconds);
      const verify = () => verifyAt(NOW_SECONDS, secret, headers, body);
      if (isTaken) expect(verify).not.toThrow();
      else expect(verify).toThrow(skewSeconds < 0 ? 'too old' : 'too new');
    },
  );
});

describe('a new webhook secret', () => {
  it('is whsec_ and 32 random bytes in base64', () => {
    const secrets = Array.from({ length: 20 }, newWebhookSecret);
    for (const secret of secrets) {
      expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
      expect(Buffer.from(secret.slice('whsec_'.length), 'base64')).toHaveLength(32);
    }
    expect(new Set(secrets).size).toBe(secrets.length);
  });
});
