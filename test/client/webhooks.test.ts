import { fromOpenApi } from '@dateline/versions';
import { Webhook } from 'standardwebhooks';
import { describe, expect, it, vi } from 'vitest';
import {
  WebhookBodyError,
  WebhookKindError,
  WebhookSignatureError,
  WebhookTimestampError,
  WebhookVersionError,
} from '../../client/src/index.ts';
import { clientInput } from '../../src/contracts/client-input.ts';
import { newWebhookSecret, signatureHeader } from '../../src/webhooks/sending/sign-delivery.ts';
import { importWebhooks } from '../support/oauth/clients.ts';
import { current, deprecated, maintained, next } from '../support/service/build-versions.ts';

const secret = newWebhookSecret();
const at = new Date('2026-11-15T12:00:00.000Z');
const { verifyWebhook, signWebhookForTest } = await importWebhooks(current);
const caught = (promise: Promise<unknown>) =>
  promise.then(
    () => 'no error',
    (error: unknown) => error,
  );

/** A delivery signed by the service's own code. */
function deliver(payload: unknown, secrets: readonly string[] = [secret]) {
  const body = Buffer.from(typeof payload === 'string' ? payload : JSON.stringify(payload));
  const timestampSeconds = at.getTime() / 1000;
  return {
    body,
    headers: {
      'Webhook-Id': 'evt_1',
      'Webhook-Timestamp': String(timestampSeconds),
      'Webhook-Signature': signatureHeader({ secrets, id: 'evt_1', timestampSeconds, body }),
    },
    now: at,
  };
}

const eventsOf = (version: string) => {
  const contract = clientInput()
    .documents.map(fromOpenApi)
    .find((one) => one.version === version);
  return contract?.events ?? [];
};
const example = (version: string) => eventsOf(version).find(({ kind }) => kind === 'token.revoked')?.example;

