import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { loadConfig } from '../../src/config/load-config.ts';
import { startService } from '../../src/main.ts';
import type { NewClient } from '../../src/oauth/clients/clients/clients.ts';
import { createLog } from '../../src/telemetry/log.ts';
import { type Day, daysBefore } from '../../src/usage/day.ts';
import { onPostgresFirst } from '../support/database/databases.ts';
import { createGrantedUser } from '../support/oauth/oauth-fixtures.ts';
import { answered } from '../support/run/answered.ts';
import {
  current,
  deprecated,
  homeTime,
  next,
  releaseAt,
  removed,
} from '../support/service/build-versions.ts';
import { environmentOn } from '../support/service/environment-on.ts';
import { operatorCalls } from '../support/service/operator-calls.ts';
import {
  type RunningTestService,
  startTestService,
  useTestService,
} from '../support/service/test-service.ts';

const today = homeTime.slice(0, 10) as Day;

type Service = Pick<RunningTestService, 'call' | 'operate' | 'database' | 'clock' | 'urls'>;

async function createTokenHolder(service: Service, change: Partial<NewClient> = {}) {
  const environment = environmentOn({
    name: 'sandbox',
    issuer: service.urls.sandbox,
    database: await service.database('sandbox'),
    clock: service.clock,
  });
  const { client, access } = await createGrantedUser(environment, change);
  return { client, token: access.tokenValue };
}

function headersOf(token: string | null, version?: string): Record<string, string> {
  return {
    ...(token === null ? {} : { authorization: `Bearer ${token}` }),
    ...(version === undefined ? {} : { 'service-version': version }),
  };
}

interface UsageItem {
  [dimension: string]: string | null | number;
  requests: number;
}

async function usage(service: Service, query: string) {
  const response = await service.operate('sandbox', `/operator/usage?${query}`);
  const { items = [], detail = '' } = (await response.json()) as { items?: UsageItem[]; detail?: string };
  return answered({ status: response.status, items, detail }, response.url);
}

const lineOf = ({ choice, version, operation, client_id, requests }: UsageItem): string =>
  [choice, version, operation, client_id, requests].map((value) => value ?? '-').join(' ');

