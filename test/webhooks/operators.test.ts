import type { RequestListener } from 'node:http';
import { expect, it } from 'vitest';
import { newProduct } from '../support/contracts/products.ts';
import { onPostgresFirst } from '../support/database/databases.ts';
import { oauthCalls } from '../support/oauth/oauth-calls.ts';
import { next } from '../support/service/build-versions.ts';
import { operatorSettings, runCommandLine } from '../support/service/command-line.ts';
import { operatorCalls } from '../support/service/operator-calls.ts';
import { createCaller } from '../support/service/service-environment.ts';
import { callAs, useDeliveries } from '../support/webhooks/deliveries.ts';
import { startReceiver } from '../support/webhooks/receivers.ts';

const ENDPOINTS = '/v1/webhooks/endpoints';

onPostgresFirst('operators', (engine) => {
  const { service } = useDeliveries(engine);
  const operator = operatorCalls(service);
  const { post } = oauthCalls(service);
  const run = (...args: string[]) => runCommandLine(args, operatorSettings(service));
  const json = async (...args: string[]) => JSON.parse((await run(...args, '--json')).out);

  /** An organization with an endpoint, and the calls of its user. */
  async function stage(answer?: RequestListener) {
    const { organization, client, credentials, access, user } = await createCaller(service);
    const call = (method: string, path: string, sent?: unknown) =>
      callAs(service, access.tokenValue, { method, path, sent, version: next });
    const receiver = await startReceiver(answer ? { answer } : {});
    const events = ['product.created', 'organization.updated'];
    const sent = { url: `http://127.0.0.1:${receiver.port}/`, events };
    const { body } = await call('POST', ENDPOINTS, sent);
    const states = async () => {
      const { body: page } = await call('GET', `/v1/webhooks/events?endpoint_id=${body.id}`);
      return page.items?.map(({ state }: { state: string }) => state).sort();
    };
    const happen = () => call('POST', '/v1/products/', newProduct);
    const path = `${ENDPOINTS}/${body.id}`;
    return {
      ...{ organization, client, credentials, user, token: access.tokenValue },
      ...{ id: body.id as string, path, call, receiver, states, happen },
    };
  }

  it('[outside 1] disable an endpoint, which its organization cannot undo until an operator lets it, and delete one', async () => {
    const { id, path, call, states, happen } = await stage();
    const disabled = await json('webhook', 'disable', id, '--reason', 'its owner asked for it');
    expect(disabled).toMatchObject({ id, disabled_reason: 'operator' });
    expect(await operator.lastAudit()).toMatchObject({
      action: 'webhook_endpoint.disabled',
      actor_type: 'operator',
      reason: 'its owner asked for it',
      details: { endpoint_id: id },
    });
    await happen();
    expect(await states()).toEqual(['held']);
    const refusal = await call('PATCH', path, { enabled: true });
    expect([refusal.status, refusal.body.code]).toEqual([422, 'validation_failed']);
    expect(refusal.body.detail).toContain('an operator disabled this endpoint');
    expect(await json('webhook', 'enable', id)).toMatchObject({ enabled: false, disabled_reason: 'owner' });
    expect((await run('webhook', 'release', id)).err).toContain('No operator has disabled this endpoint.');
    expect((await call('PATCH', path, { enabled: true })).body.enabled).toBe(true);

    expect((await run('webhook', 'delete', id)).err).toContain('Nothing was deleted.');
    expect(await json('webhook', 'delete', id, '--yes')).toEqual({ id, deleted: true });
    expect(await operator.lastAudit()).toMatchObject({
      action: 'webhook_endpoint.deleted',
      actor_type: 'operator',
    });
    expect((await call('GET', path)).status).toBe(404);
    expect((await run('webhook', 'disable', id)).err).toContain('There is no webhook endpoint with this id.');
    expect((await run('webhook', 'delete', 'whe_no', '--yes')).code).not.toBe(0);
  });

  it('[outside 1] suspend an organization: its tokens are inactive there, and its events are held', async () => {
    const suspended = await stage();
    const other = await stage();
    const { organization, credentials, token, receiver } = suspended;
    const clientToken = () => post('/v1/oauth2/token', { ...credentials, grant_type: 'client_credentials' });
    const machine = (await clientToken()).body.access_token;
    const introspected = async (value: string) =>
      (await post('/v1/oauth2/introspect', { ...credentials, token: value })).body;
    await suspended.happen();
    await expect.poll(() => receiver.requests.length).toBe(1);

    const answer = await json('org', 'suspend', organization.id);
    expect(answer).toMatchObject({ id: organization.id, suspended_at: expect.any(String) });
    expect(await operator.lastAudit()).toMatchObject({
      action: 'organization.suspended',
      actor_type: 'operator',
      organization_id: organization.id,
    });
    expect(await introspected(machine)).toEqual({ active: false });
    expect(await introspected(token)).toMatchObject({ active: true, organizations: [] });
    expect((await clientToken()).body).toMatchObject({ error: 'unauthorized_client' });
    expect((await suspended.call('GET', suspended.path)).status).toBe(404);
    // Renaming it is an event of its own.
    await operator.ask('PATCH', `/operator/organizations/${organization.id}`, { name: 'Held' });
    const explained = await operator.post('/operator/tokens/explain', { token: machine });
    expect(explained.body).toMatchObject({ state: 'organization_suspended', actor_type: 'operator' });
    await other.happen();
    await expect.poll(() => other.receiver.requests.length).toBe(1);

    expect(await json('org', 'resume', organization.id)).toMatchObject({ suspended_at: null });
    expect(await operator.lastAudit()).toMatchObject({ action: 'organization.resumed' });
    expect(await introspected(machine)).toMatchObject({ active: true });
    await suspended.happen();
    await expect.poll(() => receiver.requests.length).toBe(2);
    await expect.poll(suspended.states).toEqual(['delivered', 'delivered', 'held']);
    expect((await run('org', 'suspend', 'org_no')).err).toContain('There is no organization with this id.');
  });

  it('[outside 1] hold what was waiting when an organization is suspended', async () => {
    const { organization, receiver, states, happen } = await stage((_request, response) =>
      response.writeHead(503).end(),
    );
    await happen();
    await expect.poll(() => receiver.requests.length).toBe(1);
    await expect.poll(states).toEqual(['pending']);
    await operator.post(`/operator/organizations/${organization.id}/suspend`);
    await operator.post(`/operator/organizations/${organization.id}/resume`);
    expect(await states()).toEqual(['held']);
  });
});