describe('verifyWebhook', () => {
  it.each(maintained)('reads every kind of webhook of %s', async (version) => {
    const { verifyWebhook } = await importWebhooks(version);
    expect(eventsOf(version).length).toBeGreaterThan(5);
    for (const { kind, example } of eventsOf(version)) {
      const verified = await verifyWebhook({ ...deliver(example), secret });
      expect(verified).toEqual(example);
      expect([verified.type, verified.api_version]).toEqual([kind, version]);
    }
  });

  it.each([
    [current, deprecated],
    [current, next],
    [next, current],
    [deprecated, current],
  ])(
    '[versions 99] of %s rejects a webhook of %s with an error that names both',
    async (expected, received) => {
      const { verifyWebhook } = await importWebhooks(expected);
      const error = await caught(verifyWebhook({ ...deliver(example(received)), secret }));
      expect(error).toBeInstanceOf(WebhookVersionError);
      expect(error).toMatchObject({ name: 'WebhookVersionError', expected, received });
    },
  );

  it('[versions 99] rejects a webhook that names no version', async () => {
    const error = await caught(verifyWebhook({ ...deliver({ type: 'token.revoked', data: {} }), secret }));
    expect(error).toMatchObject({ name: 'WebhookVersionError', expected: current, received: null });
  });

  it('rejects a kind that its version does not have', async () => {
    const payload = { ...(example(current) as object), type: 'toString' };
    const error = await caught(verifyWebhook({ ...deliver(payload), secret }));
    expect(error).toBeInstanceOf(WebhookKindError);
    expect(error).toMatchObject({ kind: 'toString' });
  });

  it('rejects a webhook that was changed, signed with another secret or not signed', async () => {
    const delivery = deliver(example(current));
    const changed = Buffer.from(delivery.body.toString().replace('tok_', 'tok-'));
    const refused = [
      { ...delivery, secret, body: changed },
      { ...delivery, secret: newWebhookSecret() },
      { ...delivery, secret, headers: { ...delivery.headers, 'Webhook-Id': 'evt_2' } },
      { ...delivery, secret, headers: { ...delivery.headers, 'Webhook-Timestamp': '1' } },
      { ...delivery, secret, headers: { ...delivery.headers, 'Webhook-Signature': 'v1,' } },
      { ...delivery, secret, headers: { ...delivery.headers, 'Webhook-Signature': 'v1,!! v2,x' } },
      { ...delivery, secret, headers: {} },
    ];
    for (const one of refused) expect(await caught(verifyWebhook(one))).toBeInstanceOf(WebhookSignatureError);
  });

  it('explains a body that was parsed already, or that is missing', async () => {
    const { headers, now } = deliver(example(current));
    for (const body of [{}, undefined, null, 7, example(current)]) {
      const error = await caught(verifyWebhook({ body: body as never, headers, now, secret }));
      expect(error).toBeInstanceOf(WebhookBodyError);
    }
  });

  it('stays fast when a header has thousands of signatures', async () => {
    const verify = vi.spyOn(crypto.subtle, 'verify');
    const { body, headers, now } = deliver(example(current));
    const forged = `v1,${Buffer.alloc(32).toString('base64')}`;
    for (const signatures of [Array(4_000).fill('v1,'), Array(300).fill(forged)]) {
      const sent = { ...headers, 'Webhook-Signature': signatures.join(' ') };
      const error = await caught(verifyWebhook({ body, headers: sent, now, secret }));
      expect(error).toBeInstanceOf(WebhookSignatureError);
    }
    expect(verify.mock.calls.length).toBeLessThan(20);
  });

  it('reports only that a changed body does not match, whatever is in it', async () => {
    const delivery = { ...deliver('{"broken'), headers: deliver(example(current)).headers };
    expect(await caught(verifyWebhook({ ...delivery, secret }))).toBeInstanceOf(WebhookSignatureError);
    expect(await caught(verifyWebhook({ ...deliver('{"broken'), secret }))).toBeInstanceOf(WebhookBodyError);
    expect(await caught(verifyWebhook({ ...deliver('null'), secret }))).toBeInstanceOf(WebhookBodyError);
  });

  it('rejects a timestamp more than five minutes off, or beyond the caller’s own tolerance', async () => {
    const delivery = { ...deliver(example(current)), secret };
    const atOffset = (seconds: number, toleranceSeconds?: number) =>
      caught(verifyWebhook({ ...delivery, now: new Date(at.getTime() + seconds * 1000), toleranceSeconds }));
    for (const seconds of [-300, 0, 300]) expect(await atOffset(seconds)).toBe('no error');
    for (const seconds of [-301, 301]) expect(await atOffset(seconds)).toBeInstanceOf(WebhookTimestampError);
    expect(await atOffset(11, 10)).toBeInstanceOf(WebhookTimestampError);
    expect(await caught(verifyWebhook({ ...delivery, now: new Date(Number.NaN) }))).toBeInstanceOf(
      WebhookTimestampError,
    );
  });

  it('accepts either secret during a rotation, on either side', async () => {
    const other = newWebhookSecret();
    const both = deliver(example(current), [other, secret]);
    expect(await caught(verifyWebhook({ ...both, secret }))).toBe('no error');
    expect(await caught(verifyWebhook({ ...both, secret: other }))).toBe('no error');
    const one = deliver(example(current), [other]);
    expect(await caught(verifyWebhook({ ...one, secret: [secret, other] }))).toBe('no error');
  });

  it('accepts the headers of a fetch request, and the body as text', async () => {
    const { body, headers, now } = deliver(example(current));
    const text = body.toString();
    expect(await verifyWebhook({ body: text, headers: new Headers(headers), secret, now })).toEqual(
      example(current),
    );
  });
});

describe('signWebhookForTest', () => {
  it('signs so that verifyWebhook and the Standard Webhooks library accept it', async () => {
    const { data } = example(current) as { data: object };
    const signed = await signWebhookForTest({ type: 'token.revoked', data, secret });
    const verified = await verifyWebhook({ ...signed, secret });
    expect(verified).toMatchObject({ type: 'token.revoked', api_version: current, data });
    expect(new Webhook(secret).verify(signed.body, signed.headers)).toEqual(verified);
    expect(signed.headers['webhook-api-version']).toBe(current);
  });
});