onPostgresFirst('usage over HTTP', (engine) => {
  const service = useTestService(engine);

  it('counts requests of the versioned API by client, version, operation and choice, whatever their answer', async () => {
    const { client, token } = await createTokenHolder(service);
    const powerless = await createTokenHolder(service, { scopes: [] });
    const send = async (path: string, headers: Record<string, string>, method = 'GET'): Promise<number> =>
      (await service.call('sandbox', path, { method, headers })).status;
    expect([
      await send('/v1/products/', headersOf(token, deprecated)),
      await send('/v1/products/', headersOf(token, deprecated), 'HEAD'),
      await send('/v1/products/', headersOf(token)),
      await send('/v1/products/prd_x', headersOf(token, next)),
      await send('/v1/products/', headersOf(token, next), 'POST'),
      await send('/v1/products/', headersOf(powerless.token, next)),
      await send('/v1/products/', headersOf(null)),
      await send('/v1/products/', headersOf('nonsense', current)),
      await send('/v1/nowhere', headersOf(token, current)),
    ]).toEqual([200, 200, 200, 404, 422, 403, 401, 401, 404]);

    const { items } = await usage(service, 'group=choice,version,operation,client');
    expect(items.map(lineOf).sort()).toEqual(
      [
        `pinned ${deprecated} products:list ${client.id} 2`,
        `defaulted ${current} products:list ${client.id} 1`,
        `pinned ${next} products:read ${client.id} 1`,
        `pinned ${next} products:create ${client.id} 1`,
        `pinned ${next} products:list ${powerless.client.id} 1`,
        `defaulted ${current} products:list - 1`,
        `pinned ${current} products:list - 1`,
        `pinned ${current} - - 1`,
      ].sort(),
    );
    const named = await usage(
      service,
      `choice=pinned&version=${current}&group=choice,version,operation,client`,
    );
    expect(named.items.map(lineOf).sort()).toEqual([
      `pinned ${current} - - 1`,
      `pinned ${current} products:list - 1`,
    ]);
    expect((await usage(service, 'choice=guessed')).status).toBe(422);
    const [mine] = (await usage(service, `client=${client.id}&version=${next}`)).items;
    expect(mine).toEqual({
      version: next,
      choice: 'pinned',
      client_id: client.id,
      client_name: 'Client',
      organization_id: client.organizationId,
      organization_name: expect.any(String),
      requests: 2,
      last_day: today,
    });
  });

  it('counts rejected versions by reason, on any path, and stores no text that is not a plausible version', async () => {
    const refused: [string, string][] = [
      ['/v1/products/', removed],
      ['/versions', removed],
      ['/operator/users', '2027-02'],
      ['/v1/products/', '1987-01'],
      ['/v1/products/', '9999-04'],
      ['/v1/products/', 'secret-in-the-wrong-header'],
      ['/nowhere', ''],
    ];
    for (const [path, version] of refused) {
      const response = await service.call('sandbox', path, { headers: headersOf(null, version) });
      expect([path, response.status]).toEqual([path, 404]);
    }
    const { items } = await usage(service, 'group=choice,version,operation,client');
    expect(items.map(lineOf).filter((line) => line.startsWith('rejected_'))).toEqual([
      'rejected_malformed - - - 2',
      `rejected_removed ${removed} - - 2`,
      'rejected_removed - - - 1',
      'rejected_unknown 2027-02 - - 1',
      'rejected_unknown - - - 1',
    ]);
  });

  it('counts nothing else: neither unversioned paths nor preflights, probes and operator requests', async () => {
    const count = async (): Promise<number> => (await usage(service, 'group=day')).items[0]?.requests ?? 0;
    const before = await count();
    for (const [path, status] of [
      ['/versions', 200],
      ['/nowhere', 404],
      ['/operator/users', 401],
      [`/versions/${current}/openapi.json`, 200],
    ] as const)
      expect((await service.call('sandbox', path, { headers: headersOf(null, current) })).status).toBe(
        status,
      );
    for (const path of ['/healthz', '/readyz', '/metrics'])
      expect((await service.call('sandbox', path, { headers: headersOf(null, current) })).status).toBe(200);
    await service.call('sandbox', '/v1/products/', { method: 'OPTIONS' });
    expect(await count()).toBe(before);
  });

  it('exports the choice of versions at /metrics, in few labels', async () => {
    const text = await (await service.call('sandbox', '/metrics')).text();
    const lines = [...text.matchAll(/^dateline_api_requests_total\{(.*)\} (\d+)$/gm)].map(
      ([, labels, count]) => `${labels?.replace(',environment="sandbox"', '')} ${count}`,
    );
    expect(lines.sort()).toEqual(
      [
        `choice="pinned",version="${deprecated}" 2`,
        `choice="pinned",version="${current}" 2`,
        `choice="pinned",version="${next}" 3`,
        `choice="defaulted",version="${current}" 2`,
        'choice="rejected_malformed",version="none" 2',
        'choice="rejected_removed",version="none" 3',
        'choice="rejected_unknown",version="none" 2',
      ].sort(),
    );
  });

  it.each([
    ['version=latest', 'version'],
    ['client=..%2F..', 'client'],
    ['from=2026-02-30', 'from'],
    ['from=2026-11-02&to=2026-11-01', 'from (2026-11-02) lies after to (2026-11-01).'],
    ['from=2026-11-02&days=3', 'Give either from or days, not both.'],
    ['days=0', 'days'],
    ['days=401', 'days must be a whole number from 1 to 400.'],
    ['group=colour', 'group must be one or more of day, version, choice, client, organization, operation'],
    ['group=', 'group must be one or more of'],
    ['colour=red', 'colour is not a field of this request'],
  ])('rejects %s with a reason', async (query, reason) => {
    const { status, detail } = await usage(service, query);
    expect(status).toBe(422);
    expect(detail).toContain(reason);
  });

  it('[console] is summed up by the organizations of the clients', async () => {
    const [one, other] = [await createTokenHolder(service), await createTokenHolder(service)];
    for (const { token } of [one, other, one])
      await service.call('sandbox', '/v1/products', { headers: headersOf(token, current) });
    const { items } = await usage(service, 'days=1&group=organization,version');
    const requestsOf = ({ client }: typeof one) =>
      items.filter(({ organization_id: id }) => id === client.organizationId).map((item) => item.requests);
    expect([requestsOf(one), requestsOf(other)]).toEqual([[2], [1]]);
    expect(Object.keys(items[0] ?? {}).sort()).toEqual([
      'last_day',
      'organization_id',
      'organization_name',
      'requests',
      'version',
    ]);
  });

  it('covers the requested days', async () => {
    const { client, token } = await createTokenHolder(service);
    const [first, second, third] = [3, 2, 1].map((count) => daysBefore(today, count)) as [Day, Day, Day];
    for (const day of [first, second, third]) {
      service.clock.set(`${day}T12:00:00Z`);
      const { status } = await service.call('sandbox', '/v1/products/', { headers: headersOf(token) });
      // The token was issued later than this day, which does not make it invalid.
      expect(status).toBe(200);
    }
    const seen = async (query: string): Promise<unknown[]> =>
      (await usage(service, `client=${client.id}&group=day&${query}`)).items.map(({ day }) => day);
    expect(await seen('')).toEqual([third, second, first]);
    expect(await seen('days=1')).toEqual([third]);
    expect(await seen(`from=${second}`)).toEqual([third, second]);
    expect(await seen(`to=${second}&days=1`)).toEqual([second]);
    expect(await seen(`from=${first}&to=${first}`)).toEqual([first]);
    service.clock.set(homeTime);
  });
});

