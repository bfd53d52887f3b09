import { expect, it } from 'vitest';
import { addMember } from '../../src/identity/members.ts';
import type { OrganizationId } from '../../src/identity/types.ts';
import { newProduct } from '../support/contracts/products.ts';
import { onPostgresFirst } from '../support/database/databases.ts';
import type { Form } from '../support/http/visitor.ts';
import { authorization } from '../support/oauth/authorization.ts';
import { oauthCalls } from '../support/oauth/oauth-calls.ts';
import { firstOf } from '../support/run/in-long-runs.ts';
import { next, versionsBefore } from '../support/service/build-versions.ts';
import { operatorCalls } from '../support/service/operator-calls.ts';
import { callAs, useDeliveries } from '../support/webhooks/deliveries.ts';
import { startReceiver } from '../support/webhooks/receivers.ts';
import { ENDPOINTS, newEndpoint, useWebhooks } from '../support/webhooks/webhooks.ts';

const SCOPE = 'products:read products:write webhooks:read webhooks:write organizations:read';

onPostgresFirst('the maker of a webhook endpoint', (engine) => {
  const webhooks = useWebhooks(engine);
  const { ask, service, endpoint, rows, sandbox } = webhooks;
  const { addUser, addClient, obtainTokens } = authorization(service);
  const operator = operatorCalls(service);
  const { post, send } = oauthCalls(service);

  type User = Awaited<ReturnType<typeof addUser>>;

  /** A user of an organization who lets a client of somebody else act there. */
  async function letIn(user: User, parameters: Form = {}) {
    const client = await addClient({
      allowedGrants: ['authorization_code', 'refresh_token', 'client_credentials'],
    });
    const { body, browser } = await obtainTokens(client, user.email, { scope: SCOPE, ...parameters });
    return {
      user,
      client,
      browser,
      token: body.access_token as string,
      refresh: body.refresh_token as string,
    };
  }

  async function colleagueOf({ organizations }: User): Promise<User> {
    const colleague = await addUser([]);
    const [organization] = organizations;
    await addMember(await sandbox(), {
      organizationId: organization?.id as OrganizationId,
      userId: colleague.id,
    });
    return { ...colleague, organizations };
  }

  /** An endpoint of a user's client with an event that waits, and somebody else in the same organization. */
  async function stage() {
    const maker = await letIn(await addUser(['Acme']));
    const witness = await letIn(await colleagueOf(maker.user));
    const made = await endpoint({ events: ['product.*'] }, maker.token);
    const watcher = await endpoint({ events: ['webhook_endpoint.disabled'] }, witness.token);
    const happen = () => ask(next, 'POST', '/v1/products/', newProduct, witness.token);
    await happen();
    const read = async () =>
      (await ask(next, 'GET', `${ENDPOINTS}/${made.id}`, undefined, witness.token)).body;
    const states = async (id: string) => {
      const path = `/v1/webhooks/events?endpoint_id=${id}`;
      const { body } = await ask(next, 'GET', path, undefined, witness.token);
      return body.items.map(({ state }: { state: string }) => state);
    };
    return { maker, witness, made, watcher, happen, read, states };
  }
  type Stage = Awaited<ReturnType<typeof stage>>;

  it('[outside 1] is shown: the client, and the user it acts for', async () => {
    const { maker, made, read } = await stage();
    expect(made.created_by).toEqual({ client_id: maker.client.id, user_id: maker.user.id });
    expect((await read()).created_by).toEqual(made.created_by);
    const { body } = await post('/v1/oauth2/token', {
      ...maker.client.credentials,
      grant_type: 'client_credentials',
    });
    const own = await endpoint({}, body.access_token);
    expect(own.created_by).toEqual({ client_id: maker.client.id, user_id: null });
  });

  const grantOf = async ({ maker }: Stage): Promise<string> => {
    const list = { headers: { authorization: `Bearer ${maker.token}` } };
    return (await send('/v1/oauth2/grants', list)).body.items[0].id;
  };
  const ends: Readonly<Record<string, (stage: Stage) => Promise<unknown>>> = {
    'its client is disabled': ({ maker }) => operator.post(`/operator/clients/${maker.client.id}/disable`),
    'its client is deleted': ({ maker }) => operator.ask('DELETE', `/operator/clients/${maker.client.id}`),
    'its user is blocked': ({ maker }) => operator.post(`/operator/users/${maker.user.id}/block`),
    'its user leaves the organization': ({ maker: { user } }) =>
      operator.ask('DELETE', `/operator/organizations/${user.organizations[0]?.id}/members/${user.id}`),
    'its user removes the access of the client': async ({ maker: { browser } }) =>
      browser.submit(await browser.visit('/account/grants'), '/account/grants', {}),
    'its user ends the grant': async (on) =>
      send(`/v1/oauth2/grants/${await grantOf(on)}`, {
        method: 'DELETE',
        headers: { authorization: `Bearer ${on.maker.token}` },
      }),
    'an operator ends the grant': async (on) => operator.post(`/operator/grants/${await grantOf(on)}/revoke`),
    'an operator revokes what the client has': ({ maker }) =>
      operator.post('/operator/tokens/revoke', { client_id: maker.client.id }),
    'an operator revokes what the user has': ({ maker }) =>
      operator.post('/operator/tokens/revoke', { subject: maker.user.id }),
    'an operator reports a leak of its refresh token': ({ maker }) =>
      operator.post('/operator/leaks', { tokens: [maker.refresh], source: 'a paste' }),
  };

  // All of them in every run: each has a path of its own through the code, and a forgotten one leaves a door open.
  it.each(Object.keys(ends))(
    '[outside2 28] [outside 1] takes it along when %s: disabled, its events held',
    async (how) => {
      const on = await stage();
      expect(await on.states(on.made.id)).toEqual(['pending']);
      await ends[how]?.(on);
      expect(await on.read()).toMatchObject({ enabled: false, disabled_reason: 'access_ended' });
      await on.happen();
      expect(await on.states(on.made.id)).toEqual(['held', 'held']);
      expect(await on.states(on.watcher.id)).toEqual(['pending']);
      const entries = await rows('audit_log', ({ action }) => action === 'webhook_endpoint.disabled');
      expect(
        entries.filter(({ details }) => (details as { endpoint_id: string }).endpoint_id === on.made.id),
      ).toHaveLength(1);
    },
  );

  const endings: Readonly<Record<string, (stage: Stage) => Promise<unknown>>> = {
    'its token expires': async () => service.clock.advanceSeconds(7_200),
    'the client revokes its access token': ({ maker }) =>
      post('/v1/oauth2/revoke', { ...maker.client.credentials, token: maker.token }),
    'the client revokes its refresh token': ({ maker }) =>
      post('/v1/oauth2/revoke', { ...maker.client.credentials, token: maker.refresh }),
    'an operator revokes older tokens': ({ maker }) =>
      operator.post('/operator/tokens/revoke', {
        client_id: maker.client.id,
        issued_before: service.clock.now().toISOString(),
      }),
    'somebody else is blocked': async () => operator.post(`/operator/users/${(await addUser()).id}/block`),
  };

  it.each(firstOf(Object.keys(endings), 3))(
    '[outside2 26] [outside 1] leaves it alone when %s',
    async (how) => {
      const on = await stage();
      await endings[how]?.(on);
      const [stored] = await rows('webhook_endpoints', ({ id }) => id === on.made.id);
      expect(stored).toMatchObject({ disabled_at: null, disabled_reason: null });
    },
  );

  it('[outside2 28] leaves it alone when a client ends the grant that it has on its own', async () => {
    const { credentials } = await addClient({ allowedGrants: ['client_credentials'] });
    const grant = { ...credentials, grant_type: 'client_credentials' };
    const { body } = await post('/v1/oauth2/token', grant);
    const made = await endpoint({}, body.access_token);
    const headers = { authorization: `Bearer ${body.access_token}` };
    const [own] = (await send('/v1/oauth2/grants', { headers })).body.items;
    const ended = await send(`/v1/oauth2/grants/${own.id}`, { method: 'DELETE', headers });
    expect(ended.status).toBe(204);
    const again = (await post('/v1/oauth2/token', grant)).body.access_token;
    const { body: left } = await ask(next, 'GET', `${ENDPOINTS}/${made.id}`, undefined, again);
    expect(left).toMatchObject({ enabled: true, disabled_reason: null });
  });

  it('[outside 1] is whoever enables it again, and their access counts from then on', async () => {
    const on = await stage();
    await ends['its client is disabled']?.(on);
    const { body } = await ask(
      next,
      'PATCH',
      `${ENDPOINTS}/${on.made.id}`,
      { enabled: true },
      on.witness.token,
    );
    expect(body).toMatchObject({
      enabled: true,
      disabled_reason: null,
      created_by: { client_id: on.witness.client.id, user_id: on.witness.user.id },
    });
    await operator.post(`/operator/clients/${on.maker.client.id}/enable`);
    await operator.post(`/operator/users/${on.maker.user.id}/block`);
    expect(await on.read()).toMatchObject({ enabled: true });
    await operator.ask('DELETE', `/operator/clients/${on.witness.client.id}`);
    const [stored] = await rows('webhook_endpoints', ({ id }) => id === on.made.id);
    expect(stored).toMatchObject({ disabled_reason: 'access_ended' });
  });

  it('[outside 1] is whoever points it elsewhere: their end ends it', async () => {
    const { maker, witness, made, read } = await stage();
    const change = (sent: object) => ask(next, 'PATCH', `${ENDPOINTS}/${made.id}`, sent, witness.token);
    expect((await change({ description: 'Ours' })).body.created_by).toEqual(made.created_by);
    const { body } = await change({ url: 'http://localhost:9/elsewhere' });
    expect(body.created_by).toEqual({ client_id: witness.client.id, user_id: witness.user.id });
    await operator.post(`/operator/clients/${maker.client.id}/disable`);
    expect(await read()).toMatchObject({ enabled: true });
    await operator.post(`/operator/clients/${witness.client.id}/disable`);
    const [stored] = await rows('webhook_endpoints', ({ id }) => id === made.id);
    expect(stored).toMatchObject({ disabled_reason: 'access_ended' });
  });

  it('[outside 1] is unknown of endpoints from before, and nothing ends those', async () => {
    const on = await stage();
    await (await sandbox()).session
      .tables<{ webhook_endpoints: { id: string; made_by_client: null; made_by_user: null } }>()
      .updateTable('webhook_endpoints')
      .set({ made_by_client: null, made_by_user: null })
      .where('id', '=', on.made.id)
      .execute();
    for (const end of Object.values(ends).slice(2, 4)) await end(on);
    await ends['its client is deleted']?.(on);
    expect(await on.read()).toMatchObject({ enabled: true, created_by: null });
  });

  it('[outside 1] cannot slip in an endpoint while its access ends', async () => {
    const { maker } = await stage();
    const made = Array.from({ length: 12 }, () => ask(next, 'POST', ENDPOINTS, newEndpoint, maker.token));
    await operator.post(`/operator/clients/${maker.client.id}/disable`);
    const statuses = (await Promise.all(made)).map(({ status }) => status);
    expect(statuses.filter((status) => status !== 201 && status !== 401)).toEqual([]);
    const stored = await rows('webhook_endpoints', (row) => row.made_by_client === maker.client.id);
    expect(stored.filter(({ disabled_at }) => disabled_at === null)).toEqual([]);
  });

  it('[outside 1] must be allowed to read what it subscribes to, and to what it points elsewhere', async () => {
    const user = await addUser(['Acme']);
    const writer = await letIn(user, { scope: 'webhooks:write' });
    const reader = await letIn(user, { scope: 'webhooks:write products:read' });
    const watcher = await letIn(user, { scope: 'webhooks:read' });
    const create = (events: string[], { token }: { token: string }) =>
      ask(next, 'POST', ENDPOINTS, { ...newEndpoint, events }, token);
    for (const [events, named] of [
      [['product.created'], 'the scope products:read'],
      [['product.*'], 'the scope products:read'],
      [['organization.updated'], 'the scope organizations:read'],
      [['token.revoked', 'webhook_endpoint.*'], 'the scope webhooks:read'],
      [['*'], 'the scopes products:read, webhooks:read, organizations:read'],
    ] as const) {
      const { status, body } = await create([...events], writer);
      expect([status, body.code]).toEqual([403, 'insufficient_scope']);
      expect(body.detail).toBe(`The token does not carry ${named}.`);
    }
    expect((await create(['api_version.released'], writer)).status).toBe(201);
    const made = await create(['product.*'], reader);
    expect(made.status).toBe(201);
    const change = (sent: object, { token }: { token: string }) =>
      ask(next, 'PATCH', `${ENDPOINTS}/${made.body.id}`, sent, token);
    const elsewhere = { url: 'http://localhost:9/mine' };
    expect((await change({ events: ['product.created'] }, writer)).status).toBe(403);
    expect((await change({ events: ['*'] }, reader)).status).toBe(403);
    expect((await change(elsewhere, writer)).status).toBe(403);
    expect((await change({ description: 'Ours' }, writer)).status).toBe(200);
    expect((await change({ ...elsewhere, events: ['product.created'] }, reader)).status).toBe(200);
    const kinds = await ask(next, 'GET', '/v1/webhooks/event-kinds?limit=100', undefined, watcher.token);
    const scopes = kinds.body.items.map(({ type, scopes }: { type: string; scopes: string[] }) => [
      type,
      scopes,
    ]);
    expect(Object.fromEntries(scopes)).toMatchObject({
      'product.created': ['products:read'],
      'grant.revoked': ['webhooks:read'],
      'api_version.released': [],
    });
  });

  const allowOnly = async ({ client }: Stage['maker'], ...scopes: string[]) => {
    const { status, text } = await operator.ask('PATCH', `/operator/clients/${client.id}`, { scopes });
    if (status !== 200) throw new Error(text);
  };
  const OTHERS = ['webhooks:read', 'webhooks:write', 'organizations:read'];

  it('[outside2 6] has what it may not read any more held, queued or new, until it may again', async () => {
    const { maker, witness, made, happen, states } = await stage();
    await allowOnly(maker, ...OTHERS);
    await happen();
    expect(await states(made.id)).toEqual(['held', 'held']);
    const [event] = (
      await ask(next, 'GET', `/v1/webhooks/events?endpoint_id=${made.id}`, undefined, witness.token)
    ).body.items;
    const again = await ask(
      next,
      'POST',
      `/v1/webhooks/events/${event.id}/redeliver`,
      undefined,
      witness.token,
    );
    expect([again.status, again.body.detail]).toEqual([
      409,
      'The client that made the endpoint may not read this any more.',
    ]);
    const since = new Date(service.clock.now().getTime() - 3_600_000).toISOString();
    const recovery = await ask(next, 'POST', `${ENDPOINTS}/${made.id}/recover`, { since }, witness.token);
    expect([recovery.status, recovery.body.total]).toEqual([202, 0]);
    expect(await states(made.id)).toEqual(['held', 'held']);
    await allowOnly(maker, ...OTHERS, 'products:read');
    await happen();
    expect(await states(made.id)).toEqual(['pending', 'pending', 'pending']);
  });

  it('[outside2 6] keeps kinds of other scopes, and what was held for another reason stays held', async () => {
    const { maker, made, happen, states, witness } = await stage();
    const other = await endpoint({ events: ['webhook_endpoint.disabled'] }, maker.token);
    const change = (sent: object) => ask(next, 'PATCH', `${ENDPOINTS}/${made.id}`, sent, witness.token);
    expect((await change({ enabled: false })).status).toBe(200);
    await allowOnly(maker, ...OTHERS);
    expect(await states(other.id)).toEqual(['pending']);
    await happen();
    await allowOnly(maker, ...OTHERS, 'products:read');
    expect(await states(made.id)).toEqual(['held', 'held']);
  });

  it('[outside2 6] gets nothing that was held by another subscription, and cannot subscribe to it', async () => {
    const { maker, made, states } = await stage();
    await allowOnly(maker, ...OTHERS);
    const change = (sent: object) => ask(next, 'PATCH', `${ENDPOINTS}/${made.id}`, sent, maker.token);
    expect((await change({ events: ['product.created'] })).status).toBe(403);
    expect((await change({ url: 'http://localhost:9/mine' })).status).toBe(403);
    expect((await change({ events: ['webhook_endpoint.*'] })).status).toBe(200);
    expect(await states(made.id)).toEqual(['held']);
    for (const enabled of [false, true]) expect((await change({ enabled })).status).toBe(200);
    await operator.ask('PATCH', `/operator/clients/${maker.client.id}`, { name: 'Renamed' });
    // The other one says that it was disabled.
    expect(await states(made.id)).toEqual(['held', 'held']);
  });

  it.each(versionsBefore('2027-01'))(
    '[outside2 6] keeps what it subscribed to in %s, where no scope was asked for',
    async (version) => {
      const { maker, happen, states } = await stage();
      const sent = { ...newEndpoint, events: ['product.*'] };
      const { status, body } = await ask(version, 'POST', ENDPOINTS, sent, maker.token);
      expect(status).toBe(201);
      await happen();
      await allowOnly(maker, ...OTHERS);
      await happen();
      expect(await states(body.id)).toEqual(['pending', 'pending']);
    },
  );
});

