import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createVersions } from '../src/compose/create-versions.ts';
import { systemClock } from '../src/kernel/clock.ts';
import { startPostgresServer } from '../test/support/database/postgres-server.ts';
import { spawnDateline } from '../test/support/service/spawn-dateline.ts';
import { createDatabase } from './create-database.ts';
import { fillForConsole, recentId } from './fill-for-console.ts';
import { type Bench, type Contender, keepBusy } from './harness.ts';

/** What each view of the console asks for first. The ids are those of the data that is filled in. */
const VIEWS: Readonly<Record<string, string>> = {
  'release plan': '/operator/release',
  'clients that the release broke': '/operator/release/broken',
  doctor: '/operator/doctor',
  nodes: '/operator/nodes',
  'webhook queue': '/operator/webhooks/queue',
  'usage, plot of 90 days': '/operator/usage?days=90&group=day,version',
  'usage, 90 days by client': '/operator/usage?days=90&group=version,choice,client',
  'usage, 90 days by organization': '/operator/usage?days=90&group=version,choice,organization',
  'usage, who names one version':
    '/operator/usage?days=30&group=version,choice,client&choice=pinned&version=2026-07',
  'usage, 90 days by choice': '/operator/usage?days=90&group=choice',
  clients: '/operator/clients',
  'clients, searched': '/operator/clients?search=client%205555',
  'one client, plot of 30 days':
    '/operator/usage?days=30&group=day,version&client=cli_0000000000000000000777',
  'grants of a client': '/operator/clients/cli_0000000000000000000777/grants',
  'tokens of a grant': '/operator/grants/gra_0000000000000000000777/tokens',
  'failed requests, grouped': '/operator/failed-requests/groups',
  'failed requests of a client': '/operator/failed-requests?client_id=cli_0000000000000000000777',
  'webhook endpoints': '/operator/webhooks/endpoints',
  'webhook endpoints that fail': '/operator/webhooks/endpoints?condition=failing',
  'webhook endpoints, searched': '/operator/webhooks/endpoints?search=receiver-99',
  'webhook events': '/operator/webhooks/events',
  'webhook events that are exhausted': '/operator/webhooks/events?state=exhausted',
  'webhook events, delivered': '/operator/webhooks/events?state=delivered',
  'events of an endpoint': '/operator/webhooks/events?endpoint_id=whe_0000000000000000000077',
  'attempts of an event': `/operator/webhooks/events/${recentId('evt', 999_777)}/attempts`,
  organizations: '/operator/organizations',
  users: '/operator/users',
  'users, searched': '/operator/users?search=user-555%40',
  'audit log': '/operator/audit',
  'audit log, one action': '/operator/audit?action=client.deleted',
  'audit log, one operator': '/operator/audit?actor=opk_0000000000000000000007',
};

/** What is typed into the search of every page. */
const SEARCHES: Readonly<Record<string, string>> = {
  'search by a name': 'client 5555',
  'search by an address': 'receiver-99',
  'search by an id': recentId('evt', 999_777),
};

export const bench: Bench = {
  name: 'console',
  description:
    'first pages and plots of the console, one at a time: 10,000 clients, 1,000,000 tokens, 1,000,000 events, 90 days of usage',
  ratios: [],
  latencies: [...Object.keys(VIEWS), ...Object.keys(SEARCHES)],
  async prepare() {
    const server = await startPostgresServer();
    const dataDir = mkdtempSync(join(tmpdir(), 'dateline-bench-'));
    const databaseUrl = await createDatabase(server.url, 'bench_console');
    const env = { DATABASE_URL: databaseUrl, DATELINE_DATA_DIR: dataDir };
    const service = spawnDateline(['serve'], { env, ignoreLog: true });
    const { sandbox } = await service.ready();
    const { operator_key: key } = JSON.parse(readFileSync(join(dataDir, 'quickstart.json'), 'utf8')).sandbox;
    const { deprecated, current, next } = createVersions(systemClock).lifecycle();
    await fillForConsole(databaseUrl, [deprecated, current, next]);

    const authorization = `Bearer ${key}`;
    const viewer = (name: string, path: string, init: RequestInit): Contender => ({
      name,
      work: (forMs) =>
        keepBusy(1, forMs, async () => {
          const response = await fetch(sandbox + path, init);
          const text = await response.text();
          if (response.status !== 200) throw new Error(`${path} answered ${response.status}: ${text}`);
        }),
    });
    const searcher = (name: string, text: string): Contender =>
      viewer(name, '/operator/search', {
        method: 'POST',
        headers: { authorization, 'content-type': 'application/json' },
        body: JSON.stringify({ text }),
      });
    return {
      contenders: [
        ...Object.entries(VIEWS).map(([name, path]) => viewer(name, path, { headers: { authorization } })),
        ...Object.entries(SEARCHES).map(([name, text]) => searcher(name, text)),
      ],
      async close() {
        service.child.kill();
        await service.exit;
        rmSync(dataDir, { recursive: true, force: true });
        await server.stop();
      },
    };
  },
};