onPostgresFirst('usage on several nodes', (engine) => {
  it('is stored exactly once under load, summed over nodes, and survives their stop', async () => {
    // Nodes of one database share the key of its secrets.
    const DATELINE_SECRET_KEY = randomBytes(32).toString('base64');
    const first = await startTestService(engine, { DATELINE_SECRET_KEY });
    const folder = mkdtempSync(join(tmpdir(), 'dateline-second-'));
    const second = await startService({
      config: loadConfig({
        DATELINE_PORT: '0',
        DATELINE_SANDBOX_PORT: '0',
        DATELINE_DATA_DIR: folder,
        DATELINE_SHUTDOWN_SECONDS: '2',
        DATELINE_SECRET_KEY,
      }),
      log: createLog('silent', { write() {} }),
      say() {},
      abort() {},
      clock: first.clock,
      openDatabase: async (name) => ({ ...(await first.database(name)), close: async () => {} }),
      alreadyPrepared: true,
    });
    const { token } = await createTokenHolder(first);
    const urls = [first.urls.sandbox, second.urls.sandbox];
    const versions = [deprecated, current, undefined];
    const statuses = await Promise.all(
      Array.from({ length: 300 }, async (_, index) => {
        const headers = headersOf(token, versions[index % 3]);
        const response = await fetch(`${urls[index % 2]}/v1/organizations/`, { headers });
        await response.text();
        return response.status;
      }),
    );
    expect(new Set(statuses)).toEqual(new Set([200]));
    await second.stop();
    const { items } = await usage(first, 'group=choice,version,operation');
    expect(items).toEqual([
      expect.objectContaining({ choice: 'defaulted', version: current, requests: 100 }),
      expect.objectContaining({ choice: 'pinned', version: deprecated, requests: 100 }),
      expect.objectContaining({ choice: 'pinned', version: current, requests: 100 }),
    ]);
    await first.stop();
    rmSync(folder, { recursive: true, force: true });
  });
});

