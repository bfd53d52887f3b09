import { describe, expect, it } from 'vitest';
import { statement } from '../../src/storage/statement.ts';
import { operatorSettings, runCommandLine } from '../support/service/command-line.ts';
import { createCaller } from '../support/service/service-environment.ts';
import { useTestService } from '../support/service/test-service.ts';

const GRANTS = 100_000;

// The grants of one user and client, with an access and a refresh token each.
const FILL_GRANTS = statement(
  'fill_grants',
  `insert into {schema}.oauth_grants
     (id, client_id, user_id, organization_ids, scopes, audience, created_at, expires_at)
   select 'gra_' || lpad(n::text, 22, '0'), client_id, user_id, organization_ids, scopes, audience, created_at, expires_at
   from {schema}.oauth_grants, generate_series(1, $2::int) as n where client_id = $1`,
);
const FILL_TOKENS = statement(
  'fill_tokens',
  `insert into {schema}.oauth_tokens (digest, id, kind, grant_id, scopes, issued_at, expires_at)
   select sha256((kind || g.id)::bytea), 'tok_' || left(kind, 1) || substr(g.id, 6), kind, g.id, g.scopes, g.created_at,
          g.expires_at
   from {schema}.oauth_grants g, (values ('access_token'), ('refresh_token')) as kinds(kind)
   where g.client_id = $1 and g.id like 'gra\\_00%'`,
);
const ANALYZE = statement('analyze', 'analyze');

describe('revoking 200,000 tokens in bulk (PostgreSQL)', () => {
  const service = useTestService('PostgreSQL');

  async function fill(): Promise<string> {
    const { client } = await createCaller(service);
    const database = await service.database('sandbox');
    await database.migration(async (session) => {
      await session.run(FILL_GRANTS, [client.id, GRANTS]);
      await session.run(FILL_TOKENS, [client.id]);
    });
    await database.migration((session) => session.run(ANALYZE, []));
    return client.id;
  }
  async function timed(...args: string[]) {
    const startedAtMs = performance.now();
    const { code, out, err } = await runCommandLine([...args, '--json'], operatorSettings(service));
    console.info(`${args.join(' ')}: ${((performance.now() - startedAtMs) / 1000).toFixed(1)} s`);
    expect(code).toBe(0);
    return {
      ...JSON.parse(out),
      progress: err.split('\n').filter((line) => line.endsWith('so far …')).length,
    };
  }

  it('[outside 22] counts and revokes them by the command line, and says how far it is', async () => {
    const clientId = await fill();
    service.clock.advanceSeconds(60);
    const before = service.clock.now().toISOString();
    const selections = [
      ['--client', clientId],
      ['--issued-before', before, '--yes'],
    ];
    for (const selection of selections) {
      const counted = await timed('token', 'revoke', ...selection, '--dry-run');
      expect(counted.tokens).toBeGreaterThanOrEqual(2 * GRANTS);
      expect(counted.progress).toBeGreaterThan(0);
    }
    const ended = await timed('token', 'revoke', '--issued-before', before, '--yes');
    expect(ended.tokens).toBeGreaterThanOrEqual(2 * GRANTS);
    expect(ended.progress).toBeGreaterThan(0);
    const { tokens } = await timed('token', 'revoke', '--issued-before', before, '--dry-run');
    expect(tokens).toBe(0);
  });
});
