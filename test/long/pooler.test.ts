import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { statement } from '../../src/storage/statement.ts';
import { databasesAt } from '../support/database/databases.ts';
import { type PgBouncer, startPgBouncer } from '../support/database/pgbouncer.ts';
import { createPostgresDatabase, type PostgresDatabase } from '../support/database/postgres-database.ts';
import { createOAuthNodes, type OAuthNodes, postForm } from '../support/oauth/oauth-nodes.ts';
import { requirePgBouncer } from '../support/run/needs.ts';

const RESTARTS = 20;
const CALLERS = 8;
/** Of writes between two restarts. */
const ACKNOWLEDGED = 40;

const LIVE = statement('live_tokens', 'select count(*) as count from {schema}.oauth_tokens');

describe('PgBouncer between a node and PostgreSQL', () => {
  let database: PostgresDatabase;
  let bouncer: PgBouncer;
  let nodes: OAuthNodes;
  beforeAll(async () => {
    database = await createPostgresDatabase({ migrated: true });
    bouncer = await startPgBouncer(requirePgBouncer(), database.adminUrl, { poolSize: 4 });
    nodes = await createOAuthNodes(database.adminUrl, { through: bouncer.through(database.adminUrl) });
  });
  afterAll(async () => {
    await nodes?.close();
    await bouncer?.stop();
    await database?.drop();
  });

  it(`loses nothing and answers nothing false when it is restarted ${RESTARTS} times under load`, async () => {
    const { url } = nodes.first;
    const { credentials } = nodes;
    const [live, dead] = [new Set<string>(), new Set<string>()];
    const statuses = new Map<number | 'none', number>();
    const unexpected: string[] = [];
    let writes = 0;
    let over = false;

    async function ask(path: string, form: Record<string, string>) {
      const answer = await postForm(url, path, { ...credentials, ...form });
      const status = answer?.status ?? 'none';
      statuses.set(status, (statuses.get(status) ?? 0) + 1);
      if (![200, 503].includes(Number(status))) unexpected.push(`${path}: ${status}`);
      return answer?.status === 200 ? answer.body : undefined;
    }

    async function caller(): Promise<void> {
      while (!over) {
        const issued = await ask('token', { grant_type: 'client_credentials' });
        if (!issued) continue;
        const token: string = issued.access_token;
        writes += 1;
        const seen = await ask('introspect', { token });
        if (seen && !seen.active) unexpected.push('an issued token was not active');
        if (Math.random() < 0.5) {
          live.add(token);
          continue;
        }
        if (!(await ask('revoke', { token }))) continue;
        writes += 1;
        dead.add(token);
        const later = await ask('introspect', { token });
        if (later?.active) unexpected.push('a revoked token was active');
      }
    }

    const callers = Array.from({ length: CALLERS }, () => caller());
    for (let restart = 0; restart < RESTARTS; restart += 1) {
      const enough = writes + ACKNOWLEDGED;
      await expect.poll(() => writes, { interval: 20, timeout: 120_000 }).toBeGreaterThan(enough);
      await bouncer.restart();
    }
    over = true;
    await Promise.all(callers);
    for (const token of live)
      if (!(await lastAnswer(token))) unexpected.push('an acknowledged token was lost');
    for (const token of dead)
      if (await lastAnswer(token)) unexpected.push('an acknowledged revocation was lost');
    expect(unexpected).toEqual([]);
    expect([live.size > RESTARTS, dead.size > RESTARTS]).toEqual([true, true]);

    // What is in the tables is no less than what was acknowledged.
    const straight = databasesAt(database.adminUrl);
    const [row] = await (await straight.open('sandbox')).run<{ count: number }>(LIVE, []);
    await straight.close();
    expect(row?.count).toBeGreaterThanOrEqual(live.size + dead.size);
    console.info(`${writes} acknowledged writes, ${JSON.stringify(Object.fromEntries(statuses))}`);
  });

  async function lastAnswer(token: string): Promise<boolean> {
    for (;;) {
      const answer = await postForm(nodes.first.url, 'introspect', { ...nodes.credentials, token });
      if (answer?.status === 200) return answer.body.active;
      expect(answer?.status).toBe(503);
    }
  }
});