onPostgresFirst('clients at risk', (engine) => {
  const service = useTestService(engine);

  it('are those that named Deprecated or no version in the last 30 days; the release plan lists them too', async () => {
    const [stuck, open, careful, gone] = [
      await createTokenHolder(service, { name: 'Stuck' }),
      await createTokenHolder(service, { name: 'Open' }),
      await createTokenHolder(service, { name: 'Careful' }),
      await createTokenHolder(service, { name: 'Gone' }),
    ];
    const send = async (token: string | null, version?: string): Promise<void> => {
      const { status } = await service.call('sandbox', '/v1/organizations/', {
        headers: headersOf(token, version),
      });
      expect([200, 401, 404]).toContain(status);
    };
    const atRisk = async (days = '') =>
      (await (await service.operate('sandbox', `/operator/usage/at-risk${days}`)).json()) as {
        items: unknown[];
      };
    expect((await atRisk()).items).toEqual([]);

    service.clock.advanceSeconds(-30 * 24 * 60 * 60);
    await send(gone.token, deprecated);
    service.clock.set(homeTime);
    for (const [token, version] of [
      [stuck.token, deprecated],
      [stuck.token, deprecated],
      [stuck.token, current],
      [open.token, undefined],
      [careful.token, current],
      [careful.token, next],
      [null, deprecated],
      [null, undefined],
    ] as const)
      await send(token, version);

    const items = [
      {
        client_id: stuck.client.id,
        client_name: 'Stuck',
        organization_id: stuck.client.organizationId,
        organization_name: 'Granting',
        risk: 'version_removed',
        requests: 2,
        unpinned_requests: 0,
        last_day: today,
        operations: ['organizations:list'],
        operation_count: 1,
      },
      {
        client_id: open.client.id,
        client_name: 'Open',
        organization_id: open.client.organizationId,
        organization_name: 'Granting',
        risk: 'default_changes',
        requests: 1,
        unpinned_requests: 1,
        last_day: today,
        operations: ['organizations:list'],
        operation_count: 1,
      },
    ];
    expect(await atRisk()).toEqual({
      from: daysBefore(today, 29),
      counted_requests: 8,
      planned_at: releaseAt.toISOString(),
      removed_version: deprecated,
      default_version: current,
      next_default_version: next,
      items,
      oauth_only: [],
    });
    expect((await atRisk('?days=31')).items).toHaveLength(3);
    const plan = await (await service.operate('sandbox', '/operator/release')).json();
    expect(plan).toMatchObject({ counted_requests: 8, clients_at_risk: items });
  });

  it('are listed once, whatever they call, and not for stock OAuth libraries, which send no version', async () => {
    const { createClient, get, post } = operatorCalls(service);
    const [stock, both, old] = [
      await createClient({ name: 'Stock', grant_types: ['client_credentials'] }),
      await createClient({ name: 'Both', grant_types: ['client_credentials'] }),
      await createClient({ name: 'Old', grant_types: ['client_credentials'] }),
    ];
    const tokenOf = async (client: { id: string; client_secret: string }): Promise<string> => {
      const response = await service.call('sandbox', '/v1/oauth2/token', {
        method: 'POST',
        body: new URLSearchParams({
          grant_type: 'client_credentials',
          client_id: client.id,
          client_secret: client.client_secret,
        }),
      });
      expect(response.status).toBe(200);
      return ((await response.json()) as { access_token: string }).access_token;
    };
    const send = async (token: string, path: string, version?: string): Promise<void> => {
      const { status } = await service.call('sandbox', path, { headers: headersOf(token, version) });
      expect(status).toBe(200);
    };
    const [ofStock, ofBoth, ofOld] = [await tokenOf(stock), await tokenOf(both), await tokenOf(old)];
    await send(ofStock, '/v1/products/', current);
    service.clock.advanceSeconds(-24 * 60 * 60);
    for (const path of ['/v1/products/', '/v1/organizations/', '/v1/products/']) await send(ofBoth, path);
    service.clock.set(homeTime);
    await send(ofBoth, '/v1/webhooks/endpoints', deprecated);
    service.clock.advanceSeconds(-24 * 60 * 60);
    await send(ofOld, '/v1/products/');
    service.clock.set(homeTime);
    await tokenOf(old);

    interface Listed {
      client_name: string;
      requests: number;
    }
    const { items, oauth_only: oauthOnly } = (await get('/operator/usage/at-risk')).body;
    const ours = (list: Listed[]) =>
      list.filter(({ client_name: name }) => ['Stock', 'Both', 'Old'].includes(name));
    expect(ours(items)).toMatchObject([
      {
        client_name: 'Both',
        organization_name: 'Clients',
        risk: 'version_removed',
        requests: 4,
        unpinned_requests: 3,
        last_day: today,
        operations: ['organizations:list', 'products:list', 'webhooks:list_endpoints'],
        operation_count: 3,
      },
      // Its calls of today went to OAuth only.
      {
        client_name: 'Old',
        risk: 'default_changes',
        requests: 1,
        last_day: daysBefore(today, 1),
        operations: ['products:list'],
      },
    ]);
    expect(ours(oauthOnly)).toMatchObject([
      { client_name: 'Stock', requests: 1, last_day: today, operations: ['oauth2:create_token'] },
    ]);
    const plan = (await get('/operator/release')).body;
    expect([plan.clients_at_risk, plan.oauth_only]).toEqual([items, oauthOnly]);

    await service.operate('sandbox', `/operator/clients/${old.id}`, { method: 'DELETE' });
    expect(ours((await get('/operator/usage/at-risk')).body.items)).toMatchObject([{ client_name: 'Both' }]);
    const breaking = items.filter(({ risk }: { risk: string }) => risk === 'version_removed').length;
    expect((await post('/operator/release/run', { reason: 'a rehearsal' })).body).toMatchObject({
      version: next,
      breaking_clients: breaking,
      default_changing_clients: items.length - breaking - 1,
    });
  });

  it('keep their counts when they are deleted, without a name', async () => {
    const { client, token } = await createTokenHolder(service, { name: 'Deleted' });
    await service.call('sandbox', '/v1/organizations/', { headers: headersOf(token, deprecated) });
    const database = await service.database('sandbox');
    await database
      .tables<{ oauth_clients: { id: string } }>()
      .deleteFrom('oauth_clients')
      .where('id', '=', client.id)
      .execute();
    const { items } = await usage(service, `client=${client.id}`);
    expect(items).toMatchObject([{ client_name: null, organization_id: null, requests: 1 }]);
  });
});
