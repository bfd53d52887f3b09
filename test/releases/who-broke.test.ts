import { expect, it } from 'vitest';
import { createHeldRequests, LOOK_UPS_MAX } from '../../src/usage/callers/held-requests.ts';
import { onBothDatabases } from '../support/database/databases.ts';
import { afterNext, current, deprecated, next } from '../support/service/build-versions.ts';
import { operatorCalls } from '../support/service/operator-calls.ts';
import { useTestService } from '../support/service/test-service.ts';

interface MadeClient {
  id: string;
  name: string;
  organization_id: string;
  client_secret: string;
}

interface Named {
  client_name: string;
}

const namesOf = (items: readonly Named[]): string[] => items.map(({ client_name: name }) => name).sort();

onBothDatabases('who breaks, and who broke', (engine) => {
  const service = useTestService(engine);
  const { get, post, createClient } = operatorCalls(service);

  async function send(path: string, init: RequestInit, version?: string): Promise<number> {
    const headers = {
      ...(init.headers as Record<string, string>),
      ...(version === undefined ? {} : { 'service-version': version }),
    };
    const response = await service.call('sandbox', path, { ...init, headers });
    await response.text();
    return response.status;
  }

  const make = (name: string): Promise<MadeClient> =>
    createClient({ name, grant_types: ['client_credentials'] });

  async function tokenFor({ id, client_secret: secret }: MadeClient, version?: string): Promise<string> {
    const response = await service.call('sandbox', '/v1/oauth2/token', {
      method: 'POST',
      headers: version === undefined ? {} : { 'service-version': version },
      body: new URLSearchParams({ grant_type: 'client_credentials', client_id: id, client_secret: secret }),
    });
    expect(response.status).toBe(200);
    return ((await response.json()) as { access_token: string }).access_token;
  }

  const bearer = (token: string) => ({ headers: { authorization: `Bearer ${token}` } });

  async function decide(what: 'run' | 'undo', becomes: string): Promise<{ breaking_clients: number }> {
    const { status, body } = await post(`/operator/release/${what}`, { reason: 'a rehearsal' });
    expect(status).toBe(202);
    await expect
      .poll(async () => {
        service.clock.advanceSeconds(4);
        return ((await (await service.call('sandbox', '/versions')).json()) as { current: string }).current;
      })
      .toBe(becomes);
    return body;
  }

  it('names exactly the clients that break, of twelve kinds, in the plan and since the release', async () => {
    const [toDeprecated, toCurrent, toNext, unpinned, oauthOnly, wrongSecret] = [
      await make('pinned to Deprecated'),
      await make('pinned to Current'),
      await make('pinned to Next'),
      await make('unpinned'),
      await make('unpinned at OAuth only'),
      await make('wrong secret'),
    ];
    const [revoked, neverExisted, many, otherOrganization, deleted, silent] = [
      await make('revoked token'),
      await make('a version that never existed'),
      await make('many operations'),
      await make('of another organization'),
      await make('deleted'),
      await make('with an expired token'),
    ];
    const token = new Map<MadeClient, string>();
    for (const client of [toDeprecated, toCurrent, toNext, many, otherOrganization, deleted, silent, revoked])
      token.set(client, await tokenFor(client, current));
    for (const client of [unpinned, neverExisted]) token.set(client, await tokenFor(client, current));
    await tokenFor(oauthOnly);
    const of = (client: MadeClient) => bearer(token.get(client) as string);
    const revocation = { token: token.get(revoked) ?? '', client_id: revoked.id };
    expect(
      await send(
        '/v1/oauth2/revoke',
        {
          method: 'POST',
          body: new URLSearchParams({ ...revocation, client_secret: revoked.client_secret }),
        },
        current,
      ),
    ).toBe(200);

    const paths = ['/v1/products/', '/v1/organizations/', '/v1/webhooks/endpoints', '/v1/webhooks/events'];
    const guess = new URLSearchParams({
      ...{ grant_type: 'client_credentials', client_id: wrongSecret.id, client_secret: 'wrong' },
    });
    const stranger = new URLSearchParams({
      ...{ grant_type: 'client_credentials', client_id: 'cli_unknown', client_secret: 'wrong' },
    });
    /** A day of all of them: the same calls before the release and after it. Returns the statuses of those that name Deprecated. */
    async function day(): Promise<number[]> {
      expect(await send('/v1/products/', of(toCurrent), current)).toBe(200);
      expect(await send('/v1/products/', of(toNext), next)).toBe(200);
      expect(await send('/v1/products/', of(unpinned))).toBe(200);
      expect(await send('/v1/products/', of(neverExisted), '2026-02')).toBe(404);
      expect(await send('/v1/oauth2/token', { method: 'POST', body: guess }, current)).toBe(401);
      expect(await send('/v1/products/', of(revoked), current)).toBe(401);
      const old = [
        await send('/v1/products/', of(toDeprecated), deprecated),
        await send('/v1/products/prd_none', of(otherOrganization), deprecated),
        await send('/v1/products/', of(deleted), deprecated),
      ];
      for (const path of paths) old.push(await send(path, of(many), deprecated));
      // Nobody is known by these.
      old.push(await send('/v1/products/', of(revoked), deprecated));
      old.push(await send('/v1/products/', {}, deprecated));
      old.push(await send('/v1/products/', bearer('dl_test_at_nonsense'), deprecated));
      old.push(await send('/v1/oauth2/token', { method: 'POST', body: guess }, deprecated));
      old.push(await send('/v1/oauth2/token', { method: 'POST', body: stranger }, deprecated));
      return old;
    }
    expect(await day()).toEqual([200, 404, 200, 200, 200, 200, 200, 401, 401, 401, 401, 401]);
    await service.operate('sandbox', `/operator/clients/${deleted.id}`, { method: 'DELETE' });

    const breaking = ['many operations', 'of another organization', 'pinned to Deprecated'];
    const plan = (await get('/operator/release')).body;
    const withRisk = (risk: string) =>
      namesOf(plan.clients_at_risk.filter((item: { risk: string }) => item.risk === risk));
    expect(withRisk('version_removed')).toEqual(breaking);
    expect(withRisk('default_changes')).toEqual(['unpinned']);
    expect(namesOf(plan.oauth_only)).toEqual(['unpinned at OAuth only']);
    expect((await get('/operator/release/broken')).body).toMatchObject({ version: current, items: [] });

    expect(await decide('run', next)).toMatchObject({ breaking_clients: 3, default_changing_clients: 1 });
    expect(await day()).toEqual(Array(12).fill(404));
    const { body } = await get('/operator/release/broken');
    expect(body).toMatchObject({ version: next, removed_version: deprecated, rehearsal: true });
    expect(namesOf(body.items)).toEqual(breaking);
    expect(body.items[0]).toEqual({
      client_id: many.id,
      client_name: 'many operations',
      organization_id: many.organization_id,
      organization_name: 'Clients',
      requested_version: deprecated,
      requests: 4,
      last_at: expect.any(String),
      operations: ['organizations:list', 'products:list', 'webhooks:list_endpoints', 'webhooks:list_events'],
      operation_count: 4,
    });
    const other = body.items.find(({ client_id: id }: { client_id: string }) => id === otherOrganization.id);
    expect(other).toMatchObject({ requests: 1, operations: ['products:read'] });
    expect(other.organization_id).not.toBe(many.organization_id);
    // The deleted client, the revoked token, no token, a wrong one, and the two without a token at all.
    expect(body.unnamed_requests).toBe(6);

    // A token that has expired since still tells whose it is.
    service.clock.advanceSeconds(2 * 60 * 60);
    expect(await send('/v1/products/', of(silent), deprecated)).toBe(404);
    expect(namesOf((await get('/operator/release/broken')).body.items)).toEqual([
      'many operations',
      'of another organization',
      'pinned to Deprecated',
      'with an expired token',
    ]);

    await decide('undo', current);
    expect((await get('/operator/release/broken')).body).toMatchObject({
      version: current,
      items: [],
      unnamed_requests: 0,
    });
    await decide('run', next);
    expect((await get('/operator/release/broken')).body.items).toEqual([]);
    expect(await send('/v1/products/', of(silent), deprecated)).toBe(404);
    expect((await get('/operator/release/broken')).body).toMatchObject({
      items: [{ client_name: 'with an expired token', requests: 1 }],
      unnamed_requests: 0,
    });
  });

  it('lists a refused request with the version that it asked for, and its client', async () => {
    const client = await make('asks for the past');
    const token = await tokenFor(client, next);
    const path = '/v1/products/prd_secret?cursor=secret';
    for (const version of [deprecated, '2026-02', 'nonsense', afterNext])
      await send(path, bearer(token), version);
    const { body, text } = await get(`/operator/failed-requests?client_id=${client.id}`);
    const asked = body.items.map((item: Record<string, unknown>) => [
      item.requested_version,
      item.version,
      item.operation,
      item.code,
    ]);
    // The callers of refused requests are known later than those of others.
    expect(asked).toHaveLength(4);
    for (const line of [
      [deprecated, next, 'products:read', 'version_not_found'],
      ['2026-02', next, null, 'version_not_found'],
      [null, next, null, 'version_not_found'],
      [afterNext, afterNext, 'products:read', expect.any(String)],
    ])
      expect(asked).toContainEqual(line);
    expect(text).not.toContain('secret');
    const filter = `/operator/failed-requests?requested_version=${deprecated}&client_id=${client.id}`;
    expect((await get(filter)).body.items).toHaveLength(1);
    const usage = await get(`/operator/usage?client=${client.id}&group=choice,version,operation`);
    expect(usage.body.items).toContainEqual(
      expect.objectContaining({
        choice: 'rejected_removed',
        version: deprecated,
        operation: 'products:read',
      }),
    );
    const groups = await get(`/operator/failed-requests/groups?client_id=${client.id}`);
    expect(groups.body.items).toContainEqual(
      expect.objectContaining({ requested_version: deprecated, requests: 1 }),
    );
  });

  it('lists a failed authentication under the client that it named, if that exists', async () => {
    const client = await make('guessed at');
    // Like an id, but nobody's.
    const nobody = `${client.id.slice(0, -4)}zzzz`;
    for (const id of [client.id, nobody]) {
      const form = { grant_type: 'client_credentials', client_id: id, client_secret: 'wrong' };
      const init = { method: 'POST', body: new URLSearchParams(form) };
      expect(await send('/v1/oauth2/token', init, next)).toBe(401);
    }
    const failuresOf = async (id: string) =>
      (await get(`/operator/failed-requests?client_id=${id}`)).body.items;
    expect(await failuresOf(client.id)).toMatchObject([{ operation: 'oauth2:create_token', status: 401 }]);
    expect(await failuresOf(nobody)).toEqual([]);
  });

  it('looks up so many callers a second at most, those of one caller once, and leaves room for tokens', () => {
    let nowMs = 0;
    const held = createHeldRequests(() => nowMs, 10_000);
    const request = { use: {}, failure: {}, at: new Date(), meantOperation: null, removed: null } as never;
    const hold = (claim: object) => held.hold({ ...(request as object), claim } as never);
    const byToken = (number: number) => hold({ kind: 'token', digest: Buffer.from(`token ${number}`) });
    const byName = (number: number) => hold({ kind: 'client', clientId: `cli_${number}` });
    const many = Array.from({ length: 500 }, (_, number) => number);
    expect(LOOK_UPS_MAX.token + LOOK_UPS_MAX.client).toBe(100);
    expect(many.filter(byName)).toHaveLength(LOOK_UPS_MAX.client);
    expect(many.filter(byToken)).toHaveLength(LOOK_UPS_MAX.token);
    expect(many.filter(() => byToken(1))).toHaveLength(500);
    nowMs += 1_000;
    expect(many.filter(byToken)).toHaveLength(2 * LOOK_UPS_MAX.token);
    expect(held.take().length).toBe(LOOK_UPS_MAX.client + 3 * LOOK_UPS_MAX.token + 500);
    expect(held.take()).toEqual([]);
  });
});
