import { afterEach, describe, expect, it, vi } from 'vitest';
import { oauthCalls } from '../support/oauth/oauth-calls.ts';
import { metricOf } from '../support/service/metric-of.ts';
import { writtenReader } from '../support/service/written-reader.ts';
import { useDeliveries, verified } from '../support/webhooks/deliveries.ts';

describe('webhooks that announce an end of access', () => {
  const { service, endpoint, received } = useDeliveries('PostgreSQL');
  const calls = oauthCalls(service);
  const waits = () => metricOf(service.urls.sandbox, 'dateline_readers_waits_total');
  const reader = writtenReader(() => service.database('sandbox'), { waits });
  afterEach(() => {
    vi.useRealTimers();
    return reader.leave();
  });

  it('are first sent when no reader of a standby can see the access alive', async () => {
    const { body } = await calls.token({ grant_type: 'client_credentials' });
    const subscribed = await endpoint({ events: ['token.revoked'] });
    const { requests } = subscribed.receiver;
    // A wait ends by the reader, however slow the machine is, and not by the time.
    vi.useFakeTimers({ toFake: ['performance'] });
    // Before there is a reader: the first look at the metrics measures the backlog, which would wait for it too.
    const before = await waits();
    await reader.renew();
    let isRevoked = false;
    const revoking = calls.revoke({ token: body.access_token }).finally(() => {
      isRevoked = true;
    });
    // Two wait: the revocation, and the first attempt to send it.
    while (!isRevoked && requests.length === 0 && (await waits()) < before + 2) await reader.hasRow();
    expect([isRevoked, requests.length]).toEqual([false, 0]);
    await reader.show();
    expect((await revoking).status).toBe(200);
    const [request] = await received(subscribed, 1);
    expect(request && verified(request, subscribed.secret)).toMatchObject({ type: 'token.revoked' });
  });
});