onPostgresFirst('a webhook endpoint whose user has removed the access', (engine) => {
  const { service } = useDeliveries(engine);
  const { addUser, addClient, obtainTokens } = authorization(service);

  it('[outside 1] gets nothing more, while another of the same organization does', async () => {
    const { email } = await addUser(['Acme']);
    /** A client that the user lets in, with an endpoint that receives products. */
    const letIn = async () => {
      const { body, browser } = await obtainTokens(await addClient(), email, { scope: SCOPE });
      const call = (path: string, sent: unknown) =>
        callAs(service, body.access_token, { method: 'POST', path, sent });
      const receiver = await startReceiver();
      const url = `http://127.0.0.1:${receiver.port}/`;
      expect((await call(ENDPOINTS, { url, events: ['product.created'] })).status).toBe(201);
      return { call, browser, receiver };
    };
    const [removed, kept] = [await letIn(), await letIn()];
    const happen = () => kept.call('/v1/products/', newProduct);
    const counts = () => [removed.receiver.requests.length, kept.receiver.requests.length];
    await happen();
    await expect.poll(counts).toEqual([1, 1]);
    const page = await removed.browser.visit('/account/grants');
    // The application that was let in first is listed first.
    await removed.browser.submit(page, '/account/grants', {});
    await happen();
    await happen();
    await expect.poll(() => kept.receiver.requests.length).toBe(3);
    expect(counts()).toEqual([1, 3]);
  });

  it('[outside2 6] gets what it may not read any more only when it may again', async () => {
    const { email } = await addUser(['Acme']);
    const client = await addClient();
    const { body } = await obtainTokens(client, email, { scope: SCOPE });
    const call = (path: string, sent: unknown) =>
      callAs(service, body.access_token, { method: 'POST', path, sent, version: next });
    const receiver = await startReceiver();
    const url = `http://127.0.0.1:${receiver.port}/`;
    const events = ['product.created', 'webhook_endpoint.disabled'];
    expect((await call(ENDPOINTS, { url, events })).status).toBe(201);
    const allowOnly = (scopes: string) =>
      service.operate('sandbox', `/operator/clients/${client.id}`, {
        method: 'PATCH',
        body: { scopes: scopes.split(' ') },
      });
    const received = () =>
      receiver.requests.map((request) => {
        const { type, data } = JSON.parse(request.body.toString());
        return data.name ?? type;
      });
    const create = async (name: string) =>
      expect((await call('/v1/products/', { ...newProduct, name })).status).toBe(201);
    expect((await allowOnly(SCOPE.replace('products:read ', ''))).status).toBe(200);
    for (const name of ['one', 'two']) await create(name);
    // What it may still read goes past what is held.
    const other = await call(ENDPOINTS, { url, events: ['webhook_endpoint.disabled'], enabled: true });
    expect(other.status).toBe(201);
    const disabled = await callAs(service, body.access_token, {
      method: 'PATCH',
      path: `${ENDPOINTS}/${other.body.id}`,
      sent: { enabled: false },
    });
    expect(disabled.status).toBe(200);
    await expect.poll(received).toEqual(['webhook_endpoint.disabled']);
    expect((await allowOnly(SCOPE)).status).toBe(200);
    await expect.poll(() => received().toSorted()).toEqual(['one', 'two', 'webhook_endpoint.disabled']);
  });
});
